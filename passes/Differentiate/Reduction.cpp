//===- Reduction.cpp - gradients of sums and of what is made of them ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/Differentiate/Rules.h"

using namespace mlir;
using namespace tenon::graph;
using namespace tenon::differentiate;

//===-- Reductions --------------------------------------------------------===//

/// Something of a result's shape, with an extent of 1 for what was reduced.
static Value kept(Adjoint &g, Value value, ArrayRef<int64_t> axes) {
  Shape shape(shapeOf(g.x()));
  for (int64_t axis : axes)
    shape[axis] = 1;
  return g.reshape(value, shape);
}

static LogicalResult sumRule(Adjoint &g) {
  Value dy = kept(g, g.dy(), cast<ReduceSumOp>(g.op).getAxes());
  g.give(0, g.broadcast(dy, shapeOf(g.x())));
  return success();
}

static LogicalResult meanRule(Adjoint &g) {
  Value dy = kept(g, g.dy(), cast<ReduceMeanOp>(g.op).getAxes());
  double ratio = double(typeOf(dy).getNumElements()) /
                 double(typeOf(g.x()).getNumElements());
  g.give(0, g.broadcast(g.scaled(dy, ratio), shapeOf(g.x())));
  return success();
}

/// Equal elements share evenly.
template <typename Op> static LogicalResult extremeRule(Adjoint &g) {
  ArrayRef<int64_t> axes = cast<Op>(g.op).getAxes();
  Value wins = g.equal(g.x(), kept(g, g.y(), axes));
  Value ones = g.where(wins, g.number(1, g.x()));
  Value share = g.div(kept(g, g.dy(), axes), g.sum(ones, axes));
  g.give(0, g.where(wins, share));
  return success();
}

/// Products of what stands in front and of what stands behind: no division, so
/// that zeros are right. Of several axes, all are made one.
static LogicalResult productRule(Adjoint &g) {
  ArrayRef<int64_t> axes = cast<ReduceProdOp>(g.op).getAxes();
  Shape order, turned, rows;
  for (int64_t dim = 0; dim < rankOf(g.x()); ++dim)
    if (!llvm::is_contained(axes, dim))
      order.push_back(dim);
  int64_t axis = order.size(), factors = 1;
  llvm::append_range(order, axes);
  for (int64_t dim : order)
    turned.push_back(shapeOf(g.x())[dim]);
  for (int64_t extent : ArrayRef(turned).drop_front(axis))
    factors *= extent;
  rows.assign(turned.begin(), turned.begin() + axis);
  rows.push_back(factors);
  Value x = g.reshape(g.transpose(g.x(), order), rows);
  Value before = g.make<PrefixOp>(x, axis, true, false, true);
  Value behind = g.make<PrefixOp>(x, axis, true, true, true);
  rows.back() = 1;
  Value part = g.mul(g.mul(before, behind), g.reshape(g.dy(), rows));
  g.give(0, g.transposeBack(g.reshape(part, turned), order));
  return success();
}

//===-- Running sums ------------------------------------------------------===//

static LogicalResult prefixRule(Adjoint &g) {
  auto op = cast<PrefixOp>(g.op);
  if (op.getProduct())
    return g.refuse("has no gradient yet: running products");
  g.give(0, g.make<PrefixOp>(g.dy(), op.getAxis(), false, !op.getReverse(),
                             op.getExclusive()));
  return success();
}

//===-- Normalisations ----------------------------------------------------===//

static LogicalResult softmaxRule(Adjoint &g) {
  int64_t axis = cast<SoftmaxOp>(g.op).getAxis();
  Value mean = g.sum(g.mul(g.dy(), g.y()), {axis});
  g.give(0, g.mul(g.y(), g.sub(g.dy(), mean)));
  return success();
}

/// By rows of mean and deviation. `unit`: the input, standardised.
static LogicalResult layerNormRule(Adjoint &g) {
  auto op = cast<LayerNormOp>(g.op);
  auto axes =
      llvm::to_vector(llvm::seq<int64_t>(int64_t(op.getAxis()), rankOf(g.x())));
  Value centred = g.sub(g.x(), g.mean(g.x(), axes));
  Value variance = g.mean(g.square(centred), axes);
  Value stable = g.plus(variance, op.getEpsilon().convertToDouble());
  Value factor = g.make<RsqrtOp>(stable), unit = g.mul(centred, factor);
  if (op.getBias())
    g.give(2, g.dy());
  if (g.wants(1))
    g.give(1, g.mul(g.dy(), unit));
  if (!g.wants(0))
    return success();
  Value dunit = g.mul(g.dy(), g.x(1));
  Value along = g.mul(unit, g.mean(g.mul(dunit, unit), axes));
  Value rest = g.sub(g.sub(dunit, g.mean(dunit, axes)), along);
  g.give(0, g.mul(factor, rest));
  return success();
}

static const RuleEntry kRules[] = {
    {"graph.reduce_sum", sumRule},
    {"graph.reduce_mean", meanRule},
    {"graph.reduce_max", extremeRule<ReduceMaxOp>},
    {"graph.reduce_min", extremeRule<ReduceMinOp>},
    {"graph.reduce_prod", productRule},
    {"graph.arg_max", isConstant},
    {"graph.arg_min", isConstant},
    {"graph.prefix", prefixRule},
    {"graph.det", hasNone},
    {"graph.softmax", softmaxRule},
    {"graph.layer_norm", layerNormRule},
};

ArrayRef<RuleEntry> tenon::differentiate::reductionRules() { return kRules; }
