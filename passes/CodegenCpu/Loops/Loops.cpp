//===- Loops.cpp - the strategy of loop nests -----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/Codegen/Bodies/Overwrite.h"
#include "passes/CodegenCpu/Loops/Kernel.h"
#include "passes/CodegenCpu/Loops/Plan.h"
#include "passes/CodegenCpu/Move/Ops.h"
#include "passes/CodegenCpu/Strategies.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::codegen;

SmallVector<memory::BufferType> codegen::denseBuffers(kernel::GroupOp group) {
  SmallVector<memory::BufferType> buffers;
  for (Value value : group.getOperands_())
    buffers.push_back(
        memory::BufferType::getDense(cast<RankedTensorType>(value.getType())));
  for (Value value : group.getResults_())
    buffers.push_back(
        memory::BufferType::getDense(cast<RankedTensorType>(value.getType())));
  return buffers;
}

int64_t codegen::originalLoop(const LoopNest &nest, unsigned loop) {
  int64_t result = 0;
  for (auto [original, merged] : llvm::enumerate(nest.origin))
    if (merged == loop)
      result = original;
  return result;
}

unsigned codegen::currentLoop(const LoopNest &nest, int64_t original) {
  return nest.origin.empty() ? 0 : nest.origin[original];
}

/// What is made around nothing is one nest, or an error says why it is none.
static bool matchesLoops(kernel::GroupOp group) { return isNest(group); }

static PlannedChoices planLoops(const PlanRequest &request) {
  kernel::GroupOp group = request.group;
  const tile::Target &target = request.target;
  FailureOr<LoopNest> nest = makeNest(group, denseBuffers(group));
  if (failed(nest))
    return failure();
  LoopSchedule schedule = scheduleNest(*nest, target);
  if (llvm::Error error = validate(*nest, schedule, target)) {
    group.emitOpError() << llvm::toString(std::move(error));
    return failure();
  }
  Builder b(group.getContext());
  SmallVector<NamedAttribute> params = {
      b.getNamedAttr("vector",
                     b.getI64IntegerAttr(originalLoop(*nest, schedule.vector))),
      b.getNamedAttr("lanes", b.getI64IntegerAttr(schedule.lanes)),
      b.getNamedAttr("unroll", b.getI64IntegerAttr(schedule.unroll)),
      b.getNamedAttr("rows", b.getI64IntegerAttr(schedule.rows)),
      b.getNamedAttr("chunk", b.getI64IntegerAttr(schedule.chunk))};
  if (schedule.jam > 1)
    params.push_back(b.getNamedAttr("jam", b.getI64IntegerAttr(schedule.jam)));
  if (schedule.overlap)
    params.push_back(b.getNamedAttr("overlap", b.getI64IntegerAttr(1)));
  if (schedule.rowsAhead > 0)
    params.push_back(
        b.getNamedAttr("ahead", b.getI64IntegerAttr(schedule.rowsAhead)));
  if (schedule.samples > 0)
    params.push_back(
        b.getNamedAttr("samples", b.getI64IntegerAttr(schedule.samples)));
  if (schedule.online)
    params.push_back(b.getNamedAttr("online", b.getI64IntegerAttr(1)));
  if (schedule.transposed)
    params.push_back(b.getNamedAttr(
        "transposed",
        b.getI64IntegerAttr(originalLoop(*nest, *schedule.transposed))));
  if (schedule.interleaved)
    params.push_back(b.getNamedAttr(
        "interleaved",
        b.getI64IntegerAttr(originalLoop(*nest, *schedule.interleaved))));
  if (schedule.stream)
    params.push_back(b.getNamedAttr("stream", b.getI64IntegerAttr(1)));
  StagePlan result;
  result.plan = kernel::PlanAttr::get(group.getContext(), loopsStrategy.name,
                                      b.getDictionaryAttr(params));
  return theOnlyChoice(std::move(result), request);
}

/// A loop that a plan names; one past the last if there is none of that number.
static unsigned loopOf(const LoopNest &nest, int64_t original) {
  if (uint64_t(original) < nest.origin.size() || original == 0)
    return currentLoop(nest, original);
  return nest.program.loops.size();
}

/// What a plan says of a nest without symbols, but for tiles.
static LoopSchedule readChoices(const LoopNest &nest, kernel::PlanAttr plan) {
  LoopSchedule schedule;
  schedule.vector = loopOf(nest, plan.getInt("vector"));
  schedule.lanes = plan.getInt("lanes", 1);
  schedule.unroll = plan.getInt("unroll", 1);
  schedule.jam = plan.getInt("jam", 1);
  schedule.overlap = plan.getInt("overlap", 0) != 0;
  schedule.rowsAhead = plan.getInt("ahead", 0);
  schedule.samples = plan.getInt("samples", 0);
  schedule.online = plan.getInt("online", 0) != 0;
  if (plan.getParams().contains("transposed"))
    schedule.transposed = loopOf(nest, plan.getInt("transposed"));
  if (plan.getParams().contains("interleaved"))
    schedule.interleaved = loopOf(nest, plan.getInt("interleaved"));
  return schedule;
}

/// Plans are made for dense buffers. Loops may have merged otherwise, and
/// operands and results may lie otherwise than planned.
static LoopSchedule readSchedule(const LoopNest &nest, kernel::PlanAttr plan,
                                 const tile::Target &target) {
  LoopSchedule schedule = readChoices(nest, plan);
  schedule.lanes = std::clamp<int64_t>(
      llvm::PowerOf2Ceil(nest.extent(schedule.vector).fixed()), 1,
      schedule.lanes);
  if (schedule.samples > 0)
    schedule.samples = samplesOf(nest, schedule);
  if (schedule.transposed &&
      !canTranspose(nest, schedule.vector, *schedule.transposed))
    schedule.transposed.reset();
  if (schedule.interleaved &&
      !canInterleave(nest, schedule.vector, *schedule.interleaved))
    schedule.interleaved.reset();
  divideIntoTiles(nest, nest, target, schedule);
  schedule.stream = plan.getInt("stream", 0) != 0 && target.hasStreams() &&
                    canStream(nest, schedule);
  return schedule;
}

/// Fails with a diagnostic where somebody wrote a plan for something else.
static LogicalResult checkPlan(kernel::GroupOp group, kernel::PlanAttr plan,
                               const tile::Target &target) {
  FailureOr<LoopNest> nest = makeNest(group, denseBuffers(group));
  if (failed(nest))
    return failure();
  if (llvm::Error error =
          validateChoices(*nest, readChoices(*nest, plan), target))
    return group.emitOpError() << llvm::toString(std::move(error));
  return success();
}

/// With symbols, the loops are not those of the instance that was planned, and
/// the schedule is found again.
static FailureOr<LoopSchedule> scheduleOf(const LoopNest &nest,
                                          const StageRequest &request) {
  kernel::GroupOp group = request.group;
  const tile::Target &target = request.target();
  LoopSchedule schedule;
  if (nest.isFixed()) {
    if (failed(checkPlan(group, request.plan, target)))
      return failure();
    schedule = readSchedule(nest, request.plan, target);
  } else {
    schedule =
        scheduleAnySizes(nest, group->getParentOfType<ModuleOp>(), target);
  }
  if (llvm::Error error = validate(nest, schedule, target))
    return group.emitOpError() << llvm::toString(std::move(error));
  return schedule;
}

static FailureOr<StageInfo> emitLoops(const StageRequest &request) {
  SmallVector<memory::BufferType> buffers(request.operands);
  buffers.append(request.results.begin(), request.results.end());
  FailureOr<LoopNest> nest = makeNest(request.group, buffers);
  if (failed(nest))
    return failure();
  FailureOr<LoopSchedule> schedule = scheduleOf(*nest, request);
  if (failed(schedule) ||
      failed(LoopsKernel(request.b, *nest, *schedule).run()))
    return failure();
  return StageInfo{schedule->tiles(), overwritesOf(*nest, *schedule)};
}

/// Each access has its own strides.
static bool canAddressLoops(kernel::GroupOp, unsigned, memory::BufferType) {
  return true;
}

static bool takeSymbols(kernel::GroupOp group) {
  if (!isNest(group))
    return false;
  SmallVector<Operation *> ops;
  for (Operation &op : group.getBlock().without_terminator())
    ops.push_back(&op);
  std::string why;
  return succeeded(kernel::analyzeLoops(
      ops, group.getBlock().getTerminator()->getOperands(), why));
}

const Strategy codegen::loopsStrategy{.name = "loops",
                                      .matches = matchesLoops,
                                      .plan = planLoops,
                                      .emit = emitLoops,
                                      .canAddress = canAddressLoops,
                                      .takesSymbols = takeSymbols};
