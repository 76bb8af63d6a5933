//===- Verify.cpp - every buffer has its place ----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/Memory/ArenaOrder.h"
#include "passes/Memory/LaunchProgram.h"
#include "passes/Memory/Overlays.h"
#include "passes/Memory/Passes.h"
#include "passes/Memory/Updates.h"

#include "dialects/Graph/Programs.h"

namespace tenon::memory {
#define GEN_PASS_DEF_VERIFYMEMORYPASS
#include "passes/Memory/Passes.h.inc"
} // namespace tenon::memory

using namespace mlir;
using namespace tenon;
using namespace tenon::memory;

/// The same once more, from the launches themselves: which of them may run
/// before which is their transitive closure, without lifetimes.
static llvm::Error proveByLaunches(func::FuncOp main,
                                   const mem::Problem &problem,
                                   const mem::Solution &solution) {
  llvm::StringMap<int64_t> offsets;
  for (auto [buffer, offset] : llvm::zip(problem.buffers, solution.offsets))
    offsets[buffer.id] = offset;
  mem::Program program = programOf(main);
  if (llvm::Error error = program.check())
    return error;
  mem::Solution placed = {{}, solution.arenas};
  for (const mem::Tensor &tensor : program.tensors)
    placed.offsets.push_back(offsets.lookup(tensor.id));
  return mem::validateProgram(program, placed);
}

/// What lives at the same time shares no byte, unless a launch allows it.
static LogicalResult verifyApart(func::FuncOp main) {
  SmallVector<LiveBuffer> buffers = computeLiveness(main);
  mem::Solution solution = solutionOf(main, buffers);
  if (hasStreams(main) && hasSymbols(main))
    return main.emitOpError("has several streams, and sizes that depend on "
                            "symbols");
  llvm::Expected<mem::Problem> stated = problemOf(main, buffers);
  if (!stated)
    return main.emitOpError(
               "has launches that do not wait for what they need: ")
           << llvm::toString(stated.takeError());
  mem::Problem problem = std::move(*stated);
  problem.overlays = plannedProblem(main, buffers, solution).overlays;
  llvm::Error error = problem.check();
  if (!error)
    error = mem::validate(problem, solution);
  if (!error)
    error = proveByLaunches(main, problem, solution);
  if (!error && hasSymbols(main))
    return verifyOrder(main, buffers, problem);
  if (error)
    return main.emitOpError("has a wrong plan: ")
           << llvm::toString(std::move(error));
  return success();
}

/// No old value is read once it may be gone, and nothing fails from then on.
static LogicalResult verifyUpdates(func::FuncOp main) {
  for (const graph::State &state : graph::statesOf(main))
    if (state.isUpdated &&
        (!runsInOrder(main) || !usesOf(main, state).canUpdate()))
      return main.emitOpError("overwrites the state '")
             << state.input.getValue()
             << "', which is read or may have to stay after that";
  return success();
}

static LogicalResult verifyProgram(func::FuncOp main) {
  MemoryDialect::ArenaBytesAttrHelper bytesOf(main.getContext());
  IntegerAttr arena = bytesOf.getAttr(main);
  if (!arena)
    return main.emitOpError("has no '") << bytesOf.getNameStr() << "'";
  for (auto launch : main.getOps<kernel::LaunchOp>())
    if (launch.getWave() && launch.getDeviceAttr())
      return launch.emitOpError("is in a wave that is not one kernel");
  for (auto alloc : main.getOps<AllocOp>()) {
    if (!alloc.getOffset())
      return alloc.emitOpError("has no offset");
  }
  for (const LiveBuffer &buffer : computeLiveness(main)) {
    AllocOp alloc = buffer.alloc;
    int64_t offset = *alloc.getOffset();
    if (offset < 0 || offset + buffer.bytes > arena.getInt())
      return alloc.emitOpError("is outside the arena");
  }
  if (failed(verifyUpdates(main)))
    return failure();
  return verifyApart(main);
}

namespace {
struct VerifyMemory : memory::impl::VerifyMemoryPassBase<VerifyMemory> {
  void runOnOperation() override {
    for (func::FuncOp program : graph::programs(getOperation()))
      if (failed(verifyProgram(program)))
        return signalPassFailure();
  }
};
} // namespace
