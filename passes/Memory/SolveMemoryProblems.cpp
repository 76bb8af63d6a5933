//===- SolveMemoryProblems.cpp - solve problems that are IR ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dialects/Memory/Problem.h"
#include "lib/Memory/Solve.h"
#include "passes/Memory/Passes.h"

namespace tenon::memory {
#define GEN_PASS_DEF_SOLVEMEMORYPROBLEMSPASS
#include "passes/Memory/Passes.h.inc"
} // namespace tenon::memory

using namespace mlir;
using namespace tenon;
using namespace tenon::memory;

static void writePlan(ProblemOp op, const mem::Outcome &outcome) {
  Builder b(op.getContext());
  for (auto [storage, offset] :
       llvm::zip(op.getOps<StorageOp>(), outcome.solution.offsets))
    storage.setOffsetAttr(b.getI64IntegerAttr(offset));
  op.setArenaBytes(outcome.solution.arenas);
  op.setLowerBoundBytes(outcome.lowerBounds);
  op.setSolver(outcome.solver);
  op.setOptimal(outcome.optimal);
}

namespace {
struct SolveMemoryProblems
    : memory::impl::SolveMemoryProblemsPassBase<SolveMemoryProblems> {
  using SolveMemoryProblemsPassBase::SolveMemoryProblemsPassBase;

  void runOnOperation() override {
    for (auto problem : getOperation().getOps<ProblemOp>())
      if (failed(solve(problem)))
        return signalPassFailure();
  }

  LogicalResult solve(ProblemOp op) {
    if (!solver.empty() && !mem::isSolver(solver))
      return op.emitError() << "unknown solver '" << solver << "'";
    FailureOr<mem::Problem> problem = problemOf(op);
    if (failed(problem))
      return failure();
    mem::Options options;
    options.work = work;
    options.capacity = capacity;
    options.solver = solver;
    mem::Outcome outcome = mem::solve(*problem, options);
    if (llvm::Error error = mem::validate(*problem, outcome.solution))
      return op.emitError("the memory plan is wrong: ")
             << llvm::toString(std::move(error));
    writePlan(op, outcome);
    ++numProblems;
    numOptimal += outcome.optimal;
    return success();
  }
};
} // namespace
