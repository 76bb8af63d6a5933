//===- Stages.cpp - reductions of a nest, one after the other -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dialects/Graph/Graph.h"
#include "passes/CodegenCpu/Builder/Alternate.h"
#include "passes/CodegenCpu/Builder/ElementwiseOps.h"
#include "passes/CodegenCpu/Builder/VectorMath.h"
#include "passes/CodegenCpu/Loops/Kernel.h"
#include "passes/CodegenCpu/Loops/Reduce.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::codegen;
using kernel::LoopNode;

//===-- Stages ------------------------------------------------------------===//

SmallVector<unsigned> LoopsKernel::reductionsOf(int64_t stage) const {
  SmallVector<unsigned> result;
  for (auto [i, node] : llvm::enumerate(nest.program.nodes))
    if (node.kind == LoopNode::Reduce && node.stage == stage)
      result.push_back(i);
  return result;
}

Reduction LoopsKernel::reductionOf(unsigned node) const {
  return {nest.program.nodes[node].op, isSoftmaxShift(nest, node)};
}

/// All stages for some rows (vector loop reduced), or for `unroll` neighbouring
/// vectors of a parallel loop.
void LoopsKernel::runStages(ArrayRef<LoopScope *> scopes) {
  int64_t stages = nest.stages();
  for (int64_t stage = 1; stage <= stages; ++stage)
    runStage(stage, scopes);
  if (hasFull)
    iterate(0, stages + 1, scopes, ValueRange());
  for (LoopScope *scope : scopes)
    for (auto [i, result] : llvm::enumerate(nest.program.results))
      if (!result.full)
        body.store(i, *scope);
}

void LoopsKernel::runStage(int64_t stage, ArrayRef<LoopScope *> scopes) {
  int64_t copiesOf = int64_t(scopes.size()) * copies(stage);
  Values initial;
  for (unsigned node : reductionsOf(stage)) {
    Type element = body.elementOf(nest.program.nodes[node].operands[0]);
    Type type = accumulatorType(b, element, schedule.lanes);
    initial.append(copiesOf, neutralValue(b, reductionOf(node), type));
  }
  finish(stage, scopes, iterate(0, stage, scopes, initial));
  for (LoopScope *scope : scopes)
    body.prepare(*scope, stage);
}

Values LoopsKernel::iterate(size_t level, int64_t stage,
                            ArrayRef<LoopScope *> scopes, ValueRange carried) {
  if (level == reducedLoops.size())
    return vectorReduced() ? iterateLanes(stage, scopes, carried)
                           : visit(stage, scopes, carried);
  unsigned loop = reducedLoops[level];
  return b.loop(b.index(0), b.index(nest.extent(loop)), 1, carried,
                [&](Value i, ValueRange inner) {
                  std::vector<LoopScope> deeper;
                  for (LoopScope *scope : scopes) {
                    deeper.emplace_back(scope);
                    deeper.back().index[loop] = i;
                  }
                  Scopes pointers;
                  for (LoopScope &scope : deeper)
                    pointers.push_back(&scope);
                  return iterate(level + 1, stage, pointers, inner);
                });
}

/// Sums of one row in a stage, so that their number hides the latency of each:
/// where much is computed for an element, less.
int64_t LoopsKernel::copies(int64_t stage) const {
  if (!vectorReduced())
    return 1;
  return stageCost(stage) > 6 ? std::min<int64_t>(schedule.unroll, 2)
                              : schedule.unroll;
}

/// The vector loop of a stage.
Values LoopsKernel::iterateLanes(int64_t stage, ArrayRef<LoopScope *> rows,
                                 ValueRange carried) {
  int64_t lanes = schedule.lanes, extent = nest.extent(schedule.vector);
  int64_t unroll = copies(stage), step = lanes * unroll;
  int64_t middle = extent / step * step, end = extent / lanes * lanes;
  auto loop = [&](int64_t low, int64_t high, int64_t count, ValueRange values) {
    return b.loop(b.index(low), b.index(high), lanes * count, values,
                  [&](Value i, ValueRange inner) {
                    return visitLanes(stage, rows, count, i, lanes, inner);
                  });
  };
  Values values = loop(0, middle, unroll, carried);
  if (unroll > 1)
    values = loop(middle, end, 1, values);
  if (extent > end)
    values = visitLanes(stage, rows, 1, b.index(end), extent - end, values);
  return values;
}

Values LoopsKernel::visitLanes(int64_t stage, ArrayRef<LoopScope *> rows,
                               int64_t count, Value i, int64_t live,
                               ValueRange carried) {
  std::vector<LoopScope> points;
  points.reserve(rows.size() * count);
  Scopes pointers;
  for (int64_t copy = 0; copy < count; ++copy)
    for (LoopScope *row : rows) {
      LoopScope &point = points.emplace_back(row);
      point.index[schedule.vector] = i;
      point.shift = copy * schedule.lanes;
      point.live = live;
      point.column = row == rows[0] ? nullptr : pointers[copy * rows.size()];
      pointers.push_back(&point);
      if (schedule.prefetch)
        fetchAhead(stage, point);
    }
  return visit(stage, pointers, carried);
}

/// The last sums have time to fetch where results will go, and the results'
/// stage what the next rows read.
void LoopsKernel::fetchAhead(int64_t stage, LoopScope &point) {
  unsigned vector = schedule.vector;
  size_t loads = nest.loads.size();
  if (stage == nest.stages())
    for (auto [r, store] : llvm::enumerate(nest.stores))
      if (nest.program.results[r].full && store.strides[vector] == 1)
        b.prefetch(body.address(loads + r, point), /*locality=*/3);
  if (stage <= nest.stages() || rowLoops.empty())
    return;
  for (auto [number, load] : llvm::enumerate(nest.loads)) {
    if (load.strides.empty() || load.strides[vector] != 1)
      continue;
    int64_t ahead = schedule.jam * load.strides[rowLoops.back()];
    if (ahead != 0)
      b.prefetch(b.at(body.address(number, point), ahead, load.element),
                 /*locality=*/3);
  }
}

/// What all rows read was read by the first.
void LoopsKernel::shareColumn(LoopScope &point) const {
  auto variesByRow = [&](unsigned node) {
    return llvm::any_of(rowLoops,
                        [&](unsigned loop) { return nest.varies(node, loop); });
  };
  for (auto [node, value] : point.column->values)
    if (!variesByRow(node))
      point.values[node] = value;
}

/// One point per accumulator; these are grouped by reduction, then by copy,
/// then by row.
Values LoopsKernel::visit(int64_t stage, ArrayRef<LoopScope *> points,
                          ValueRange carried) {
  Values next(carried);
  size_t reductions = reductionsOf(stage).size();
  size_t stride = reductions ? carried.size() / reductions : 0;
  alternate(b, int64_t(points.size()), [&](int64_t u) {
    LoopScope &point = *points[u];
    if (point.column)
      shareColumn(point);
    loadKept(stage, point);
    if (stage > nest.stages())
      return storeFull(point);
    Values mine;
    for (size_t r = 0; r < reductions; ++r)
      mine.push_back(next[r * stride + u]);
    Values updated = accumulateAt(stage, point, mine);
    for (size_t r = 0; r < reductions; ++r)
      next[r * stride + u] = updated[r];
    storeKept(stage, point);
  });
  return next;
}

/// Sums of squares and products: one rounding and one instruction less. Null
/// where the operand is no product, or one that something else needs too.
Value LoopsKernel::accumulateProductAt(unsigned reduce, LoopScope &point,
                                       Value accumulator) {
  unsigned operand = nest.program.nodes[reduce].operands[0];
  const LoopNode &product = nest.program.nodes[operand];
  bool isSum = isa<graph::ReduceSumOp, graph::ReduceMeanOp>(
      nest.program.nodes[reduce].op);
  bool isTail = vectorReduced() && point.live < schedule.lanes;
  if (!isSum || isTail || !isa_and_nonnull<graph::MulOp>(product.op) ||
      !isa<FloatType>(body.elementOf(operand)) ||
      accumulator.getType() != body.registerTypeOf(operand) ||
      point.values.count(operand))
    return Value();
  return b.fma(body.getVector(product.operands[0], point),
               body.getVector(product.operands[1], point), accumulator);
}

Values LoopsKernel::accumulateAt(int64_t stage, LoopScope &point,
                                 ValueRange carried) {
  Values result;
  for (auto [node, accumulator] : llvm::zip(reductionsOf(stage), carried)) {
    if (Value sum = accumulateProductAt(node, point, accumulator)) {
      result.push_back(sum);
      continue;
    }
    const LoopNode &n = nest.program.nodes[node];
    Value value = widenFloat(b, body.getVector(n.operands[0], point));
    if (vectorReduced() && point.live < schedule.lanes)
      value = maskTail(reductionOf(node), value, point.live);
    result.push_back(accumulate(b, reductionOf(node), accumulator, value));
  }
  return result;
}

Value LoopsKernel::maskTail(const Reduction &reduce, Value value,
                            int64_t live) {
  Value mask = b.mask(b.index(live), schedule.lanes);
  Value neutral = neutralValue(b, reduce, value.getType());
  return arith::SelectOp::create(b.builder(), b.loc(), mask, value, neutral);
}

static Value firstLane(KernelBuilder &b, Value value) {
  if (!isa<VectorType>(value.getType()))
    return value;
  return vector::ExtractOp::create(b.builder(), b.loc(), value,
                                   ArrayRef<int64_t>{0});
}

void LoopsKernel::finish(int64_t stage, ArrayRef<LoopScope *> scopes,
                         ValueRange accumulators) {
  SmallVector<unsigned> nodes = reductionsOf(stage);
  size_t stride = accumulators.size() / nodes.size();
  int64_t count = nest.reducedSize();
  for (auto [r, node] : llvm::enumerate(nodes)) {
    Reduction reduce = reductionOf(node);
    ValueRange mine = accumulators.slice(r * stride, stride);
    for (auto [s, scope] : llvm::enumerate(scopes)) {
      Value all = mine[s];
      for (size_t other = s + scopes.size(); other < stride;
           other += scopes.size())
        all = accumulate(b, reduce, all, mine[other]);
      // Vectors of equal lanes where the input does not vary along them.
      if (!body.isVector(node))
        all =
            vectorReduced() ? combineLanes(b, reduce, all) : firstLane(b, all);
      scope->values[node] = finishReduction(b, reduce, all, count);
    }
  }
}
