//===- LossScale.cpp - gradients that 16 bits can hold --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/Differentiate/LossScale.h"

#include <cfloat>

using namespace mlir;
using namespace tenon;
using namespace tenon::graph;
using namespace tenon::differentiate;

static ElementsAttr scalarOf(Type element, double value) {
  auto type = RankedTensorType::get({}, element);
  return DenseElementsAttr::get(type,
                                Attribute(FloatAttr::get(element, value)));
}

bool differentiate::computesInHalves(func::FuncOp program) {
  auto isHalf = [](Type type) { return getElementTypeOrSelf(type).isF16(); };
  return program
      .walk([&](Operation *op) {
        return llvm::any_of(op->getResultTypes(), isHalf)
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

LossScale::LossScale(Step &step, std::optional<Recipe> given)
    : step(step), recipe(std::move(given)) {
  if (!recipe || recipe->name == "none")
    return;
  auto number = RankedTensorType::get({}, step.builder.getI64Type());
  auto real = RankedTensorType::get({}, step.builder.getF32Type());
  skipped = step.addInput("skipped_steps", number);
  if (recipe->name == "constant") {
    scale = step.filled((*recipe)["first"], real);
    return;
  }
  scale = step.addInput("loss_scale", real);
  goodSteps = step.addInput("good_steps", number);
}

Value LossScale::withoutSkipped(Value count) {
  if (!scale)
    return count;
  // A file may say that more were skipped than there were.
  return step.make<graph::MaxOp>(step.sub(count, skipped),
                                 step.number(1, count));
}

Value LossScale::seed(Value loss) {
  return scale ? step.castTo(scale, typeOf(loss).getElementType())
               : step.number(1, loss);
}

void LossScale::takeOff(MutableArrayRef<Value> gradients) {
  if (!scale)
    return;
  for (Value &gradient : gradients)
    if (gradient)
      gradient = step.div(
          gradient, step.castTo(scale, typeOf(gradient).getElementType()));
}

/// Whether all elements are finite numbers: of their largest value NaN wins.
static Value isFinite(Step &step, Value gradient) {
  SmallVector<int64_t> axes =
      llvm::to_vector(llvm::seq<int64_t>(rankOf(gradient)));
  Value most = step.make<AbsOp>(gradient);
  if (!axes.empty())
    most = step.make<ReduceMaxOp>(most, axes, false);
  double largest =
      typeOf(gradient).getElementType().isF64() ? DBL_MAX : FLT_MAX;
  return step.make<LessEqualOp>(most, step.number(largest, most));
}

static Value areFinite(Step &step, ArrayRef<Value> gradients) {
  Value all;
  for (Value gradient : gradients) {
    if (!gradient)
      continue;
    Value one = isFinite(step, gradient);
    all = all ? step.make<AndOp>(all, one) : one;
  }
  return all;
}

void LossScale::guard(ArrayRef<Value> gradients) {
  if (!scale)
    return;
  Value isGood = areFinite(step, gradients);
  Value more = step.select(isGood, skipped, step.plus(skipped, 1));
  step.change(skipped, more, StateRole::Skipped);
  if (goodSteps)
    keepScale(isGood);
  step.updates = step.updates ? step.make<AndOp>(step.updates, isGood) : isGood;
  keepStatistics(isGood);
}

/// Half of the scale behind overflow, twice of it behind enough good steps.
void LossScale::keepScale(Value isGood) {
  Value more = step.plus(goodSteps, 1);
  Value enough = step.number((*recipe)["every"], more);
  Value isDue = step.make<GreaterEqualOp>(more, enough);
  Value good = step.select(isDue, step.number(0, more), more);
  step.change(goodSteps, step.where(isGood, good), StateRole::Scale);
  Value least = step.number(kLeastScale, scale);
  Value most = step.number(kMostScale, scale);
  Value half = step.make<MaxOp>(step.scaled(scale, 0.5), least);
  Value twice = step.make<MinOp>(step.scaled(scale, 2), most);
  Value next = step.select(isGood, step.select(isDue, twice, scale), half);
  step.change(scale, next, StateRole::Scale,
              scalarOf(step.builder.getF32Type(), (*recipe)["first"]));
}

/// The program says by itself what these become.
void LossScale::keepStatistics(Value isGood) {
  Operation *exit = step.program.front().getTerminator();
  for (const State &state : step.states) {
    if (state.role != StateRole::Statistic)
      continue;
    auto input = findInput(step.program, state.input);
    auto output = findOutput(step.program, state.output);
    if (input && output)
      exit->setOperand(*output, step.select(isGood, exit->getOperand(*output),
                                            step.program.getArgument(*input)));
  }
}
