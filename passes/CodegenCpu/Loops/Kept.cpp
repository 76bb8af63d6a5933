//===- Kept.cpp - what a stage keeps for later ones -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dialects/Graph/Graph.h"
#include "passes/Codegen/Builder/ElementwiseOps.h"
#include "passes/CodegenCpu/Loops/Kernel.h"

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

/// Whole vectors of a row.
Size LoopsKernel::keptLength() const {
  return nest.extent(schedule.vector).ceilDiv(schedule.lanes) * schedule.lanes;
}

Size LoopsKernel::keptSlots() const {
  Size size = vectorReduced() ? keptLength() : schedule.lanes * schedule.unroll;
  for (unsigned loop : reducedLoops)
    size *= nest.extent(loop);
  return size;
}

/// Elements of a row buffer, for all rows at hand.
int64_t LoopsKernel::keptRoom(unsigned node) const {
  Size slots = keptSlots() * schedule.jam;
  return slots.isFixed()
             ? slots.fixed()
             : maxKeptBytes / graph::elementBytes(body.elementOf(node));
}

/// i1: the rows fit their buffers, as which those of unknown length need not.
/// Null where that is known.
Value LoopsKernel::keptFits() {
  Size slots = keptSlots() * schedule.jam;
  if (kept.empty() || slots.isFixed())
    return Value();
  int64_t room = keptRoom(kept.front().node);
  for (const KeptNode &node : kept)
    room = std::min(room, keptRoom(node.node));
  return b.less(b.index(slots), b.index(room + 1));
}

void LoopsKernel::chooseKept() {
  int64_t stages = nest.stages();
  // What a GPU's threads keep lies in memory, too.
  if (stages == 0 || b.target().isGpuThread())
    return;
  auto canKeep = [&](unsigned node) {
    int64_t bytes = keptRoom(node) * graph::elementBytes(body.elementOf(node));
    return bytes <= maxKeptBytes &&
           (schedule.lanes == 1 || body.isVector(node));
  };
  KeepPlan plan(nest, canKeep);
  for (int64_t stage = 1; stage <= stages; ++stage)
    for (unsigned node : reductionsOf(stage))
      plan.need(reducedNode(node), stage);
  for (const kernel::LoopResult &result : nest.program.results)
    if (result.full)
      plan.need(result.node, stages + 1);
  for (auto [node, stage] : plan.result)
    kept.push_back(
        {node, stage, b.scratch(keptRoom(node), body.elementOf(node))});
}

Value LoopsKernel::keptAddress(const KeptNode &node, LoopScope &scope) {
  Value index = b.index(0);
  for (unsigned loop : reducedLoops)
    index = b.add(b.mul(index, nest.extent(loop)), scope.index[loop]);
  if (vectorReduced()) {
    index = b.add(b.mul(index, keptLength()), scope.index[schedule.vector]);
  } else {
    index = b.mul(index, schedule.lanes * schedule.unroll);
  }
  Type element = body.elementOf(node.node);
  Size row = keptSlots() * scope.slot + scope.shift;
  if (!row.isFixed())
    index = b.add(index, b.mul(b.index(keptSlots()), scope.slot));
  return b.at(b.at(node.buffer, index, element),
              row.isFixed() ? row.fixed() : scope.shift, element);
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

//===-- Costs -------------------------------------------------------------===//

/// Instructions per element of what a stage sums or stores.
int64_t LoopsKernel::stageCost(int64_t stage) const {
  int64_t cost = 0;
  std::vector<bool> seen(nest.program.nodes.size(), false);
  for (unsigned node : reductionsOf(stage))
    cost += costOf(reducedNode(node), stage, seen);
  if (stage > nest.stages())
    for (const kernel::LoopResult &result : nest.program.results)
      cost += result.full ? costOf(result.node, stage, seen) : 0;
  return cost;
}

int64_t LoopsKernel::costOf(unsigned node, int64_t stage,
                            std::vector<bool> &seen) const {
  const LoopNode &n = nest.program.nodes[node];
  bool isKept = llvm::any_of(kept, [&](const KeptNode &k) {
    return k.node == node && k.stage < stage;
  });
  if (!n.full || n.kind != LoopNode::Compute || isKept || seen[node])
    return 0;
  seen[node] = true;
  int64_t cost = elementwiseCost(n.op);
  for (unsigned operand : n.operands)
    cost += costOf(operand, stage, seen);
  return cost;
}
