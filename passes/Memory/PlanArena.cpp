//===- PlanArena.cpp - give every buffer its offset -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
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

namespace {
struct PlanArena : memory::impl::PlanArenaPassBase<PlanArena> {
  using PlanArenaPassBase::PlanArenaPassBase;

  void runOnOperation() override {
    for (func::FuncOp program : graph::programs(getOperation()))
      if (failed(plan(program)))
        return signalPassFailure();
  }

  LogicalResult plan(func::FuncOp main) {
    SmallVector<LiveBuffer> buffers = computeLiveness(main);
    llvm::Expected<mem::Problem> stated = problemOf(main, buffers);
    if (!stated)
      return main.emitError("launches do not wait for what they need: ")
             << llvm::toString(stated.takeError());
    mem::Problem problem = std::move(*stated);
    problem.overlays = possibleOverlays(main, buffers);
    if (llvm::Error error = problem.check())
      return main.emitError() << llvm::toString(std::move(error));
    mem::Outcome outcome = solveBoth(problem, work);
    mem::lowerQuietTimes(problem, outcome);
    const mem::Solution &solution = outcome.solution;
    if (llvm::Error error = mem::validate(problem, solution))
      return main.emitError("the memory plan is wrong: ")
             << llvm::toString(std::move(error));
    Builder b(&getContext());
    for (auto [buffer, offset] : llvm::zip(buffers, solution.offsets))
      buffer.alloc.setOffsetAttr(b.getI64IntegerAttr(offset));
    if (hasSymbols(main))
      writeOrder(buffers, problem, solution);
    MemoryDialect::ArenaBytesAttrHelper(&getContext())
        .setAttr(main, b.getI64IntegerAttr(solution.arenaBytes()));
    MemoryDialect::ArenaLowerBoundBytesAttrHelper(&getContext())
        .setAttr(main, b.getI64IntegerAttr(outcome.lowerBound()));
    MemoryDialect::ArenaSolverAttrHelper(&getContext())
        .setAttr(main, b.getStringAttr(outcome.solver));
    numBuffers += buffers.size();
    numInPlace += problem.overlays.size();
    arenaBytes += solution.arenaBytes();
    return success();
  }
};
} // namespace
