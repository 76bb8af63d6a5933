//===- CheckStates.cpp - refuse outputs that are no inputs ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/Fuse/Passes.h"

#include "dialects/Graph/GraphSteps.h"
#include "dialects/Graph/Programs.h"
#include "dialects/Graph/States.h"
#include "dialects/Graph/Symbols.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tenon::fuse {
#define GEN_PASS_DEF_CHECKSTATESPASS
#include "passes/Fuse/Passes.h.inc"
} // namespace tenon::fuse

using namespace mlir;
using namespace tenon;

static InFlightDiagnostic refuse(func::FuncOp program,
                                 const graph::State &state) {
  return emitError(graph::modelLoc(program))
         << "state '" << state.input.getValue() << "': ";
}

/// Numbers only: what symbols are, each run checks.
static LogicalResult checkTypes(func::FuncOp program, const graph::State &state,
                                RankedTensorType input,
                                RankedTensorType output) {
  StringRef name = state.output.getValue();
  if (input.getElementType() != output.getElementType())
    return refuse(program, state)
           << "the input has element type " << input.getElementType()
           << ", but the output '" << name << "' " << output.getElementType();
  if (input.getRank() != output.getRank())
    return refuse(program, state)
           << "the input has rank " << input.getRank() << ", but the output '"
           << name << "' " << output.getRank();
  for (int64_t i = 0; i < input.getRank(); ++i)
    if (!input.isDynamicDim(i) && !output.isDynamicDim(i) &&
        input.getDimSize(i) != output.getDimSize(i))
      return refuse(program, state)
             << "dimension " << i << " is " << input.getDimSize(i)
             << " in the input, but " << output.getDimSize(i)
             << " in the output '" << name << "'";
  return success();
}

static LogicalResult check(func::FuncOp program, const graph::State &state) {
  auto input = graph::findInput(program, state.input.getValue());
  if (!input)
    return refuse(program, state) << "the program has no such input";
  if (!state.output)
    return success();
  auto output = graph::findOutput(program, state.output.getValue());
  if (!output)
    return refuse(program, state)
           << "the program has no output '" << state.output.getValue() << "'";
  auto type = [](Type type) { return dyn_cast<RankedTensorType>(type); };
  return checkTypes(program, state, type(program.getArgumentTypes()[*input]),
                    type(program.getResultTypes()[*output]));
}

namespace {
struct CheckStates : fuse::impl::CheckStatesPassBase<CheckStates> {
  void runOnOperation() override {
    SmallVector<func::FuncOp> programs = graph::programs(getOperation());
    // Bodies of loops are part of the program that has the states.
    llvm::erase_if(programs, graph::isStepsBody);
    auto states = graph::statesOf(getOperation());
    auto isAnyones = [](const graph::State &state) { return !state.program; };
    if (programs.size() > 1 && llvm::any_of(states, isAnyones)) {
      emitError(getOperation().getLoc(),
                "a model of several programs, as control flow makes them, has "
                "no states");
      return signalPassFailure();
    }
    for (func::FuncOp program : programs)
      for (const graph::State &state : graph::statesOf(program)) {
        if (failed(check(program, state)))
          return signalPassFailure();
        ++numStates;
      }
  }
};
} // namespace
