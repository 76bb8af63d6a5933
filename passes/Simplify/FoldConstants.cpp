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
  void replace(Operation *op, ValueRange values);
};
} // namespace

/// Steps of the interpreter: arithmetic, and results that are written.
static int64_t workOf(Operation *op) {
  int64_t work = cast<TensorOpInterface>(op).getCost().flops;
  for (Type type : op->getResultTypes())
    work += cast<RankedTensorType>(type).getNumElements();
  return work;
}

static bool mayFold(Operation *op) {
  return isa<TensorOpInterface>(op) && !isa<ConstantOp, PackOp>(op);
}

/// Whether all operands are constants, and the result fits the budgets.
bool FoldConstantsPass::worthFolding(Operation *op) const {
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

/// Puts `values`, which are constants, in the place of an operation's results.
void FoldConstantsPass::replace(Operation *op, ValueRange values) {
  ++numFolded;
  for (auto [result, value] : llvm::zip(op->getResults(), values)) {
    numBytes += tensorBytes(result.getType());
    result.replaceAllUsesWith(value);
  }
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
  replace(op, values);
}

/// Whether extents alone say what the results are: nothing, or sums of nothing.
static bool isKnownByExtents(Operation *op) {
  if (op->getNumResults() > 0 && llvm::all_of(op->getResultTypes(), isEmpty))
    return true;
  return isa<MatmulOp, ConvOp, ConvTransposeOp>(op) &&
         cast<RankedTensorType>(op->getResult(0).getType()).hasStaticShape() &&
         llvm::any_of(op->getOperandTypes(), isEmpty);
}

static Value makeZeros(OpBuilder &builder, Location loc, Type type) {
  auto tensor = cast<RankedTensorType>(type);
  ElementsAttr zeros =
      isEmpty(type)
          ? ElementsAttr(DenseElementsAttr::get(tensor, ArrayRef<Attribute>()))
          : cast<ElementsAttr>(builder.getZeroAttr(type));
  return ConstantOp::create(builder, loc, tensor, zeros);
}

static SmallVector<Value> makeZeros(Operation *op) {
  OpBuilder builder(op);
  SmallVector<Value> values;
  for (Type type : op->getResultTypes())
    values.push_back(makeZeros(builder, op->getLoc(), type));
  return values;
}

void FoldConstantsPass::runOnOperation() {
  spent = 0;
  getOperation().walk([&](Block *block) {
    for (Operation &op : llvm::make_early_inc_range(*block)) {
      if (!mayFold(&op))
        continue;
      if (isKnownByExtents(&op))
        replace(&op, makeZeros(&op));
      else if (worthFolding(&op))
        fold(&op);
    }
  });
}
