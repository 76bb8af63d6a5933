//===- FoldRules.h - which constants are worth storing ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares what constant folding goes by: a constant that is larger
// than what it is made of by more than a page needs a reason.
//===----------------------------------------------------------------------===//
#ifndef TENON_PASSES_SIMPLIFY_FOLDRULES_H
#define TENON_PASSES_SIMPLIFY_FOLDRULES_H

#include "passes/Simplify/CompactTensor.h"

#include "dialects/Graph/Graph.h"

#include "llvm/ADT/DenseSet.h"

namespace tenon::simplify {

/// Whether folding looks at an operation. Packs are executed when the artifact
/// is written, transposes of tables that are gathered from too when the product
/// behind takes them in.
bool mayFold(mlir::Operation *op);

/// Whether `op` computes nothing: it copies, repeats and reorders elements.
bool isMovement(mlir::Operation *op);

/// What a constant is made of, and how.
struct Origin {
  int64_t bytes = 0; ///< of the constants that stand at the start
  bool computes = false, isCostly = false;

  /// What `op` does itself.
  static Origin of(mlir::Operation *op);
  void add(const Origin &operand);
};

/// By how many bytes the results of `op` may exceed what they are made of, to
/// be stored: a page; more where a launch at each run or what it computes would
/// cost more than to read them.
int64_t allowedGrowth(mlir::Operation *op, const Origin &origin,
                      int64_t maxBytes);

/// The operations of a block that depend on constants alone and end in the
/// weights of products and recurrences, which are stored whatever they grow to:
/// kernels want them in an order of their own.
llvm::DenseSet<mlir::Operation *> findWeights(mlir::Block &block);

/// Whether the kernel of a use's owner wants it as a constant in an order of
/// its own.
bool isWeight(mlir::OpOperand &use);

/// Makes a constant with equal elements a splat.
void makeSplat(graph::ConstantOp constant);

} // namespace tenon::simplify

#endif // TENON_PASSES_SIMPLIFY_FOLDRULES_H
