//===- ContractionGroup.cpp - groups around products ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/Codegen/Groups/ContractionGroup.h"

#include "dialects/Graph/Graph.h"
#include "passes/Codegen/Groups/WindowGroup.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::codegen;

/// Few columns leave vectors empty, but those of one channel, whose windows
/// have several points: steps of k lie beside them.
static bool fillsColumns(graph::ConvTransposeOp conv) {
  constexpr int64_t fewColumns = 8, steps = 4;
  ArrayRef<int64_t> filter = conv.getFilter().getType().getShape();
  int64_t columns = filter[1] * filter.back();
  bool isFolded = filter[1] == 1 && columns > 1 && filter[0] % steps == 0;
  return conv.getLayout() == graph::Layout::NHWC && conv.hasSeparateWindows() &&
         (columns >= fewColumns || isFolded);
}

bool codegen::isProduct(kernel::GroupOp group) {
  return llvm::TypeSwitch<Operation *, bool>(group.getAnchor())
      .Case([](graph::MatmulOp) { return true; })
      .Case([](graph::ConvOp conv) { return !hasLanesOfGroups(conv); })
      .Case([](graph::ConvTransposeOp conv) { return fillsColumns(conv); })
      .Default([](Operation *) { return false; });
}

FailureOr<ContractionOperands>
codegen::contractionOperands(kernel::GroupOp group) {
  Operation *anchor = group.getAnchor();
  if (!isa_and_nonnull<graph::MatmulOp, graph::ConvOp, graph::ConvTransposeOp>(
          anchor))
    return group.emitOpError("has no matmul or conv");
  auto lhs = dyn_cast<BlockArgument>(anchor->getOperand(0));
  auto rhs = dyn_cast<BlockArgument>(anchor->getOperand(1));
  if (!lhs || !rhs)
    return anchor->emitError("'")
           << anchor->getName() << "' must read operands of its group";
  return ContractionOperands{anchor, lhs.getArgNumber(), rhs.getArgNumber()};
}

bool codegen::canPack(kernel::GroupOp group, const ContractionOperands &at) {
  Value rhs = group.getOperands_()[at.rhs];
  return rhs.getDefiningOp<graph::ConstantOp>() &&
         group.getBlock().getArgument(at.rhs).hasOneUse();
}
