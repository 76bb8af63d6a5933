//===- Plan.cpp - what threads that run CPU kernels take ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dialects/Graph/Graph.h"
#include "dialects/Graph/Roles.h"
#include "passes/Codegen/Backends.h"
#include "passes/Codegen/Groups/RecurrenceShape.h"
#include "passes/Codegen/Groups/SizedGroup.h"
#include "passes/Codegen/Groups/WindowGeometry.h"
#include "passes/Codegen/Groups/Work.h"
#include "passes/Codegen/PlanAttribute.h"
#include "passes/Codegen/Planning.h"
#include "passes/CodegenGpu/Threads/Threads.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::gpu;
using codegen::Size;

static int64_t elementsOf(Type type) {
  return std::max<int64_t>(1, cast<RankedTensorType>(type).getNumElements());
}

/// What is reduced to one element, a thread computes alone.
static int64_t resultElements(kernel::GroupOp group) {
  int64_t most = 1;
  for (Type type : group.getResultTypes())
    most = std::max(most, elementsOf(type));
  group.walk([&](Operation *op) {
    if (isa<graph::ReduceSumOp, graph::ReduceMeanOp, graph::ReduceMaxOp,
            graph::ReduceMinOp, graph::ReduceProdOp>(op))
      most = std::min(most, elementsOf(op->getResult(0).getType()));
  });
  return most;
}

/// Microseconds of a thread for an operation that waits for the one before.
static constexpr double serial = 0.004;

/// Steps of a recurrence follow each other: in the thread that has a sequence,
/// or in launches whose threads have a panel of units each.
static double timeOfSteps(kernel::GroupOp sized, kernel::PlanAttr attribute,
                          const tile::GpuTarget &target) {
  auto op = dyn_cast<graph::RecurrenceOp>(&sized.getBlock().front());
  if (!op)
    return 0;
  codegen::RecurrenceShape shape(op);
  auto plan = codegen::fromAttribute<tile::RecurrencePlan>(attribute);
  auto steps = double(shape.steps.fixed());
  double unit = serial * double(shape.gates * shape.hidden);
  if (!plan.split)
    return steps * unit * double(plan.rows * shape.hidden);
  double panel = unit * double(plan.panel() * shape.batch.fixed());
  return steps * double(shape.phases) * (target.launchTime + panel);
}

double tenon::gpu::elementsInTurn(kernel::GroupOp group,
                                  kernel::PlanAttr plan) {
  const Strategy *strategy = codegen::Backends::of(group.getContext())
                                 .findStrategy(plan.getStrategy());
  bool knows = strategy && strategy->tileElements && group->getNumResults();
  return knows ? strategy->tileElements(group, plan) : 1;
}

/// A thread waits for each row of a window's taps. Zeros around an input are
/// another launch, and often a copy.
static double timeOfWindow(kernel::GroupOp sized,
                           const codegen::StagePlan &plan,
                           const tile::GpuTarget &target) {
  constexpr double latency = 0.3;
  Operation *anchor = sized.getAnchor();
  if (!isa_and_nonnull<graph::ConvOp, graph::MaxPoolOp, graph::AvgPoolOp>(
          anchor) ||
      graph::roleOf(anchor) != graph::Role::Window)
    return 0;
  FailureOr<codegen::WindowGeometry> geometry = codegen::windowGeometry(anchor);
  if (failed(geometry))
    return 0;
  double rows = 1;
  for (int64_t taps : ArrayRef(geometry->kernel).drop_back())
    rows *= double(taps);
  auto hasZeros = [](const codegen::StagePlan::Halo &halo) {
    auto isSome = [](int64_t count) { return count > 0; };
    return llvm::any_of(halo.low, isSome) || llvm::any_of(halo.high, isSome);
  };
  auto halos = double(llvm::count_if(plan.halos, hasZeros));
  return latency * (rows + 1) + halos * target.launchTime;
}

double tenon::gpu::timeInTurn(const cost::StageWork &work, double part) {
  constexpr double operation = 0.001, access = 0.0085, function = 20;
  double operations = work.fma + work.plain + function * work.transcendental;
  return part * (operation * operations + access * work.accesses);
}

double tenon::gpu::timeOfAll(const cost::StageWork &work,
                             const tile::GpuTarget &target) {
  constexpr double traffic = 2, waiting = 8, function = 20;
  double operations =
      2 * work.fma + work.plain + function * work.transcendental;
  return std::max(traffic * work.footprint() / target.memoryBytes,
                  waiting * operations / target.flops);
}

/// What all threads take, or what one has to do.
static double timeOf(kernel::GroupOp sized, kernel::PlanAttr plan,
                     const tile::GpuTarget &target) {
  cost::StageWork work = codegen::workOf(sized);
  double part = std::min(1.0, elementsInTurn(sized, plan) /
                                  double(resultElements(sized)));
  // Others begin while those before them end.
  double start = target.programmatic ? target.launchTime : 0;
  return tile::shortestKernel + start +
         std::max(timeOfAll(work, target), timeInTurn(work, part));
}

FailureOr<StageChoice> tenon::gpu::planThreads(kernel::GroupOp group,
                                               const GpuDevice &device) {
  const tile::GpuTarget &target = device.target();
  FailureOr<codegen::StagePlan> plan =
      codegen::planStage(group, device.threads(), device.thread());
  if (failed(plan))
    return failure();
  codegen::SizedGroup sized(group);
  if (group->getNumResults() && codegen::hasSymbols(group) && !plan->each)
    codegen::widenHalos(group, *plan);
  double time = std::max(timeOf(sized.get(), plan->plan, target) +
                             timeOfWindow(sized.get(), *plan, target),
                         timeOfSteps(sized.get(), plan->plan, target));
  return StageChoice{std::move(*plan), Time::ofMicroseconds(time)};
}

//===-- Grids -------------------------------------------------------------===//

int64_t tenon::gpu::blockThreads(const Size &tiles,
                                 const tile::GpuTarget &target,
                                 ModuleOp module) {
  int64_t count = graph::TypicalSizes::in(module).of(tiles);
  constexpr int64_t most = 128;
  int64_t threads = most;
  while (threads > tile::warpLanes && count < threads * target.processors)
    threads /= 2;
  return threads;
}

int64_t tenon::gpu::tilesPerThread(const Size &tiles, int64_t scratch,
                                   ModuleOp module) {
  constexpr int64_t mostScratch = 64 << 20;
  if (scratch == 0)
    return 1;
  int64_t most = std::max<int64_t>(1, mostScratch / scratch);
  return llvm::divideCeil(
      std::max<int64_t>(1, graph::TypicalSizes::in(module).of(tiles)), most);
}
