//===- BuildStep.cpp - make a program a step of training ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/Differentiate/Gradient.h"
#include "passes/Differentiate/LossScale.h"
#include "passes/Differentiate/Passes.h"
#include "passes/Differentiate/Step.h"

#include "dialects/Graph/GraphSteps.h"
#include "dialects/Graph/Programs.h"
#include "llvm/Support/Regex.h"

namespace tenon::differentiate {
#define GEN_PASS_DEF_BUILDSTEPPASS
#include "passes/Differentiate/Passes.h.inc"
} // namespace tenon::differentiate

using namespace mlir;
using namespace tenon;
using namespace tenon::differentiate;

namespace {
/// An argument that the model has a value for.
struct Trained {
  BlockArgument state;
  ElementsAttr first;
  bool follows; ///< the program changes it by itself

  graph::StateRole role() const {
    return follows ? graph::StateRole::Statistic : graph::StateRole::Parameter;
  }
};

class BuildStepPass
    : public tenon::differentiate::impl::BuildStepPassBase<BuildStepPass> {
public:
  using BuildStepPassBase::BuildStepPassBase;

  void runOnOperation() override {
    auto programs = graph::requirePrograms(getOperation());
    if (failed(programs))
      return signalPassFailure();
    llvm::erase_if(*programs, [](func::FuncOp program) {
      return graph::isStepsBody(program) || program.getName() == kEvaluation;
    });
    FailureOr<func::FuncOp> program =
        programs->size() == 1 ? programs->front()
                              : graph::requireProgram(getOperation());
    if (failed(program) || failed(build(*program)))
      signalPassFailure();
  }

private:
  LogicalResult build(func::FuncOp program);
  LogicalResult update(Step &step, const Recipe &recipe, Value loss,
                       ArrayRef<Trained> parameters, Value rate, Value next);
  LogicalResult bindStates(Step &step, const Recipe &loss);
  FailureOr<SmallVector<bool>> decaysOf(Step &step,
                                        ArrayRef<Trained> parameters);
  Value updatesUpTo(Step &step, Value next);
  FailureOr<LossScale> scaleOf(Step &step);
  FailureOr<Recipe> recipeOf(Step &step, StringRef option,
                             llvm::Expected<Recipe> recipe);
};
} // namespace

/// Takes first values off the arguments that have some.
static SmallVector<Trained> takeTrained(Step &step) {
  SmallVector<Trained> trained;
  for (BlockArgument state : step.program.getArguments()) {
    unsigned number = state.getArgNumber();
    auto first = step.program.getArgAttrOfType<ElementsAttr>(number, kInitial);
    if (!first)
      continue;
    step.program.removeArgAttr(number, kInitial);
    step.trained.push_back(state);
    bool follows = bool(step.program.removeArgAttr(
        number, step.builder.getStringAttr(kFollows)));
    trained.push_back({state, first, follows});
  }
  return trained;
}

/// Gives the loss as a result; it may be an output of that name.
static void addLossResult(Step &step, const Recipe &recipe, Value loss) {
  if (recipe.name != "output" || recipe.tensors.front() != "loss")
    step.addResult("loss", loss);
}

/// The argument that counts steps, where nodes of the model look at it.
static BlockArgument takeCounter(Step &step) {
  func::FuncOp program = step.program;
  for (BlockArgument argument : program.getArguments())
    if (program.removeArgAttr(argument.getArgNumber(),
                              step.builder.getStringAttr(kCountsSteps)))
      return argument;
  return {};
}

/// Those that gradients change; binds the others.
static FailureOr<SmallVector<Trained>> parametersOf(Step &step) {
  SmallVector<Trained> parameters;
  for (const Trained &one : takeTrained(step))
    if (one.follows)
      step.follow(one.state, one.role(), one.first);
    else
      parameters.push_back(one);
  if (parameters.empty())
    return step.refuse() << "the model has nothing that can be trained";
  return parameters;
}

/// Adds the loss to the program that evaluates, which reads all states.
static FailureOr<SmallVector<graph::State>>
buildEvaluation(func::FuncOp program, const Recipe &loss) {
  OpBuilder builder(program.front().getTerminator());
  Step step(builder, program);
  for (const Trained &one : takeTrained(step))
    step.read(one.state, one.role(), one.first);
  if (BlockArgument counter = takeCounter(step))
    step.read(counter, graph::StateRole::Counter, {});
  FailureOr<Value> value = buildLoss(step, loss);
  if (failed(value))
    return failure();
  addLossResult(step, loss, *value);
  if (failed(step.status()))
    return failure();
  return std::move(step.states);
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
  program.setName("step");
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
  Value count = takeCounter(step);
  if (!count)
    count = step.addInput(kCounter, scalar(builder.getI64Type()));
  Value rate = step.addInput("learning_rate", scalar(builder.getF32Type()));
  auto parameters = parametersOf(step);
  if (failed(parameters))
    return failure();
  builder.setInsertionPoint(program.front().getTerminator());
  FailureOr<Value> value = buildLoss(step, *lossRecipe);
  if (failed(value))
    return failure();
  Value next = step.plus(count, 1);
  if (failed(update(step, *optimizerRecipe, *value, *parameters, rate, next)))
    return failure();
  step.keep(count, next, graph::StateRole::Counter);
  addLossResult(step, *lossRecipe, *value);
  removeNotes(getOperation());
  if (failed(step.status()))
    return failure();
  return bindStates(step, *lossRecipe);
}

/// `next`: the steps up to this one. Of some of them, one updates.
Value BuildStepPass::updatesUpTo(Step &step, Value next) {
  if (accumulate == 1)
    return next;
  Value batches = step.number(accumulate, next);
  Value count = step.div(next, batches);
  step.updates = step.equal(step.mul(count, batches), next);
  return count;
}

/// As asked for; by itself one that changes, where something is f16.
FailureOr<LossScale> BuildStepPass::scaleOf(Step &step) {
  if (lossScale.empty() && !computesInHalves(step.program))
    return LossScale(step, std::nullopt);
  auto recipe = recipeOf(step, "--loss-scale", parseLossScale(lossScale));
  if (failed(recipe))
    return failure();
  return LossScale(step, *recipe);
}

/// Binds the states of both programs, where there is one that evaluates.
LogicalResult BuildStepPass::bindStates(Step &step, const Recipe &loss) {
  SmallVector<graph::State> states = std::move(step.states);
  if (auto program = getOperation().lookupSymbol<func::FuncOp>(kEvaluation)) {
    auto read = buildEvaluation(program, loss);
    if (failed(read))
      return failure();
    llvm::append_range(states, *read);
  }
  graph::setStates(getOperation(), states);
  return success();
}

/// Which parameters decay: matrices, or those that no pattern excepts.
FailureOr<SmallVector<bool>>
BuildStepPass::decaysOf(Step &step, ArrayRef<Trained> parameters) {
  SmallVector<bool> decays;
  bool isMatched = noDecay.empty();
  llvm::Regex pattern("^(" + noDecay + ")$");
  for (const Trained &parameter : parameters) {
    bool isExcepted = noDecay.empty() ? rankOf(parameter.state) < 2
                                      : pattern.match(nameOf(parameter.state));
    isMatched |= isExcepted;
    decays.push_back(!isExcepted);
  }
  if (!isMatched)
    return step.refuse() << "--no-decay: no parameter is called '" << noDecay
                         << "'";
  return decays;
}

LogicalResult BuildStepPass::update(Step &step, const Recipe &recipe,
                                    Value loss, ArrayRef<Trained> parameters,
                                    Value rate, Value next) {
  FailureOr<LossScale> scale = scaleOf(step);
  if (failed(scale))
    return failure();
  SmallVector<Value> values = llvm::map_to_vector(
      parameters, [](const Trained &one) -> Value { return one.state; });
  auto gradients =
      buildGradients(step.builder, loss, scale->seed(loss), values);
  auto decays = decaysOf(step, parameters);
  if (failed(gradients) || failed(decays))
    return failure();
  if (llvm::none_of(*gradients, [](Value gradient) { return bool(gradient); }))
    return step.refuse() << "the loss depends on nothing that is trained";
  Value count = scale->withoutSkipped(updatesUpTo(step, next));
  Rates rates{rate, step.castTo(count, step.builder.getF64Type())};
  scale->takeOff(*gradients);
  accumulateGradients(step, accumulate, values, *gradients);
  scale->guard(*gradients);
  clipGradients(step, clipValue, clipNorm, *gradients);
  for (auto [parameter, gradient, decay] :
       llvm::zip(parameters, *gradients, *decays)) {
    Value changed = parameter.state;
    if (gradient)
      changed =
          buildUpdate(step, recipe, rates,
                      {nameOf(parameter.state), changed, decay}, gradient);
    step.change(parameter.state, changed, parameter.role(), parameter.first);
    ++numParameters;
  }
  return success();
}
