//===- Narrowing.h - which values lie in 16 bits ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares the analysis behind tenon-narrow-values. See the README.
//===----------------------------------------------------------------------===//
#ifndef TENON_PASSES_CODEGENGPU_NARROW_NARROWING_H
#define TENON_PASSES_CODEGENGPU_NARROW_NARROWING_H

#include "dialects/Graph/Graph.h"
#include "dialects/Kernel/Kernel.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"

namespace tenon::gpu {

/// How a group deals with numbers of 16 bits.
enum class NarrowKind {
  Never,
  Anchor, ///< multiplies or compares them as they are
  Moves,  ///< takes elements to other places, of whatever type
  Nest,   ///< widens what it loads, and rounds what it stores
};

NarrowKind narrowKindOf(kernel::GroupOp group);

/// Operands of a group's anchor, by number.
llvm::SmallVector<unsigned> anchorOperands(kernel::GroupOp group);

bool isF32(mlir::Value value);

/// The constant in 16 bits, or null where a number of it would become infinite.
mlir::ElementsAttr narrowConstant(graph::ConstantOp constant,
                                  mlir::Type element);

class Narrowing {
public:
  /// `element` is f16 or bf16.
  Narrowing(mlir::func::FuncOp function, mlir::Type element);

  /// Whether a value of the program lies in 16 bits.
  bool isNarrow(mlir::Value value) const;

  /// Whether the group takes these operands of its anchor, or what it moves, in
  /// 16 bits: constants among them, too.
  bool takesNarrow(kernel::GroupOp group) const {
    return !wideGroups.contains(group);
  }

  /// The constant that such groups read in place of another.
  mlir::ElementsAttr constantFor(graph::ConstantOp constant);

private:
  void findCandidates();
  void settle();
  bool fits(mlir::OpOperand &use) const;
  bool fitUsesOf(mlir::Value value) const;
  bool isSummary(mlir::OpResult result) const;
  bool isMultiplied(mlir::Value value) const;
  bool dropGroup(kernel::GroupOp group);
  llvm::SmallVector<mlir::Value> jointValues(kernel::GroupOp group) const;

  mlir::func::FuncOp function;
  mlir::Type element;
  llvm::SmallVector<kernel::GroupOp> groups;
  llvm::DenseMap<mlir::Operation *, NarrowKind> kinds;
  llvm::SetVector<mlir::Value> narrow; ///< results of groups
  llvm::DenseSet<mlir::Operation *> wideGroups;
  llvm::DenseMap<mlir::Operation *, mlir::ElementsAttr> constants;
};

/// Results of groups that need more than 16 bits: they are made from integers,
/// whose distances count, or from numbers that `element` does not have.
llvm::DenseSet<mlir::Value> findPrecise(mlir::func::FuncOp function,
                                        mlir::Type element);

} // namespace tenon::gpu

#endif // TENON_PASSES_CODEGENGPU_NARROW_NARROWING_H
