//===- Prepare.cpp - gradients as updates take them -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/Differentiate/Step.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::differentiate;

/// The sum of what batches gave, and their mean in a step that updates: then
/// the sum begins again.
static Value accumulated(Step &step, Value parameter, Value gradient,
                         unsigned batches) {
  if (batches == 1)
    return gradient;
  std::string name =
      (nameOf(cast<BlockArgument>(parameter)) + ".gradient").str();
  Value old = step.addInput(name, typeOf(gradient));
  Value sum = step.add(old, gradient);
  step.keep(old, step.where(step.make<graph::NotOp>(step.updates), sum),
            graph::StateRole::Moment);
  return step.scaled(sum, 1.0 / batches);
}

/// Each element between -most and most.
static Value bounded(Step &step, Value gradient, double most) {
  Value low = step.make<graph::MaxOp>(gradient, step.number(-most, gradient));
  return step.make<graph::MinOp>(low, step.number(most, gradient));
}

/// Shrinks all gradients by one factor, which is 1 where their norm is small;
/// as torch does.
static void shrink(Step &step, MutableArrayRef<Value> gradients, double most) {
  Type wide = step.builder.getF64Type();
  Value sum;
  for (Value gradient : gradients) {
    if (!gradient)
      continue;
    Value squares = step.castTo(step.sumTo(step.square(gradient), {}), wide);
    sum = sum ? step.add(sum, squares) : squares;
  }
  Value norm = step.plus(step.make<graph::SqrtOp>(sum), 1e-6);
  Value factor = step.div(step.number(most, norm), norm);
  factor = step.make<graph::MinOp>(factor, step.number(1, factor));
  for (Value &gradient : gradients)
    if (gradient)
      gradient = step.mul(
          gradient, step.castTo(factor, typeOf(gradient).getElementType()));
}

void differentiate::accumulateGradients(Step &step, unsigned batches,
                                        ArrayRef<Value> parameters,
                                        MutableArrayRef<Value> gradients) {
  for (auto [parameter, gradient] : llvm::zip(parameters, gradients))
    if (gradient)
      gradient = accumulated(step, parameter, gradient, batches);
}

void differentiate::clipGradients(Step &step, double value, double norm,
                                  MutableArrayRef<Value> gradients) {
  for (Value &gradient : gradients)
    if (gradient && value > 0)
      gradient = bounded(step, gradient, value);
  if (norm > 0)
    shrink(step, gradients, norm);
}
