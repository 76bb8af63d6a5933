//===- ShrinkSplats.cpp - repeat equal elements where they are read -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file implements tenon-shrink-splats: constants of many equal elements,
// which cost nothing in the graph, become one element before kernels read them.
//===----------------------------------------------------------------------===//
#include "passes/Simplify/CompactTensor.h"
#include "passes/Simplify/Constants.h"
#include "passes/Simplify/FoldRules.h"
#include "passes/Simplify/Passes.h"

namespace tenon {
#define GEN_PASS_DEF_SHRINKSPLATSPASS
#include "passes/Simplify/Passes.h.inc"
} // namespace tenon

using namespace mlir;
using namespace tenon;
using namespace tenon::graph;

namespace {
/// Takes one splat from its readers.
class Shrinker {
public:
  Shrinker(ConstantOp constant, int64_t maxWeightBytes, int64_t maxMatrixBytes)
      : constant(constant), maxWeightBytes(maxWeightBytes),
        maxMatrixBytes(maxMatrixBytes) {}

  bool run() {
    bool changed = false;
    for (OpOperand &use : llvm::make_early_inc_range(constant->getUses()))
      changed |= shrink(use);
    if (constant.use_empty())
      constant.erase();
    return changed;
  }

private:
  bool shrink(OpOperand &use);
  bool isStored(OpOperand &use);
  Value sumOfRows(MatmulOp op);
  Value scalar();
  Value repeated(OpBuilder builder);

  ConstantOp constant;
  int64_t maxWeightBytes, maxMatrixBytes;
  Value one, all;
};
} // namespace

/// The element alone.
Value Shrinker::scalar() {
  if (one)
    return one;
  OpBuilder builder(constant);
  auto type = RankedTensorType::get({}, constant.getType().getElementType());
  auto dense = cast<DenseElementsAttr>(constant.getValue());
  one = ConstantOp::create(builder, constant.getLoc(), type,
                           dense.resizeSplat(type));
  return one;
}

Value Shrinker::repeated(OpBuilder builder) {
  return BroadcastOp::create(builder, constant.getLoc(), constant.getType(),
                             scalar());
}

/// A product with weights that are all equal: its columns are the sums of rows.
Value Shrinker::sumOfRows(MatmulOp op) {
  OpBuilder builder(op);
  auto type = cast<RankedTensorType>(op.getLhs().getType());
  Value scaled = MulOp::create(builder, op.getLoc(), op.getLhs(), scalar());
  Value sums = ReduceSumOp::create(builder, op.getLoc(), scaled,
                                   ArrayRef<int64_t>{type.getRank() - 1}, true);
  return BroadcastOp::create(builder, op.getLoc(), op.getType(), sums);
}

/// A filter is worth more bytes than a matrix, for which sums of rows stand.
bool Shrinker::isStored(OpOperand &use) {
  if (isa<PackOp>(use.getOwner()))
    return true;
  bool isMatrix = isa<MatmulOp>(use.getOwner());
  return simplify::isWeight(use) &&
         *tensorBytes(constant.getType()) <=
             (isMatrix ? maxMatrixBytes : maxWeightBytes);
}

bool Shrinker::shrink(OpOperand &use) {
  Operation *user = use.getOwner();
  if (isStored(use))
    return false;
  if (auto matmul = dyn_cast<MatmulOp>(user);
      matmul && use.getOperandNumber() == 1 && !matmul.getTransposeLhs()) {
    matmul.replaceAllUsesWith(sumOfRows(matmul));
    matmul.erase();
    return true;
  }
  if (user->hasTrait<Elementwise>()) {
    auto type = cast<RankedTensorType>(scalar().getType());
    bool isEnough = simplify::keepsResult(use, type);
    // Beside its reader, so that both become one kernel.
    use.set(isEnough ? scalar() : repeated(OpBuilder(user)));
    return true;
  }
  if (!all) {
    OpBuilder builder(user->getContext());
    builder.setInsertionPointAfter(constant);
    scalar();
    all = repeated(builder);
  }
  use.set(all);
  return true;
}

namespace {
class ShrinkSplatsPass
    : public tenon::impl::ShrinkSplatsPassBase<ShrinkSplatsPass> {
public:
  using ShrinkSplatsPassBase::ShrinkSplatsPassBase;

  void runOnOperation() override {
    SmallVector<ConstantOp> splats;
    getOperation().walk([&](ConstantOp constant) {
      auto dense = dyn_cast<DenseElementsAttr>(constant.getValue());
      if (dense && dense.isSplat() &&
          *tensorBytes(constant.getType()) > simplify::freeGrowthBytes)
        splats.push_back(constant);
    });
    for (ConstantOp constant : splats)
      numShrunk += Shrinker(constant, maxWeightBytes, maxMatrixBytes).run();
  }
};
} // namespace
