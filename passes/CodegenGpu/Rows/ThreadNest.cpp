//===- ThreadNest.cpp - a loop nest that threads share out ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/CodegenGpu/Rows/ThreadNest.h"

#include "dialects/Graph/Graph.h"
#include "passes/Codegen/Groups/MoveGroup.h"
#include "passes/Codegen/Groups/Work.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::gpu;
using codegen::LoopAccess;
using codegen::LoopNest;
using kernel::LoopNode;

static constexpr int64_t accessBytes = 16;

int64_t ThreadNest::units() const {
  int64_t count = vectorReduced() ? 1 : vectors();
  for (unsigned loop : rowLoops)
    count *= extent(loop);
  return count;
}

int64_t ThreadNest::pieces() const {
  int64_t count = vectorReduced() ? vectors() : 1;
  for (unsigned loop : reducedLoops)
    count *= extent(loop);
  return count;
}

bool tenon::gpu::isThreadNest(kernel::GroupOp group) {
  constexpr int64_t most = int64_t(1) << 31;
  auto isCounted = [](Type type) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    return tensor && tensor.hasStaticShape() && tensor.getNumElements() > 0 &&
           tensor.getNumElements() < most;
  };
  if (!codegen::isNest(group) ||
      !llvm::all_of(group.getBlock().getArgumentTypes(), isCounted))
    return false;
  for (Operation &op : group.getBlock().without_terminator())
    if (!llvm::all_of(op.getResultTypes(), isCounted))
      return false;
  return group.getNumResults() > 0;
}

//===-- Accesses ----------------------------------------------------------===//

static bool isContiguous(const LoopAccess &access, unsigned loop) {
  return !access.strides.empty() && access.strides[loop].is(1);
}

static int64_t bytesOf(const LoopAccess &access) {
  return graph::elementBytes(access.element);
}

/// Loads, then stores.
static void forEachAccess(const LoopNest &nest,
                          function_ref<void(const LoopAccess &)> visit) {
  for (auto [node, load] : llvm::zip(nest.program.nodes, nest.loads))
    if (node.kind == LoopNode::Load)
      visit(load);
  llvm::for_each(nest.stores, visit);
}

/// Elements that an access touches.
static int64_t reachOf(const LoopNest &nest, const LoopAccess &access) {
  int64_t count = 1;
  for (auto [loop, stride] : llvm::enumerate(access.strides))
    if (!stride.is(0))
      count *= nest.extent(loop).fixed();
  return count;
}

/// Bytes that come when threads go along a loop: whole sectors for elements
/// that lie apart. Those that are written count twice.
static int64_t trafficAlong(const LoopNest &nest, unsigned loop) {
  constexpr int64_t sector = 32;
  auto trafficOf = [&](const LoopAccess &access) {
    int64_t step = std::abs(access.strides[loop].fixed()) * bytesOf(access);
    return reachOf(nest, access) *
           std::clamp<int64_t>(step, bytesOf(access), sector);
  };
  int64_t traffic = 0;
  forEachAccess(
      nest, [&](const LoopAccess &access) { traffic += trafficOf(access); });
  for (const LoopAccess &store : nest.stores)
    traffic += trafficOf(store);
  return traffic;
}

static unsigned chooseVector(const LoopNest &nest) {
  unsigned best = 0;
  for (unsigned loop = 1; loop < nest.program.loops.size(); ++loop)
    if (nest.extent(best).is(1) ||
        (!nest.extent(loop).is(1) &&
         trafficAlong(nest, loop) <= trafficAlong(nest, best)))
      best = loop;
  return best;
}

/// The largest power of two that divides it, of at most `most`.
static int64_t powerIn(int64_t number, int64_t most) {
  return number == 0 ? most : std::min(most, number & -number);
}

/// What the address of a vector that begins at a multiple of `lanes` is a
/// multiple of.
static int64_t alignmentOfVectors(kernel::GroupOp group, const LoopNest &nest,
                                  const LoopAccess &access, unsigned vector,
                                  int64_t lanes) {
  int64_t bytes = bytesOf(access);
  int64_t known = std::min(tenon::gpu::alignmentOf(group, access.buffer),
                           powerIn(access.offset.fixed() * bytes, accessBytes));
  for (auto [loop, stride] : llvm::enumerate(access.strides)) {
    int64_t step = stride.fixed() * bytes;
    if (loop == vector)
      step *= lanes;
    if (!nest.extent(loop).is(1))
      known = std::min(known, powerIn(step, accessBytes));
  }
  return std::max(known, bytes);
}

/// 16 bytes of the widest elements, as far as the extent and most of the
/// traffic allow.
static int64_t chooseLanes(kernel::GroupOp group, const LoopNest &nest,
                           unsigned vector) {
  int64_t widest = 1, most = 0;
  forEachAccess(nest, [&](const LoopAccess &access) {
    if (isContiguous(access, vector))
      most = std::max(most, reachOf(nest, access) * bytesOf(access));
  });
  int64_t lanes = powerIn(nest.extent(vector).fixed(), accessBytes);
  forEachAccess(nest, [&](const LoopAccess &access) {
    widest = std::max(widest, bytesOf(access));
  });
  lanes = std::min(lanes, std::max<int64_t>(1, accessBytes / widest));
  forEachAccess(nest, [&](const LoopAccess &access) {
    if (!isContiguous(access, vector) ||
        reachOf(nest, access) * bytesOf(access) < most)
      return;
    int64_t aligned = alignmentOfVectors(group, nest, access, vector, lanes);
    lanes = std::min(lanes, std::max<int64_t>(1, aligned / bytesOf(access)));
  });
  return most == 0 ? 1 : lanes;
}

FailureOr<ThreadNest>
tenon::gpu::readThreadNest(kernel::GroupOp group,
                           ArrayRef<memory::BufferType> buffers,
                           std::optional<int64_t> vector) {
  FailureOr<LoopNest> nest = codegen::makeNest(group, buffers);
  if (failed(nest))
    return failure();
  if (vector && uint64_t(*vector) >= nest->origin.size() && *vector != 0)
    return group.emitOpError() << "has a plan of other loops";
  ThreadNest result{std::move(*nest), {}, {}, {}, {}};
  codegen::LoopSchedule &schedule = result.schedule;
  schedule.vector = vector ? codegen::currentLoop(result.nest, *vector)
                           : chooseVector(result.nest);
  schedule.lanes = chooseLanes(group, result.nest, schedule.vector);
  auto align = [&](const LoopAccess &access) {
    result.alignments.push_back(
        access.strides.empty()
            ? 1
            : alignmentOfVectors(group, result.nest, access, schedule.vector,
                                 schedule.lanes));
  };
  llvm::for_each(result.nest.loads, align);
  llvm::for_each(result.nest.stores, align);
  for (unsigned loop = 0; loop < result.nest.program.loops.size(); ++loop)
    if (loop != schedule.vector)
      (result.nest.reduced(loop) ? result.reducedLoops : result.rowLoops)
          .push_back(loop);
  return result;
}

//===-- What is kept ------------------------------------------------------===//

bool tenon::gpu::hasFullResult(const LoopNest &nest) {
  return llvm::any_of(
      nest.program.results,
      [](const kernel::LoopResult &result) { return result.full; });
}

/// The first and last stages that need each node.
static SmallVector<std::pair<int64_t, int64_t>> uses(const LoopNest &nest) {
  int64_t last = nest.stages() + 1;
  SmallVector<std::pair<int64_t, int64_t>> uses(nest.program.nodes.size(),
                                                {last, 0});
  auto use = [&](unsigned node, int64_t stage) {
    uses[node].first = std::min(uses[node].first, stage);
    uses[node].second = std::max(uses[node].second, stage);
  };
  for (const kernel::LoopResult &result : nest.program.results)
    use(result.node, last);
  for (unsigned i = nest.program.nodes.size(); i-- > 0;) {
    const LoopNode &node = nest.program.nodes[i];
    bool isReduce = node.kind == LoopNode::Reduce;
    for (unsigned operand : node.operands)
      use(operand, isReduce ? node.stage : uses[i].first);
  }
  return uses;
}

int64_t tenon::gpu::keptWords(const LoopNest &nest) {
  auto needed = uses(nest);
  int64_t most = 0;
  for (int64_t stage = 1; stage <= nest.stages(); ++stage) {
    int64_t words = 0;
    for (auto [node, range] : llvm::zip(nest.program.nodes, needed))
      if (node.full && node.kind != LoopNode::Constant &&
          range.first <= stage && range.second > stage)
        words += llvm::divideCeil(
            graph::elementBytes(getElementTypeOrSelf(node.value.getType())), 4);
    most = std::max(most, words);
  }
  return most;
}

//===-- Launches ----------------------------------------------------------===//

/// A processor gets about four times its share.
double tenon::gpu::timeOf(kernel::GroupOp group, int64_t blocks,
                          const tile::GpuTarget &target) {
  constexpr double most = 4;
  double bytes = codegen::workOf(group).footprint();
  double busy =
      std::min(1.0, most * double(blocks) / double(target.processors));
  return tile::shortestKernel + bytes / (target.memoryBytes * busy);
}

StageInfo tenon::gpu::launchOf(const StageRequest &request, int64_t blocks,
                               int64_t threads, int64_t sharedBytes) {
  StageInfo kernel;
  kernel.tiles = blocks;
  MLIRContext *context = request.plan.getContext();
  kernel.launch = kernel::DeviceAttr::get(
      context, {1, 1}, threads, sharedBytes, /*cluster=*/1,
      /*cooperative=*/false,
      /*programmatic=*/targetOf(request.device).programmatic,
      ArrayAttr::get(context, {}));
  return kernel;
}
