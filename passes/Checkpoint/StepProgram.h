//===- StepProgram.h - groups and the values between them -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TENON_PASSES_CHECKPOINT_STEPPROGRAM_H
#define TENON_PASSES_CHECKPOINT_STEPPROGRAM_H

#include "dialects/Kernel/Kernel.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

#include <vector>

namespace tenon::checkpoint {

/// The value in whose storage a value lies: views are no kernels.
mlir::Value storageOf(mlir::Value value);

/// The groups of a program by number, and their results, group by group.
struct StepProgram {
  explicit StepProgram(mlir::func::FuncOp function);

  mlir::func::FuncOp function;
  llvm::SmallVector<kernel::GroupOp> groups;
  llvm::SmallVector<mlir::Value> values;
  llvm::DenseMap<mlir::Value, unsigned> numbers; ///< of values
  std::vector<unsigned> makers;                  ///< groups, by value
  std::vector<std::vector<unsigned>> reads; ///< values, by group, ascending
  std::vector<bool> returned;               ///< by value

  /// The value that an operand lies in; none: an input or a constant.
  std::optional<unsigned> numberOf(mlir::Value operand) const;
  /// The ONNX nodes of a group, with semicolons.
  std::string nodesOf(unsigned group) const;
  /// What a group is called where there is little room.
  std::string nameOf(unsigned group) const;
};

/// Brings groups in an order that respects what they read. Views follow what
/// they are of.
void reorder(mlir::func::FuncOp function,
             llvm::ArrayRef<kernel::GroupOp> order);

} // namespace tenon::checkpoint

#endif // TENON_PASSES_CHECKPOINT_STEPPROGRAM_H
