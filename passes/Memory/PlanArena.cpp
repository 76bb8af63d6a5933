//===- PlanArena.cpp - give every buffer its offset -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/Memory/Liveness.h"
#include "passes/Memory/Passes.h"

#include "lib/Memory/Solve.h"

namespace tenon::memory {
#define GEN_PASS_DEF_PLANARENAPASS
#include "passes/Memory/Passes.h.inc"
} // namespace tenon::memory

using namespace mlir;
using namespace tenon;
using namespace tenon::memory;

namespace {
struct PlanArena : memory::impl::PlanArenaPassBase<PlanArena> {
  using PlanArenaPassBase::PlanArenaPassBase;

  void runOnOperation() override {
    auto main = getOperation().lookupSymbol<func::FuncOp>("main");
    if (main && failed(plan(main)))
      signalPassFailure();
  }

  LogicalResult plan(func::FuncOp main) {
    SmallVector<LiveBuffer> buffers = computeLiveness(main);
    mem::Problem problem = problemOf(buffers);
    if (llvm::Error error = problem.check())
      return main.emitError() << llvm::toString(std::move(error));
    mem::Options options;
    options.work = work;
    mem::Outcome outcome = mem::solve(problem, options);
    const mem::Solution &solution = outcome.solution;
    if (llvm::Error error = mem::validate(problem, solution))
      return main.emitError("the memory plan is wrong: ")
             << llvm::toString(std::move(error));
    Builder b(&getContext());
    for (auto [buffer, offset] : llvm::zip(buffers, solution.offsets))
      buffer.alloc.setOffsetAttr(b.getI64IntegerAttr(offset));
    main->setAttr(arenaAttr, b.getI64IntegerAttr(solution.arenaBytes()));
    main->setAttr(boundAttr, b.getI64IntegerAttr(outcome.lowerBound));
    main->setAttr(solverAttr, b.getStringAttr(outcome.solver));
    numBuffers += buffers.size();
    arenaBytes += solution.arenaBytes();
    return success();
  }
};
} // namespace
