//===- Update.cpp - what optimisers do to a parameter ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Formulas are torch's.
//===----------------------------------------------------------------------===//
#include "passes/Differentiate/Step.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::graph;
using namespace tenon::differentiate;

namespace {
/// One parameter and what belongs to it.
struct Update {
  Step &g;
  const Recipe &recipe;
  const Rates &rates;
  const Parameter &parameter;
  Value x, dx;

  double decay() const {
    return parameter.decays ? recipe["weight_decay"] : 0.0;
  }
  /// A state that is zero in the first step.
  Value moment(StringRef role) const {
    return g.addInput((parameter.name + "." + role).str(), typeOf(x));
  }
  /// A number that was made in f64.
  Value narrowed(Value number) const {
    return g.castTo(number, typeOf(x).getElementType());
  }
  /// dx and the decay that belongs to the gradient.
  Value decayed() const {
    return decay() ? g.add(dx, g.scaled(x, decay())) : dx;
  }
  Value minus(Value change) const {
    return g.sub(x, g.mul(change, narrowed(rates.rate)));
  }
};
} // namespace

/// `old` * factor + `now` * (1 - factor).
static Value mixed(Build &g, Value old, Value now, double factor) {
  return g.add(g.scaled(old, factor), g.scaled(now, 1 - factor));
}

static Value sgd(const Update &update) {
  Step &g = update.g;
  double momentum = update.recipe["momentum"];
  Value change = update.decayed();
  if (momentum == 0)
    return update.minus(change);
  Value old = update.moment("momentum");
  Value kept = g.add(g.scaled(old, momentum), change);
  g.change(old, kept, StateRole::Moment);
  if (update.recipe["nesterov"] != 0)
    return update.minus(g.add(change, g.scaled(kept, momentum)));
  return update.minus(kept);
}

/// 1 - beta^count, in f64: beta is near 1.
static Value correction(const Update &update, double beta) {
  Step &g = update.g;
  Value count = update.rates.count;
  Value power = g.make<PowOp>(g.number(beta, count), count);
  return g.sub(g.number(1, count), power);
}

static Value adam(const Update &update) {
  Step &g = update.g;
  double beta1 = update.recipe["beta1"], beta2 = update.recipe["beta2"];
  bool isW = update.recipe.name == "adamw";
  Value dx = isW ? update.dx : update.decayed();
  Value mean = update.moment("mean"), square = update.moment("square");
  Value newMean = mixed(g, mean, dx, beta1);
  Value newSquare = mixed(g, square, g.square(dx), beta2);
  g.change(mean, newMean, StateRole::Moment);
  g.change(square, newSquare, StateRole::Moment);
  Value root = g.make<SqrtOp>(correction(update, beta2));
  Value scale = g.div(g.make<SqrtOp>(newSquare), update.narrowed(root));
  Value change = g.div(newMean, g.plus(scale, update.recipe["epsilon"]));
  Value first = update.narrowed(correction(update, beta1));
  change = g.div(change, first);
  // The decay is of the parameter as it was, before the step.
  if (isW && update.decay())
    change = g.add(change, g.scaled(update.x, update.decay()));
  return update.minus(change);
}

static Value adagrad(const Update &update) {
  Step &g = update.g;
  Value dx = update.decayed(), old = update.moment("sum");
  Value sum = g.add(old, g.square(dx));
  g.change(old, sum, StateRole::Moment);
  Value root = g.plus(g.make<SqrtOp>(sum), update.recipe["epsilon"]);
  Value change = g.div(dx, root);
  if (double decay = update.recipe["lr_decay"]) {
    Value slower = g.plus(g.scaled(g.plus(update.rates.count, -1), decay), 1);
    change = g.div(change, update.narrowed(slower));
  }
  return update.minus(change);
}

Value differentiate::buildUpdate(Step &step, const Recipe &recipe,
                                 const Rates &rates, const Parameter &parameter,
                                 Value gradient) {
  Update update{step, recipe, rates, parameter, parameter.value, gradient};
  if (recipe.name == "sgd")
    return sgd(update);
  return recipe.name == "adagrad" ? adagrad(update) : adam(update);
}
