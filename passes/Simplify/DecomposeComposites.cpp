//===- DecomposeComposites.cpp - primitives only --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file implements tenon-decompose-composites on top of the operations'
// own decompositions.
//===----------------------------------------------------------------------===//
#include "passes/Simplify/Passes.h"

namespace tenon {
#define GEN_PASS_DEF_DECOMPOSECOMPOSITESPASS
#include "passes/Simplify/Passes.h.inc"
} // namespace tenon

using namespace mlir;
using namespace tenon;
using namespace tenon::graph;

static bool isHalf(Value value) {
  Type element = getElementTypeOrSelf(value.getType());
  return element.isF16() || element.isBF16();
}

/// The same on f32, in place of `op`: 16 bits cannot spare that each part
/// rounds, nor have squares and sums room in f16.
static TensorOpInterface widened(OpBuilder &builder, Operation *op) {
  Location loc = op->getLoc();
  auto castTo = [&](Value value, Type element) -> Value {
    auto type = cast<RankedTensorType>(value.getType()).clone(element);
    return CastOp::create(builder, loc, type, value);
  };
  SmallVector<Value> operands;
  for (Value operand : op->getOperands())
    operands.push_back(castTo(operand, builder.getF32Type()));
  Operation *wide = builder.clone(*op);
  wide->setOperands(operands);
  Value result = wide->getResult(0), old = op->getResult(0);
  Type narrow = getElementTypeOrSelf(old.getType());
  result.setType(operands.front().getType());
  old.replaceAllUsesWith(castTo(result, narrow));
  op->erase();
  builder.setInsertionPoint(wide);
  return cast<TensorOpInterface>(wide);
}

namespace {
class DecomposeCompositesPass
    : public tenon::impl::DecomposeCompositesPassBase<DecomposeCompositesPass> {
public:
  void runOnOperation() override {
    SmallVector<TensorOpInterface> ops;
    // The window kernels compute local response normalisation as it is.
    getOperation().walk([&](TensorOpInterface op) {
      if (!isa<LrnOp>(op))
        ops.push_back(op);
    });
    for (TensorOpInterface op : ops) {
      OpBuilder builder(op);
      if (isa<SoftmaxOp, LayerNormOp>(op) && isHalf(op->getResult(0)))
        op = widened(builder, op);
      auto values = op.decompose(builder);
      if (failed(values))
        continue;
      op->replaceAllUsesWith(*values);
      op->erase();
      ++numDecomposed;
    }
  }
};
} // namespace
