//===- FoldConstants.cpp - evaluate what no input reaches -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file implements tenon-fold-constants: one walk in program order, so
// that a chain of constants folds from its head.
//===----------------------------------------------------------------------===//
#include "passes/Simplify/Constants.h"
#include "passes/Simplify/Passes.h"

#include "llvm/ADT/SetVector.h"

namespace tenon {
#define GEN_PASS_DEF_FOLDCONSTANTSPASS
#include "passes/Simplify/Passes.h.inc"
} // namespace tenon

using namespace mlir;
using namespace tenon;
using namespace tenon::graph;

namespace {
class FoldConstantsPass
    : public tenon::impl::FoldConstantsPassBase<FoldConstantsPass> {
public:
  using FoldConstantsPassBase::FoldConstantsPassBase;

  void runOnOperation() override;

private:
  int64_t spent = 0; // steps

  bool worthFolding(Operation *op) const;
  void fold(Operation *op);
  void replaceByZeros(Operation *op);
};
} // namespace

/// Steps of the interpreter: arithmetic, and results that are written.
static int64_t workOf(Operation *op) {
  int64_t work = cast<TensorOpInterface>(op).getCost().flops;
  for (Type type : op->getResultTypes())
    work += cast<RankedTensorType>(type).getNumElements();
  return work;
}

/// Whether the result fits the budgets.
bool FoldConstantsPass::worthFolding(Operation *op) const {
  if (!isa<TensorOpInterface>(op) || isa<ConstantOp, PackOp>(op))
    return false;
  int64_t read = 0, written = 0;
  for (Value operand : op->getOperands()) {
    if (!simplify::constantOf(operand))
      return false;
    read += tensorBytes(operand.getType());
  }
  for (Type type : op->getResultTypes()) {
    if (!cast<RankedTensorType>(type).hasStaticShape())
      return false;
    written += tensorBytes(type);
  }
  return written <= std::max<int64_t>(read, maxBytes) &&
         workOf(op) <= maxWork - spent;
}

static void eraseWithConstants(Operation *op) {
  // Each constant once: an operation may read one twice.
  llvm::SmallSetVector<Value, 4> operands(op->operand_begin(),
                                          op->operand_end());
  op->erase();
  for (Value operand : operands)
    if (operand.use_empty() && operand.getDefiningOp() &&
        isa<ConstantOp>(operand.getDefiningOp()))
      operand.getDefiningOp()->erase();
}

void FoldConstantsPass::fold(Operation *op) {
  OpBuilder builder(op);
  int64_t work = workOf(op);
  SmallVector<Value> values;
  // A reshape shares the bytes of its operand; the folder knows how.
  if (isa<ReshapeOp, BroadcastOp>(op) && failed(builder.tryFold(op, values)))
    values.clear();
  if (values.empty()) {
    auto computed = simplify::evaluate(builder, op);
    if (failed(computed))
      return;
    values = *computed;
    spent += work;
  }
  ++numFolded;
  for (auto [result, value] : llvm::zip(op->getResults(), values)) {
    numBytes += tensorBytes(result.getType());
    result.replaceAllUsesWith(value);
  }
  eraseWithConstants(op);
}

/// Whether extents alone say what the results are: nothing, or sums of nothing.
static bool isKnownByExtents(Operation *op) {
  if (!isa<TensorOpInterface>(op) || isa<ConstantOp, PackOp>(op))
    return false;
  if (op->getNumResults() > 0 && llvm::all_of(op->getResultTypes(), isEmpty))
    return true;
  return isa<MatmulOp, ConvOp, ConvTransposeOp>(op) &&
         cast<RankedTensorType>(op->getResult(0).getType()).hasStaticShape() &&
         llvm::any_of(op->getOperandTypes(), isEmpty);
}

static ElementsAttr zeros(OpBuilder &builder, RankedTensorType type) {
  if (isEmpty(type))
    return DenseElementsAttr::get(type, ArrayRef<Attribute>());
  return cast<ElementsAttr>(builder.getZeroAttr(type));
}

void FoldConstantsPass::replaceByZeros(Operation *op) {
  OpBuilder builder(op);
  ++numFolded;
  for (Value result : op->getResults()) {
    auto type = cast<RankedTensorType>(result.getType());
    result.replaceAllUsesWith(
        ConstantOp::create(builder, op->getLoc(), type, zeros(builder, type)));
  }
  eraseWithConstants(op);
}

void FoldConstantsPass::runOnOperation() {
  spent = 0;
  getOperation().walk([&](Block *block) {
    for (Operation &op : llvm::make_early_inc_range(*block))
      if (isKnownByExtents(&op))
        replaceByZeros(&op);
      else if (worthFolding(&op))
        fold(&op);
  });
}
