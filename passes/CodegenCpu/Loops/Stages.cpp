//===- Stages.cpp - reductions of a nest, one after the other --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dialects/Graph/Graph.h"
#include "passes/CodegenCpu/Builder/ElementwiseOps.h"
#include "passes/CodegenCpu/Builder/VectorMath.h"
#include "passes/CodegenCpu/Loops/Kernel.h"
#include "passes/CodegenCpu/Loops/Reduce.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include <map>
#include <set>

using namespace mlir;
using namespace tenon;
using namespace tenon::codegen;
using kernel::LoopNode;

/// A row buffer lives on the stack and should stay in the first-level cache.
static constexpr int64_t maxKeptBytes = 64 * 1024;
/// Cheaper nodes are computed again.
static constexpr int64_t minKeptCost = 12;

//===-- Stages ------------------------------------------------------------===//

SmallVector<unsigned> LoopsKernel::reductionsOf(int64_t stage) const {
  SmallVector<unsigned> result;
  for (auto [i, node] : llvm::enumerate(nest.program.nodes))
    if (node.kind == LoopNode::Reduce && node.stage == stage)
      result.push_back(i);
  return result;
}

/// All stages for one row (vector loop reduced), or for `unroll` neighbouring
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
  int64_t copiesOf = vectorReduced() ? copies() : int64_t(scopes.size());
  Values initial;
  for (unsigned node : reductionsOf(stage)) {
    Operation *reduce = nest.program.nodes[node].op;
    Type element = body.elementOf(nest.program.nodes[node].operands[0]);
    Type type = accumulatorType(b, element, schedule.lanes);
    initial.append(copiesOf, neutralValue(b, reduce, type));
  }
  finish(stage, scopes, iterate(0, stage, scopes, initial));
  for (LoopScope *scope : scopes)
    body.prepare(*scope, stage);
}

Values LoopsKernel::iterate(size_t level, int64_t stage,
                            ArrayRef<LoopScope *> scopes, ValueRange carried) {
  if (level == reducedLoops.size())
    return vectorReduced() ? iterateLanes(stage, *scopes[0], carried)
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

/// The vector loop of a stage: several accumulators hide the latency of each.
Values LoopsKernel::iterateLanes(int64_t stage, LoopScope &scope,
                                 ValueRange carried) {
  int64_t lanes = schedule.lanes, extent = nest.extent(schedule.vector);
  int64_t step = lanes * copies();
  int64_t middle = extent / step * step, end = extent / lanes * lanes;
  auto part = [&](Value i, int64_t unroll, int64_t live, ValueRange inner) {
    std::vector<LoopScope> points(unroll, LoopScope(&scope));
    Scopes pointers;
    for (auto [u, point] : llvm::enumerate(points)) {
      point.index[schedule.vector] = i;
      point.shift = int64_t(u) * lanes;
      point.live = live;
      pointers.push_back(&point);
    }
    return visit(stage, pointers, inner);
  };
  Values values = b.loop(b.index(0), b.index(middle), step, carried,
                         [&](Value i, ValueRange inner) {
                           return part(i, copies(), lanes, inner);
                         });
  if (copies() > 1)
    values = b.loop(
        b.index(middle), b.index(end), lanes, values,
        [&](Value i, ValueRange inner) { return part(i, 1, lanes, inner); });
  if (extent > end)
    values = part(b.index(end), 1, extent - end, values);
  return values;
}

/// One point per copy. Accumulators are grouped by reduction, copies inside.
Values LoopsKernel::visit(int64_t stage, ArrayRef<LoopScope *> points,
                          ValueRange carried) {
  Values next(carried);
  size_t reductions = reductionsOf(stage).size();
  size_t stride = reductions ? carried.size() / reductions : 0;
  for (auto [u, point] : llvm::enumerate(points)) {
    loadKept(stage, *point);
    if (stage > nest.stages()) {
      storeFull(*point);
      continue;
    }
    Values mine;
    for (size_t r = 0; r < reductions; ++r)
      mine.push_back(next[r * stride + u]);
    Values updated = accumulateAt(stage, *point, mine);
    for (size_t r = 0; r < reductions; ++r)
      next[r * stride + u] = updated[r];
    storeKept(stage, *point);
  }
  return next;
}

Values LoopsKernel::accumulateAt(int64_t stage, LoopScope &point,
                                 ValueRange carried) {
  Values result;
  for (auto [node, accumulator] : llvm::zip(reductionsOf(stage), carried)) {
    const LoopNode &n = nest.program.nodes[node];
    Value value = widenFloat(b, body.getVector(n.operands[0], point));
    if (vectorReduced() && point.live < schedule.lanes)
      value = maskTail(n.op, value, point.live);
    result.push_back(accumulate(b, n.op, accumulator, value));
  }
  return result;
}

Value LoopsKernel::maskTail(Operation *reduce, Value value, int64_t live) {
  Value mask = b.mask(b.index(live), schedule.lanes);
  Value neutral = neutralValue(b, reduce, value.getType());
  return arith::SelectOp::create(b.builder(), b.loc(), mask, value, neutral);
}

void LoopsKernel::setReduced(LoopScope &scope, unsigned node, Value value) {
  scope.values[node] = value;
  Type element = getElementTypeOrSelf(value.getType());
  if (isa<graph::ReduceSumOp>(nest.program.nodes[node].op) && element.isF32())
    scope.inverses[node] = (1.0 / Num(b, value)).get();
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
    Operation *reduce = nest.program.nodes[node].op;
    ValueRange mine = accumulators.slice(r * stride, stride);
    if (vectorReduced()) {
      Value all = mine[0];
      for (Value other : mine.drop_front())
        all = accumulate(b, reduce, all, other);
      all = combineLanes(b, reduce, all);
      setReduced(*scopes[0], node, finishReduction(b, reduce, all, count));
      continue;
    }
    for (auto [scope, value] : llvm::zip(scopes, mine)) {
      // Vectors of equal lanes where the input does not vary along them.
      Value one = body.isVector(node) ? value : firstLane(b, value);
      setReduced(*scope, node, finishReduction(b, reduce, one, count));
    }
  }
}

//===-- Kept nodes --------------------------------------------------------===//

namespace {
/// Decides which nodes to keep: the topmost expensive ones that a later stage
/// needs again.
class KeepPlan {
public:
  KeepPlan(const LoopNest &nest, llvm::function_ref<bool(unsigned)> canKeep)
      : nest(nest), canKeep(canKeep) {
    for (const LoopNode &node : nest.program.nodes) {
      int64_t cost =
          node.kind == LoopNode::Compute ? elementwiseCost(node.op) : 0;
      for (unsigned operand : node.operands)
        cost += node.full ? costs[operand] : 0;
      costs.push_back(node.full ? cost : 0);
    }
  }

  void need(unsigned node, int64_t stage) {
    const LoopNode &n = nest.program.nodes[node];
    if (!n.full || n.kind == LoopNode::Load || seen.count({node, stage}))
      return;
    seen.insert({node, stage});
    auto [entry, fresh] = firstStage.emplace(node, stage);
    if (!fresh && entry->second < stage && costs[node] >= minKeptCost &&
        canKeep(node)) {
      result.emplace(node, entry->second);
      return;
    }
    for (unsigned operand : n.operands)
      need(operand, stage);
  }

  std::map<unsigned, int64_t> result; ///< node to the stage that computes it

private:
  const LoopNest &nest;
  llvm::function_ref<bool(unsigned)> canKeep;
  SmallVector<int64_t> costs;
  std::map<unsigned, int64_t> firstStage;
  std::set<std::pair<unsigned, int64_t>> seen;
};
} // namespace

int64_t LoopsKernel::keptSlots() const {
  int64_t size = vectorReduced() ? llvm::alignTo(nest.extent(schedule.vector),
                                                 schedule.lanes)
                                 : schedule.lanes * copies();
  for (unsigned loop : reducedLoops)
    size *= nest.extent(loop);
  return size;
}

void LoopsKernel::chooseKept() {
  int64_t stages = nest.stages();
  if (stages == 0)
    return;
  auto canKeep = [&](unsigned node) {
    int64_t bytes = keptSlots() * graph::elementBytes(body.elementOf(node));
    return bytes <= maxKeptBytes &&
           (schedule.lanes == 1 || body.isVector(node));
  };
  KeepPlan plan(nest, canKeep);
  for (int64_t stage = 1; stage <= stages; ++stage)
    for (unsigned node : reductionsOf(stage))
      plan.need(nest.program.nodes[node].operands[0], stage);
  for (const kernel::LoopResult &result : nest.program.results)
    if (result.full)
      plan.need(result.node, stages + 1);
  for (auto [node, stage] : plan.result)
    kept.push_back({node, stage, b.scratch(keptSlots(), body.elementOf(node))});
}

Value LoopsKernel::keptAddress(const KeptNode &node, LoopScope &scope) {
  Value index = b.index(0);
  for (unsigned loop : reducedLoops)
    index = b.add(b.mul(index, nest.extent(loop)), scope.index[loop]);
  if (vectorReduced()) {
    int64_t length =
        llvm::alignTo(nest.extent(schedule.vector), schedule.lanes);
    index = b.add(b.mul(index, length), scope.index[schedule.vector]);
  } else {
    index = b.mul(index, schedule.lanes * copies());
  }
  Type element = body.elementOf(node.node);
  return b.at(b.at(node.buffer, index, element), scope.shift, element);
}

void LoopsKernel::loadKept(int64_t stage, LoopScope &scope) {
  for (const KeptNode &node : kept)
    if (node.stage < stage)
      scope.values[node.node] =
          b.load(keptAddress(node, scope), body.registerTypeOf(node.node),
                 body.elementOf(node.node));
}

void LoopsKernel::storeKept(int64_t stage, LoopScope &scope) {
  for (const KeptNode &node : kept)
    if (node.stage == stage)
      b.store(body.getVector(node.node, scope), keptAddress(node, scope),
              body.elementOf(node.node));
}
