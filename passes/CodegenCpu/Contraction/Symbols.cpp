//===- Symbols.cpp - which products may have symbols ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/CodegenCpu/Contraction/Plan.h"

#include "dialects/Graph/Graph.h"
#include "dialects/Graph/Size.h"
#include "passes/Codegen/Groups/WindowGeometry.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::codegen;

/// Whether each dimension is 1 or that of the result, aligned at the right:
/// what may be either in a run has a stride that the run finds.
static bool isBroadcastKnown(Type tensor, ArrayRef<Size> result) {
  Sizes sizes = graph::sizesOf(tensor);
  if (sizes.size() > result.size())
    return false;
  return llvm::all_of(llvm::zip_equal(sizes, result.take_back(sizes.size())),
                      [](auto pair) {
                        auto [dim, extent] = pair;
                        return dim.is(1) || dim == extent;
                      });
}

static bool isRegular(graph::ConvOp op) {
  if (op.getLayout() != graph::Layout::NHWC)
    return false;
  FailureOr<WindowGeometry> geometry = windowGeometry(op);
  return succeeded(geometry) && geometry->isRegular();
}

/// A product for each point of a window.
static bool isRegular(graph::ConvTransposeOp op) {
  return op.getLayout() == graph::Layout::NHWC && op.hasSeparateWindows();
}

bool codegen::hasKnownEpilogue(kernel::GroupOp group, ArrayRef<Size> result) {
  for (Operation &op : group.getBlock()) {
    if (&op == group.getAnchor())
      continue;
    bool isYield = op.hasTrait<OpTrait::IsTerminator>();
    for (Value operand : op.getOperands()) {
      bool isAll = ArrayRef(graph::sizesOf(operand.getType())) == result;
      if (isYield ? !isAll
                  : isa<BlockArgument>(operand) &&
                        !isBroadcastKnown(operand.getType(), result))
        return false;
    }
  }
  return true;
}

bool codegen::takesSymbolicProduct(kernel::GroupOp group) {
  Operation *anchor = group.getAnchor();
  auto matmul = dyn_cast_or_null<graph::MatmulOp>(anchor);
  auto conv = dyn_cast_or_null<graph::ConvOp>(anchor);
  auto transposed = dyn_cast_or_null<graph::ConvTransposeOp>(anchor);
  bool isTaken = matmul || (conv && isRegular(conv)) ||
                 (transposed && isRegular(transposed));
  return isTaken &&
         llvm::all_of(anchor->getOperands(), llvm::IsaPred<BlockArgument>) &&
         hasKnownEpilogue(group,
                          graph::sizesOf(anchor->getResult(0).getType()));
}

bool codegen::hasKnownSteps(kernel::GroupOp group) {
  auto matmul = dyn_cast<graph::MatmulOp>(group.getAnchor());
  return !matmul ||
         (!matmul.getTransposeLhs() &&
          graph::sizesOf(matmul.getLhs().getType()).back().isFixed());
}
