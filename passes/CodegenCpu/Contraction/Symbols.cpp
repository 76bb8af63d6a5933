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
/// what may be either in a run has no stride. The last `own` dimensions are the
/// tensor's business.
static bool isBroadcastKnown(Type tensor, ArrayRef<Size> result,
                             size_t own = 0) {
  Sizes sizes = graph::sizesOf(tensor);
  if (sizes.size() > result.size())
    return false;
  auto pairs = llvm::zip_equal(ArrayRef(sizes).drop_back(own),
                               result.take_back(sizes.size()).drop_back(own));
  return llvm::all_of(pairs, [](auto pair) {
    auto [dim, extent] = pair;
    return dim.is(1) || dim == extent;
  });
}

/// Whether the nest of a product is known but for its sizes.
static bool isRegular(graph::MatmulOp op) {
  Sizes result = graph::sizesOf(op.getResult().getType());
  return isBroadcastKnown(op.getLhs().getType(), result, /*own=*/2) &&
         isBroadcastKnown(op.getRhs().getType(), result, /*own=*/2);
}

static bool isRegular(graph::ConvOp op) {
  if (op.getLayout() != graph::Layout::NHWC || op.getGroup() != 1)
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
  bool isTaken = (matmul && isRegular(matmul)) || (conv && isRegular(conv)) ||
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
