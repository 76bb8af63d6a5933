//===- WindowGroup.cpp - groups around windows ----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/Codegen/Groups/WindowGroup.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::codegen;
using memory::BufferType;

bool codegen::hasLanesOfGroups(graph::ConvOp conv) {
  ArrayRef<int64_t> filter = conv.getFilter().getType().getShape();
  int64_t members = filter[1];
  if (conv.getGroup() > 1 && members == 1)
    return true;
  // Groups that fill any vector of f32, and windows whose neighbours share what
  // is spread over a group's lanes.
  auto element = dyn_cast<FloatType>(conv.getType().getElementType());
  bool isFloat = element && element.getWidth() <= 32;
  return isFloat && conv.getLayout() == graph::Layout::NHWC &&
         (members == 2 || members == 4) &&
         filter[0] == int64_t(conv.getGroup()) * members && filter.back() >= 3;
}

DictionaryAttr codegen::packFilter(graph::ConvOp conv, int64_t lanes) {
  Builder b(conv.getContext());
  auto type = cast<RankedTensorType>(conv.getFilter().getType());
  SmallVector<int64_t> k;
  for (int64_t i = 2; i < type.getRank(); ++i)
    k.push_back(i);
  k.push_back(1);
  return b.getDictionaryAttr(
      {b.getNamedAttr("batch_dims", b.getDenseI64ArrayAttr({})),
       b.getNamedAttr("k_dims", b.getDenseI64ArrayAttr(k)),
       b.getNamedAttr("n_dims", b.getDenseI64ArrayAttr({0})),
       b.getNamedAttr("panel", b.getI64IntegerAttr(lanes))});
}

bool codegen::canPackFilter(kernel::GroupOp group, BlockArgument filter) {
  return filter.hasOneUse() && group.getOperands_()[filter.getArgNumber()]
                                   .getDefiningOp<graph::ConstantOp>();
}

Operation *codegen::windowAnchor(kernel::GroupOp group) {
  Operation *anchor = group.getAnchor();
  if (!isa_and_nonnull<graph::ConvOp, graph::MaxPoolOp, graph::AvgPoolOp>(
          anchor)) {
    group.emitOpError("has no pool or convolution");
    return nullptr;
  }
  if (llvm::all_of(anchor->getOperands(), llvm::IsaPred<BlockArgument>))
    return anchor;
  anchor->emitError("'") << anchor->getName()
                         << "' must read operands of its group";
  return nullptr;
}

bool codegen::canAddressWindow(kernel::GroupOp group, unsigned index,
                               BufferType type) {
  Operation *anchor = group.getAnchor();
  auto isOperand = [&](unsigned i) {
    auto argument = dyn_cast<BlockArgument>(anchor->getOperand(i));
    return argument && argument.getArgNumber() == index;
  };
  if (!anchor || (anchor->getNumOperands() > 1 && isOperand(1)))
    return type.isDense();
  return !isOperand(0) || type.getStrides().back() == 1;
}
