//===- LoopStatement.h - an operation in a loop nest ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares the form in which the analysis of loops sees operations:
// what they state in their interface, where a nest can follow it.
//===----------------------------------------------------------------------===//
#ifndef TENON_DIALECTS_KERNEL_LOOPSTATEMENT_H
#define TENON_DIALECTS_KERNEL_LOOPSTATEMENT_H

#include "dialects/Graph/Graph.h"
#include "dialects/Graph/Size.h"

namespace tenon::kernel {

/// A dimension of several elements that each stand `count` times in a dimension
/// of the result.
struct RepeatedDim {
  int64_t from, to, count;
};

struct LoopStatement {
  enum Kind {
    Constant, ///< one number
    View,     ///< elements of the operand
    Reshape,  ///< a view whose shapes have a common refinement
    Compute,  ///< from the operands' elements
    Reduce,
  };
  Kind kind;
  mlir::Operation *op;
  llvm::SmallVector<mlir::AffineMap> reads; ///< of each operand
  mlir::AffineMap write;                    ///< of the result
  llvm::SmallVector<unsigned> reduced;      ///< the domain's reductions
  /// Per operand: the dimensions that may turn out to be 1 and are repeated
  /// then.
  llvm::SmallVector<llvm::SmallVector<unsigned>> mayRepeat;
  graph::Sizes starts; ///< what `reads` leaves out of a slice; or none

  mlir::Value result() const { return op->getResult(0); }
  /// The dimension of operand 0 that the domain's dimension indexes alone.
  int64_t inputDim(unsigned dim) const;
  llvm::SmallVector<RepeatedDim> repeatedDims() const;

  /// None where a loop nest cannot hold the operation, whose shapes are known.
  static std::optional<LoopStatement> of(mlir::Operation *op);
};

} // namespace tenon::kernel

#endif // TENON_DIALECTS_KERNEL_LOOPSTATEMENT_H
