//===- Symbols.cpp - which products may have symbols ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/CodegenCpu/Contraction/Plan.h"

#include "dialects/Graph/Graph.h"
#include "dialects/Graph/Size.h"

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

bool codegen::takesSymbolicProduct(kernel::GroupOp group) {
  auto matmul = dyn_cast_or_null<graph::MatmulOp>(group.getAnchor());
  if (!matmul)
    return false;
  Sizes result = graph::sizesOf(matmul.getResult().getType());
  for (Value operand : matmul->getOperands())
    if (!isa<BlockArgument>(operand) ||
        !isBroadcastKnown(operand.getType(), result, /*own=*/2))
      return false;
  for (Operation &op : group.getBlock()) {
    if (&op == matmul.getOperation())
      continue;
    bool isYield = op.hasTrait<OpTrait::IsTerminator>();
    for (Value operand : op.getOperands()) {
      bool isAll = graph::sizesOf(operand.getType()) == result;
      if (isYield ? !isAll
                  : isa<BlockArgument>(operand) &&
                        !isBroadcastKnown(operand.getType(), result))
        return false;
    }
  }
  return true;
}
