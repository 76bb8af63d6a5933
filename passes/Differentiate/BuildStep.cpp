//===- BuildStep.cpp - make a program a step of training ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/Differentiate/Gradient.h"
#include "passes/Differentiate/Passes.h"
#include "passes/Differentiate/Step.h"

#include "dialects/Graph/Programs.h"

namespace tenon::differentiate {
#define GEN_PASS_DEF_BUILDSTEPPASS
#include "passes/Differentiate/Passes.h.inc"
} // namespace tenon::differentiate

using namespace mlir;
using namespace tenon;
using namespace tenon::differentiate;

namespace {
/// A tensor that is trained.
struct Parameter {
  BlockArgument state;
  Value value; ///< in this step
};

class BuildStepPass
    : public tenon::differentiate::impl::BuildStepPassBase<BuildStepPass> {
public:
  using BuildStepPassBase::BuildStepPassBase;

  void runOnOperation() override {
    auto program = graph::requireProgram(getOperation());
    if (failed(program) || failed(build(*program)))
      signalPassFailure();
  }

private:
  LogicalResult build(func::FuncOp program);
  LogicalResult update(Step &step, const Recipe &recipe, Value loss,
                       ArrayRef<Parameter> parameters, const Rates &rates);
  FailureOr<Recipe> recipeOf(Step &step, StringRef option,
                             llvm::Expected<Recipe> recipe);
};
} // namespace

/// States begin as zeros: in the first step parameters are what they are in the
/// model.
static FailureOr<SmallVector<Parameter>> parametersOf(Step &step,
                                                      Value isFirst) {
  SmallVector<Parameter> parameters;
  for (BlockArgument state : step.program.getArguments()) {
    unsigned number = state.getArgNumber();
    auto initial =
        step.program.getArgAttrOfType<ElementsAttr>(number, kInitial);
    if (!initial)
      continue;
    step.program.removeArgAttr(number, kInitial);
    step.trained.push_back(state);
    Value first = step.make<graph::ConstantOp>(state.getType(), initial);
    Value value = step.select(isFirst, first, state);
    state.replaceAllUsesExcept(value, value.getDefiningOp());
    if (step.program.removeArgAttr(number,
                                   step.builder.getStringAttr(kFollows)))
      step.follow(state);
    else
      parameters.push_back({state, value});
  }
  if (parameters.empty())
    return step.refuse() << "the model has nothing that can be trained";
  return parameters;
}

FailureOr<Recipe> BuildStepPass::recipeOf(Step &step, StringRef option,
                                          llvm::Expected<Recipe> recipe) {
  if (!recipe)
    return step.refuse() << option << ": "
                         << llvm::toString(recipe.takeError());
  return *recipe;
}

/// Programs that control flow calls have no loss of their own.
static LogicalResult checkIsAlone(Step &step) {
  for (Operation &op : *step.program->getBlock())
    if (!isa<func::FuncOp>(op))
      return step.refuse() << "the model has control flow that is decided in "
                              "the run";
  return success();
}

LogicalResult BuildStepPass::build(func::FuncOp program) {
  OpBuilder builder = OpBuilder::atBlockBegin(&program.front());
  Step step(builder, program);
  if (failed(checkIsAlone(step)))
    return failure();
  expandForGradients(program.front());
  builder.setInsertionPointToStart(&program.front());
  auto lossRecipe = recipeOf(step, "--loss", parseLoss(loss));
  auto optimizerRecipe =
      recipeOf(step, "--optimizer", parseOptimizer(optimizer));
  if (failed(lossRecipe) || failed(optimizerRecipe))
    return failure();
  auto scalar = [](Type element) { return RankedTensorType::get({}, element); };
  Value count = step.addInput("step", scalar(builder.getI64Type()));
  Value rate = step.addInput("learning_rate", scalar(builder.getF32Type()));
  auto parameters =
      parametersOf(step, step.equal(count, step.number(0, count)));
  if (failed(parameters))
    return failure();
  builder.setInsertionPoint(program.front().getTerminator());
  FailureOr<Value> value = buildLoss(step, *lossRecipe);
  if (failed(value))
    return failure();
  Value next = step.plus(count, 1);
  Rates rates{rate, step.castTo(next, builder.getF64Type())};
  if (failed(update(step, *optimizerRecipe, *value, *parameters, rates)))
    return failure();
  step.keep(count, next);
  // It may be an output of that name.
  if (lossRecipe->name != "output" || lossRecipe->tensors.front() != "loss")
    step.addResult("loss", *value);
  removeNotes(getOperation());
  graph::setStates(getOperation(), step.states);
  program.setName("step");
  return step.status();
}

LogicalResult BuildStepPass::update(Step &step, const Recipe &recipe,
                                    Value loss, ArrayRef<Parameter> parameters,
                                    const Rates &rates) {
  SmallVector<Value> values;
  for (const Parameter &parameter : parameters)
    values.push_back(parameter.value);
  auto gradients =
      buildGradients(step.builder, loss, step.number(1, loss), values);
  if (failed(gradients))
    return failure();
  if (llvm::none_of(*gradients, [](Value gradient) { return bool(gradient); }))
    return step.refuse() << "the loss depends on nothing that is trained";
  for (auto [parameter, gradient] : llvm::zip(parameters, *gradients)) {
    Value next = parameter.value;
    if (gradient)
      next = buildUpdate(step, recipe, rates, nameOf(parameter.state),
                         parameter.value, gradient);
    step.keep(parameter.state, next);
    ++numParameters;
  }
  return success();
}
