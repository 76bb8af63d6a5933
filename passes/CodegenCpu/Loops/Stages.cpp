//===- Stages.cpp - reductions of a nest, one after the other -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dialects/Graph/Graph.h"
#include "passes/Codegen/Bodies/Reduce.h"
#include "passes/Codegen/Builder/Alternate.h"
#include "passes/Codegen/Builder/ElementwiseOps.h"
#include "passes/Codegen/Builder/VectorMath.h"
#include "passes/CodegenCpu/Loops/Kernel.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::codegen;
using kernel::LoopNode;

//===-- Stages ------------------------------------------------------------===//

/// Moments are found together, in the stage of the mean. What is found online
/// needs no accumulators here.
SmallVector<unsigned> LoopsKernel::reductionsOf(int64_t stage) const {
  SmallVector<unsigned> result;
  for (auto [i, node] : llvm::enumerate(nest.program.nodes)) {
    int64_t own =
        isMoment(i) ? nest.program.nodes[moments->mean].stage : node.stage;
    if (node.kind == LoopNode::Reduce && own == stage && !isOnline(i))
      result.push_back(i);
  }
  return result;
}

/// What is read to reduce it.
unsigned LoopsKernel::reducedNode(unsigned reduce) const {
  return isMoment(reduce) ? moments->element
                          : nest.program.nodes[reduce].operands[0];
}

/// The last stage that runs over elements before that of the results.
int64_t LoopsKernel::lastReductions() const {
  int64_t stage = nest.stages();
  while (stage > 0 && reductionsOf(stage).empty())
    --stage;
  return stage;
}

Reduction LoopsKernel::reductionOf(unsigned node) const {
  return {nest.program.nodes[node].op, isSoftmaxShift(nest, node)};
}

/// All stages for some rows (vector loop reduced), or for `unroll` neighbouring
/// vectors of a parallel loop.
void LoopsKernel::runStages(ArrayRef<LoopScope *> scopes) {
  endStages(scopes, startStages(scopes));
  storeResults(scopes);
}

/// The first stage up to its accumulators, and what its end needs with them.
Values LoopsKernel::startStages(ArrayRef<LoopScope *> scopes) {
  guesses.clear();
  Values sums = accumulateStage(1, scopes);
  sums.append(guesses);
  return sums;
}

void LoopsKernel::endStages(ArrayRef<LoopScope *> scopes, ValueRange started) {
  together.clear();
  guesses = Values(started.take_back(guesses.size()));
  endStage(1, scopes, started.drop_back(guesses.size()));
  for (int64_t stage = 2; stage <= nest.stages(); ++stage)
    endStage(stage, scopes, accumulateStage(stage, scopes));
}

void LoopsKernel::storeResults(ArrayRef<LoopScope *> scopes) {
  if (hasFull)
    iterate(0, nest.stages() + 1, scopes, ValueRange());
  for (LoopScope *scope : scopes)
    for (auto [i, result] : llvm::enumerate(nest.program.results))
      if (!result.full)
        body.store(i, *scope);
}

Values LoopsKernel::accumulateStage(int64_t stage,
                                    ArrayRef<LoopScope *> scopes) {
  if (online && nest.program.nodes[online->shift].stage == stage)
    runOnline(stage, *scopes[0]);
  int64_t copiesOf = int64_t(scopes.size()) * copies(stage);
  Values initial;
  for (unsigned node : reductionsOf(stage)) {
    Type element = body.elementOf(reducedNode(node));
    Type type = accumulatorType(b, element, schedule.lanes);
    initial.append(copiesOf, neutralValue(b, reductionOf(node), type));
    if (moments && node == moments->mean)
      guessMeans(stage, scopes);
  }
  return initial.empty() ? initial : iterate(0, stage, scopes, initial);
}

void LoopsKernel::endStage(int64_t stage, ArrayRef<LoopScope *> scopes,
                           ValueRange accumulators) {
  if (!accumulators.empty())
    finish(stage, scopes, accumulators);
  if (scopes.size() > 1 && vectorReduced())
    computeTogether(stage, scopes);
  for (LoopScope *scope : scopes)
    body.prepare(*scope, stage);
}

Values LoopsKernel::iterate(size_t level, int64_t stage,
                            ArrayRef<LoopScope *> scopes, ValueRange carried) {
  if (level == reducedLoops.size())
    return vectorReduced() ? iterateLanes(stage, scopes, carried)
                           : visit(stage, scopes, carried);
  unsigned loop = reducedLoops[level];
  const Size &extent = nest.extent(loop);
  SumRange range = {b.index(0), b.index(extent), 1, extent,
                    termsOf(level + 1, stage)};
  return reduceLoop(stage, range, carried, [&](Value i, ValueRange inner) {
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

/// Terms that one accumulator takes in the loops from `level` on.
Size LoopsKernel::termsOf(size_t level, int64_t stage) const {
  Size terms = 1;
  if (vectorReduced()) {
    Size vectors = nest.extent(schedule.vector).ceilDiv(schedule.lanes);
    Size rounds = vectors.floorDiv(copies(stage));
    terms = rounds + (vectors - rounds * copies(stage));
  }
  for (unsigned loop : ArrayRef(reducedLoops).drop_front(level))
    terms *= nest.extent(loop);
  return terms;
}

/// A loop of a stage, in blocks where its sums are long.
Values
LoopsKernel::reduceLoop(int64_t stage, const SumRange &range,
                        ValueRange carried,
                        function_ref<Values(Value, ValueRange)> body) const {
  SmallVector<bool> sums;
  for (unsigned node : reductionsOf(stage))
    sums.push_back(isFloatSum(reductionOf(node)));
  Size terms = termsOf(0, stage);
  bool isShort = terms.isFixed() && terms.fixed() <= longestInOrder;
  if (!llvm::is_contained(sums, true) || isShort)
    return b.loop(range.low, range.high, range.step, carried, body);
  auto isSum = [&](size_t number) {
    return sums[number * sums.size() / carried.size()];
  };
  return sumLoop(b, range, carried, isSum, body);
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
  int64_t lanes = schedule.lanes, unroll = copies(stage), step = lanes * unroll;
  const Size &extent = nest.extent(schedule.vector);
  Size middle = extent.floorDiv(step) * step;
  Size end = extent.floorDiv(lanes) * lanes;
  auto loop = [&](const Size &low, const Size &high, int64_t count,
                  ValueRange values) {
    Size most = (high - low).floorDiv(lanes * count);
    if (count < unroll && !most.isFixed())
      most = unroll - 1;
    SumRange range = {b.index(low), b.index(high), lanes * count, most};
    return reduceLoop(stage, range, values, [&](Value i, ValueRange inner) {
      return visitLanes(stage, rows, count, i, lanes, inner);
    });
  };
  Values values = loop(0, middle, unroll, carried);
  if (unroll > 1)
    values = loop(middle, end, 1, values);
  Size left = extent - end;
  if (left.is(0))
    return values;
  if (left.isFixed())
    return visitLanes(stage, rows, 1, b.index(end), left.fixed(), values);
  Value live = b.index(left);
  return b.select(
      b.less(b.index(0), live),
      [&] { return visitLanes(stage, rows, 1, b.index(end), live, values); },
      [&] { return values; });
}

Values LoopsKernel::visitLanes(int64_t stage, ArrayRef<LoopScope *> rows,
                               int64_t count, Value i, LiveLanes live,
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
      if (schedule.rowsAhead > 0)
        fetchAhead(stage, point);
    }
  return visit(stage, pointers, carried);
}

/// The results' stage fetches what later rows read. The last sums have time to
/// fetch where results will go, unless the results' stage is not the next one.
void LoopsKernel::fetchAhead(int64_t stage, LoopScope &point) {
  unsigned vector = schedule.vector;
  size_t loads = nest.loads.size();
  if (stage == lastReductions() && !overlaps())
    for (auto [r, store] : llvm::enumerate(nest.stores))
      if (nest.program.results[r].full && store.strides[vector].is(1))
        b.prefetch(body.address(loads + r, point), /*locality=*/3);
  if (stage <= nest.stages() || rowLoops.empty())
    return;
  for (auto [number, load] : llvm::enumerate(nest.loads)) {
    if (load.strides.empty() || !load.strides[vector].is(1))
      continue;
    Size ahead = load.strides[rowLoops.back()] * schedule.rowsAhead;
    if (ahead.is(0))
      continue;
    Value from = body.address(number, point);
    from = ahead.isFixed() ? b.at(from, ahead.fixed(), load.element)
                           : b.at(from, b.index(ahead), load.element);
    b.prefetch(from, /*locality=*/3);
  }
}

bool LoopsKernel::variesByRow(unsigned node) const {
  return llvm::any_of(rowLoops,
                      [&](unsigned loop) { return nest.varies(node, loop); });
}

/// What all rows read was read by the first.
void LoopsKernel::shareColumn(LoopScope &point) const {
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
  bool isTail = vectorReduced() && !point.live.are(schedule.lanes);
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
    if (isMoment(node)) {
      result.push_back(accumulateMomentAt(node, point, accumulator));
      continue;
    }
    if (Value sum = accumulateProductAt(node, point, accumulator)) {
      result.push_back(sum);
      continue;
    }
    const LoopNode &n = nest.program.nodes[node];
    Value value = widenFloat(b, body.getVector(n.operands[0], point));
    value = maskTail(reductionOf(node), value, point);
    result.push_back(accumulate(b, reductionOf(node), accumulator, value));
  }
  return result;
}

/// Lanes beyond the end of a row change no accumulator.
Value LoopsKernel::maskTail(const Reduction &reduce, Value value,
                            const LoopScope &point) {
  if (!vectorReduced() || point.live.are(schedule.lanes))
    return value;
  Value mask = b.mask(point.live.get(b), schedule.lanes);
  Value neutral = neutralValue(b, reduce, value.getType());
  return arith::SelectOp::create(b.builder(), b.loc(), mask, value, neutral);
}
