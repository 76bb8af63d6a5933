//===- AppendGradients.cpp - gradients beside results ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/Differentiate/Build.h"
#include "passes/Differentiate/Gradient.h"
#include "passes/Differentiate/Passes.h"

#include "dialects/Graph/GraphSteps.h"
#include "dialects/Graph/Programs.h"

namespace tenon::differentiate {
#define GEN_PASS_DEF_APPENDGRADIENTSPASS
#include "passes/Differentiate/Passes.h.inc"
} // namespace tenon::differentiate

using namespace mlir;
using namespace tenon;
using namespace tenon::differentiate;

static bool hasGradient(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type && type.hasStaticShape() && isa<FloatType>(type.getElementType());
}

/// The arguments of these numbers; of floating-point numbers, if there are
/// none. Fails with an error.
static FailureOr<SmallVector<Value>> argumentsOf(func::FuncOp program,
                                                 ArrayRef<unsigned> numbers) {
  SmallVector<Value> arguments;
  for (unsigned number : numbers) {
    if (number >= program.getNumArguments())
      return program.emitError("has no argument ") << number;
    arguments.push_back(program.getArgument(number));
  }
  if (numbers.empty())
    llvm::copy_if(program.getArguments(), std::back_inserter(arguments),
                  [](Value argument) {
                    return isa<FloatType>(getElementTypeOrSelf(argument));
                  });
  for (Value argument : arguments)
    if (!hasGradient(argument))
      return program.emitError("has an argument of type ")
             << argument.getType() << ", for which there is no gradient";
  return arguments;
}

/// Appends values to what a program returns.
static void returnAlso(func::FuncOp program, Operation *exit,
                       ArrayRef<Value> values) {
  for (Value value : values) {
    unsigned number = program.getNumResults();
    (void)program.insertResult(number, value.getType(), {});
    exit->insertOperands(number, value);
  }
}

namespace {
class AppendGradientsPass
    : public tenon::differentiate::impl::AppendGradientsPassBase<
          AppendGradientsPass> {
public:
  using AppendGradientsPassBase::AppendGradientsPassBase;

  void runOnOperation() override {
    SmallVector<func::FuncOp> programs = graph::programs(getOperation());
    llvm::erase_if(programs, graph::isStepsBody);
    for (func::FuncOp program : programs)
      if (failed(differentiate(program)))
        return signalPassFailure();
    removeNotes(getOperation());
  }

private:
  LogicalResult differentiate(func::FuncOp program) {
    expandForGradients(program.front());
    Operation *exit = program.front().getTerminator();
    auto arguments = argumentsOf(
        program, SmallVector<unsigned>(wanted.begin(), wanted.end()));
    if (failed(arguments))
      return failure();
    if (of >= exit->getNumOperands())
      return program.emitError("has no result ") << unsigned(of);
    Value result = exit->getOperand(of);
    if (!hasGradient(result))
      return program.emitError("has a result of type ")
             << result.getType() << ", which has no gradient";
    OpBuilder builder(exit);
    Build g(builder, result.getLoc());
    auto gradients = buildGradients(builder, result,
                                    g.filled(1, typeOf(result)), *arguments);
    if (failed(gradients))
      return failure();
    for (auto [gradient, argument] : llvm::zip(*gradients, *arguments))
      if (!gradient)
        gradient = g.filled(0, typeOf(argument));
    returnAlso(program, exit, *gradients);
    numGradients += gradients->size();
    return success();
  }
};
} // namespace
