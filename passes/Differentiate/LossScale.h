//===- LossScale.h - gradients that 16 bits can hold ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file is private to passes/Differentiate: a factor of the loss that lifts
// gradients into the range of f16, and the choice of what a step does whose
// gradients left it.
//===----------------------------------------------------------------------===//
#ifndef TENON_PASSES_DIFFERENTIATE_LOSSSCALE_H
#define TENON_PASSES_DIFFERENTIATE_LOSSSCALE_H

#include "passes/Differentiate/Step.h"

namespace tenon::differentiate {

/// Without a recipe, or with one that is called `none`, all of it does nothing.
class LossScale {
public:
  /// Makes the inputs for the states that the recipe needs.
  LossScale(Step &step, std::optional<Recipe> recipe);

  /// The number of updates so far but for those that were skipped; `count`: of
  /// all.
  Value withoutSkipped(Value count);
  /// The factor, in the type of the loss, from which gradients start.
  Value seed(Value loss);
  /// Divides gradients, those that are there, by the factor.
  void takeOff(llvm::MutableArrayRef<Value> gradients);
  /// Lets the step update nothing unless all gradients are finite numbers, and
  /// binds the states. Statistics that the program follows stay, too.
  void guard(ArrayRef<Value> gradients);

private:
  void keepStatistics(Value isGood);
  void keepScale(Value isGood);

  Step &step;
  std::optional<Recipe> recipe;
  Value scale; ///< f32; null: none
  mlir::BlockArgument skipped, goodSteps;
};

/// Whether something in the program is a number of f16.
bool computesInHalves(mlir::func::FuncOp program);

} // namespace tenon::differentiate

#endif // TENON_PASSES_DIFFERENTIATE_LOSSSCALE_H
