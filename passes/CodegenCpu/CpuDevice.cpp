//===- CpuDevice.cpp - a CPU, as fusion sees it ---------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/CodegenCpu/CpuDevice.h"

#include "dialects/Graph/Graph.h"
#include "passes/Codegen/Groups/Work.h"
#include "passes/Codegen/Planning.h"
#include "passes/Codegen/Stages/StageGroup.h"
#include "passes/Codegen/Stages/Stages.h"
#include "passes/CodegenCpu/Strategies.h"

#include "mlir/IR/Diagnostics.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::codegen;

/// What strategies without a model of their own estimate holds the traffic,
/// which is not to be counted twice.
static double cyclesWithoutTraffic(kernel::GroupOp group,
                                   const tile::Target &target) {
  cost::StageWork work = workOf(group);
  work.bytesRead = work.bytesWritten = work.bytesAgain = 0;
  work.tiles = 0;
  return cost::estimate(work, target).cycles;
}

/// Instructions for each vector of a square that is transposed in registers.
static constexpr double squareInstructions = 5;

/// Elements beside each other that a transpose reads; none where its results
/// lie the same way.
static std::optional<int64_t> runRead(graph::TransposeOp op) {
  auto from = cast<RankedTensorType>(op.getInput().getType());
  auto to = cast<RankedTensorType>(op.getResult().getType());
  auto last = [](RankedTensorType type) {
    int64_t dim = type.getRank() - 1;
    while (dim > 0 && type.getDimSize(dim) == 1)
      --dim;
    return dim;
  };
  if (from.getRank() == 0 || op.getPermutation()[last(to)] == last(from))
    return std::nullopt;
  return std::max<int64_t>(1, from.getDimSize(last(from)));
}

/// What transposing takes: squares that have fewer rows than lanes are no
/// cheaper.
static double squareCycles(kernel::GroupOp group, const tile::Target &target) {
  double cycles = 0;
  for (auto op : group.getBlock().getOps<graph::TransposeOp>()) {
    std::optional<int64_t> run = runRead(op);
    if (!run)
      continue;
    auto type = cast<RankedTensorType>(op.getResult().getType());
    int64_t lanes = target.lanes(graph::elementBytes(type.getElementType()));
    cycles += squareInstructions * double(type.getNumElements()) /
              double(std::min(*run, lanes));
  }
  return cycles;
}

/// Whether strategies have models of their own for it.
static bool isProduct(Operation *anchor) {
  return isa_and_nonnull<graph::MatmulOp, graph::ConvOp>(anchor);
}

/// Strategies count products alone.
static double epilogueCycles(kernel::GroupOp group,
                             const tile::Target &target) {
  cost::StageWork work = workOf(group);
  cost::StageWork rest;
  rest.elementBytes = work.elementBytes;
  rest.lanes = work.lanes;
  if (work.fma > 0)
    rest.plain = work.plain;
  rest.transcendental = work.transcendental;
  rest.tiles = 0;
  return cost::estimate(rest, target).cycles;
}

ArrayRef<const Strategy *> CpuDevice::strategies() const {
  return cpuStrategies();
}

LogicalResult CpuDevice::enter(Contest &contest) const {
  return enterStrategies(contest, *this, row, arithmetic);
}

//===-- Kernels of stages -------------------------------------------------===//

std::optional<StagePlan> CpuDevice::planOf(kernel::GroupOp group,
                                           const Arithmetic &allowed) const {
  ScopedDiagnosticHandler silent(group.getContext(),
                                 [](Diagnostic &) { return success(); });
  FailureOr<StagePlan> plan = planStage(group, *this, row, allowed);
  if (failed(plan))
    return std::nullopt;
  return std::move(*plan);
}

Time CpuDevice::timeOf(kernel::GroupOp group, const StagePlan &plan) const {
  if (!isProduct(group.getAnchor()))
    return row.timeOf(cyclesWithoutTraffic(group, row) +
                      squareCycles(group, row));
  return plan.time + row.timeOf(epilogueCycles(group, row));
}

std::optional<int64_t> CpuDevice::scratchOf(kernel::GroupOp group) const {
  if (std::optional<StagePlan> plan = planOf(group, arithmetic))
    return plan->threadScratch;
  return std::nullopt;
}

std::optional<Time> CpuDevice::timeAlone(kernel::GroupOp group) const {
  if (std::optional<StagePlan> plan = planOf(group, arithmetic))
    return timeOf(group, *plan);
  return std::nullopt;
}

/// Plain arithmetic, as where stages are planned (Stages/Plan.cpp).
std::optional<Time> CpuDevice::leastTime(kernel::GroupOp group) const {
  if (std::optional<StagePlan> plan = planOf(group, {}))
    return timeOf(group, *plan);
  return std::nullopt;
}

std::optional<BoxCost>
CpuDevice::costOnBox(kernel::StageOp stage,
                     const kernel::StageFootprint &boxes) const {
  StageGroup group(stage, boxes);
  std::optional<StagePlan> plan = planOf(group.get(), {});
  if (!plan)
    return std::nullopt;
  return BoxCost{timeOf(group.get(), *plan), scratchInTile(*plan)};
}

/// All that may lie where an operand did does so: which stages cannot, their
/// code shows later.
int64_t CpuDevice::localBytes(kernel::GroupOp group,
                              ArrayRef<kernel::StageFootprint> boxes) const {
  TileGrid grid(group, boxes);
  auto locals = localBuffers(group, grid, mayOverwrite(group, grid));
  return succeeded(locals) ? locals->size : row.l2Bytes;
}
