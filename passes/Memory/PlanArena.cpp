//===- PlanArena.cpp - give every buffer its offset -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/Memory/PlanArena.h"
#include "passes/Memory/ArenaOrder.h"
#include "passes/Memory/LaunchProgram.h"
#include "passes/Memory/Overlays.h"
#include "passes/Memory/Passes.h"

#include "dialects/Graph/Programs.h"
#include "lib/Memory/Levels.h"

namespace tenon::memory {
#define GEN_PASS_DEF_PLANARENAPASS
#include "passes/Memory/Passes.h.inc"
} // namespace tenon::memory

using namespace mlir;
using namespace tenon;
using namespace tenon::memory;

/// Less than a line above the lower bound no search is worth its time.
static mem::Outcome solve(const mem::Problem &problem, int64_t work) {
  mem::Options options;
  options.work = work;
  options.capacity = int64_t(llvm::alignTo(mem::lowerBound(problem), 64));
  return mem::solve(problem, options);
}

/// The smaller of the plans with and without overlays. Of equal ones the first:
/// what is overwritten is in a cache. `problem` becomes the one that is solved.
static mem::Outcome solveBoth(mem::Problem &problem, int64_t work) {
  mem::Problem apart = problem;
  apart.overlays.clear();
  bool shares = !problem.overlays.empty();
  mem::Outcome best = solve(problem, shares ? work - work / 2 : work);
  if (!shares || best.solution.arenaBytes() <= mem::lowerBound(apart))
    return best;
  mem::Outcome other = solve(apart, work - best.work);
  if (best.solution.arenaBytes() <= other.solution.arenaBytes())
    return best;
  problem = std::move(apart);
  return other;
}

/// The plan that all allocations have already, without an arena, if it is one:
/// a schedule of streams waits for what its bytes were used by.
static std::optional<mem::Solution> givenPlan(ArrayRef<LiveBuffer> buffers) {
  mem::Solution given;
  int64_t end = 0;
  for (LiveBuffer buffer : buffers) {
    if (!buffer.alloc.getOffset())
      return std::nullopt;
    given.offsets.push_back(int64_t(*buffer.alloc.getOffset()));
    end = std::max(end, given.offsets.back() + buffer.bytes);
  }
  given.arenas = {end};
  return given;
}

/// Takes the given plan where it is smaller than what was found.
static void takeGiven(func::FuncOp main, std::optional<mem::Solution> &&given,
                      ArenaPlan &plan) {
  if (!given || given->arenaBytes() >= plan.bytes())
    return;
  mem::Problem problem = plan.problem;
  problem.overlays = plannedProblem(main, plan.buffers, *given).overlays;
  if (llvm::Error error = mem::validate(problem, *given))
    return llvm::consumeError(std::move(error));
  plan.outcome.lowerBounds = {mem::lowerBound(problem)};
  plan.problem = std::move(problem);
  plan.outcome.solution = std::move(*given);
  plan.outcome.solver = "schedule";
}

FailureOr<ArenaPlan> memory::planArena(func::FuncOp main, int64_t work) {
  ArenaPlan plan{computeLiveness(main), {}, {}};
  llvm::Expected<mem::Problem> stated = problemOf(main, plan.buffers);
  if (!stated)
    return main.emitError("launches do not wait for what they need: ")
           << llvm::toString(stated.takeError());
  plan.problem = std::move(*stated);
  plan.problem.overlays = possibleOverlays(main, plan.buffers);
  if (llvm::Error error = plan.problem.check())
    return main.emitError() << llvm::toString(std::move(error));
  // What streams wait for leaves little to find.
  std::optional<mem::Solution> given = givenPlan(plan.buffers);
  plan.outcome = solveBoth(plan.problem, given ? work / 4 : work);
  takeGiven(main, std::move(given), plan);
  mem::lowerQuietTimes(plan.problem, plan.outcome);
  if (llvm::Error error = mem::validate(plan.problem, plan.outcome.solution))
    return main.emitError("the memory plan is wrong: ")
           << llvm::toString(std::move(error));
  return plan;
}

namespace {
struct PlanArena : memory::impl::PlanArenaPassBase<PlanArena> {
  using PlanArenaPassBase::PlanArenaPassBase;

  void runOnOperation() override {
    for (func::FuncOp program : graph::programs(getOperation()))
      if (failed(write(program)))
        return signalPassFailure();
  }

  LogicalResult write(func::FuncOp main) {
    FailureOr<ArenaPlan> plan = planArena(main, work);
    if (failed(plan))
      return failure();
    const mem::Solution &solution = plan->outcome.solution;
    Builder b(&getContext());
    for (auto [buffer, offset] : llvm::zip(plan->buffers, solution.offsets))
      buffer.alloc.setOffsetAttr(b.getI64IntegerAttr(offset));
    if (hasSymbols(main))
      writeOrder(plan->buffers, plan->problem, solution);
    MemoryDialect::ArenaBytesAttrHelper(&getContext())
        .setAttr(main, b.getI64IntegerAttr(solution.arenaBytes()));
    MemoryDialect::ArenaLowerBoundBytesAttrHelper(&getContext())
        .setAttr(main, b.getI64IntegerAttr(plan->outcome.lowerBound()));
    MemoryDialect::ArenaSolverAttrHelper(&getContext())
        .setAttr(main, b.getStringAttr(plan->outcome.solver));
    numBuffers += plan->buffers.size();
    numInPlace += plan->problem.overlays.size();
    arenaBytes += solution.arenaBytes();
    return success();
  }
};
} // namespace
