//===- StepsForm.h - a loop on its way to graph.steps -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares what is known of a loop of fixed length while what does
// not belong into it is taken out.
//===----------------------------------------------------------------------===//
#ifndef TENON_PASSES_CONTROL_STEPSFORM_H
#define TENON_PASSES_CONTROL_STEPSFORM_H

#include "dialects/Control/Control.h"
#include "dialects/Graph/GraphSteps.h"

namespace tenon::ctrl {

/// A loop that runs `count` times. The body returns what is carried, then a
/// value for each stacked result.
struct StepsForm {
  /// What the body reads as `inside` comes from `outside`.
  struct Input {
    mlir::Value outside;
    mlir::BlockArgument inside;
  };

  control::LoopOp loop;
  mlir::func::FuncOp body;
  int64_t count;
  /// Sliced, carried, and the same in all steps.
  llvm::SmallVector<Input> scans, carried, invariants;
  /// What stands outside for the last values of what is carried, and for the
  /// stacked results: results of the loop, or of operations that hold their
  /// place until there is another one.
  llvm::SmallVector<mlir::Value> finals, stacks;

  mlir::Block &block() { return body.front(); }
  mlir::Operation *end() { return block().getTerminator(); }
  mlir::Value next(size_t index) { return end()->getOperand(index); }
  mlir::OpOperand &yielded(size_t stack) {
    return end()->getOpOperand(unsigned(carried.size() + stack));
  }

  mlir::BlockArgument addScan(mlir::Value outside);
  mlir::BlockArgument addInvariant(mlir::Value outside);
  void dropStack(size_t stack);
  void dropCarried(size_t index);
};

/// `type` with `count` of it along a new first dimension, and the reverse.
mlir::RankedTensorType stackedType(mlir::Type type, int64_t count);
mlir::RankedTensorType slicedType(mlir::Type type);

/// Slices [first, first + count) of the first dimension.
mlir::Value cut(mlir::OpBuilder &builder, mlir::Value value, int64_t first,
                int64_t count);

/// Computes in front of the loop what no step changes, and for all steps at
/// once what reads nothing that is carried; behind it, for all steps at once,
/// what only becomes a stacked result.
void distribute(StepsForm &form);

} // namespace tenon::ctrl

#endif // TENON_PASSES_CONTROL_STEPSFORM_H
