//===- Step.h - a program that trains ---------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file is private to passes/Differentiate: a program that becomes a step
// of training, and what is added to it.
//===----------------------------------------------------------------------===//
#ifndef TENON_PASSES_DIFFERENTIATE_STEP_H
#define TENON_PASSES_DIFFERENTIATE_STEP_H

#include "passes/Differentiate/Build.h"
#include "passes/Differentiate/Recipe.h"

#include "dialects/Graph/States.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tenon::differentiate {

/// Grows a program by inputs, results and states. New operations stand in
/// front of its return.
class Step : public Build {
public:
  Step(mlir::OpBuilder &builder, mlir::func::FuncOp program)
      : Build(builder, program.front().getTerminator()->getLoc()),
        program(program) {}

  /// An input or a result of a name that is new; an error where it is not, upon
  /// which status() fails.
  mlir::BlockArgument addInput(llvm::StringRef name, RankedTensorType type);
  void addResult(llvm::StringRef name, Value value);
  /// What the state that an argument is will be in the next step. `first`: what
  /// it is before the first one; null: zeros.
  void keep(Value state, Value next, graph::StateRole role,
            mlir::ElementsAttr first = {});
  /// The same of what updates change: it stays what it is in steps without one.
  void change(Value state, Value next, graph::StateRole role,
              mlir::ElementsAttr first = {});
  /// The same, which the program says by itself in a result of the state's
  /// name.
  void follow(Value state, graph::StateRole role, mlir::ElementsAttr first);
  /// A state of another program that this one reads.
  void read(Value state, graph::StateRole role, mlir::ElementsAttr first);
  /// Whether all names were new.
  mlir::LogicalResult status() const { return mlir::failure(hasClash); }

  mlir::InFlightDiagnostic refuse();

  mlir::func::FuncOp program;
  llvm::SmallVector<graph::State> states;
  /// Arguments that the model has values for.
  llvm::SmallVector<Value> trained;
  /// Whether this step updates, i1; null: each does.
  Value updates;

private:
  /// Of what a state is in the next step.
  static std::string nextName(Value state);

  bool hasClash = false;
};

/// The name of an argument.
llvm::StringRef nameOf(mlir::BlockArgument argument);

/// The mean loss, a scalar, of an output and of labels, which become an input.
/// Failure after an error.
mlir::FailureOr<Value> buildLoss(Step &step, const Recipe &recipe);

/// What all parameters need for their updates, made once.
struct Rates {
  Value rate;  ///< the learning rate, f32
  Value count; ///< of the updates up to this one, f64
};

/// Makes gradients, those that are there, the mean of those of so many batches
/// in steps that update.
void accumulateGradients(Step &step, unsigned batches,
                         ArrayRef<Value> parameters,
                         llvm::MutableArrayRef<Value> gradients);

/// Bounds each element, then the norm of all together; 0 is no bound.
void clipGradients(Step &step, double value, double norm,
                   llvm::MutableArrayRef<Value> gradients);

/// A parameter that is updated.
struct Parameter {
  llvm::StringRef name;
  Value value;
  bool decays;
};

/// The parameter after the step. Its moments become states.
Value buildUpdate(Step &step, const Recipe &recipe, const Rates &rates,
                  const Parameter &parameter, Value gradient);

} // namespace tenon::differentiate

#endif // TENON_PASSES_DIFFERENTIATE_STEP_H
