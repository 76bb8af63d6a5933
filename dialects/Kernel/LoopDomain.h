//===- LoopDomain.h - operations that share one loop nest -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares the analysis behind groups of kind `loops`: fusion asks
// whether a set of operations fits, code generation gets the loop nest.
//===----------------------------------------------------------------------===//
#ifndef TENON_DIALECTS_KERNEL_LOOPDOMAIN_H
#define TENON_DIALECTS_KERNEL_LOOPDOMAIN_H

#include "dialects/Graph/Size.h"
#include "mlir/IR/Operation.h"
#include "mlir/IR/Value.h"
#include <string>
#include <vector>

namespace tenon::kernel {

/// What fits. Operations of known shapes, of numbers or symbols, that state
/// exact accesses within their tensors: element-wise ones, movements of one
/// operand (`transpose`, `slice`, `broadcast`, `resize` that repeats rows),
/// reductions with an identity
/// (`reduce_*`); `reshape`; splat `constant`s. The result with most elements
/// (the first of these) is the *root*; its dimensions, and the reduced
/// dimensions that are none of them, are the loops. The rules:
///  1. every reshape splits or merges dimensions: both shapes have a common
///     refinement ([4, 6] -> [8, 3] is (4, 2, 3); [2, 3] -> [3, 2] has none).
///     Only the dimensions that are loops are split; operands of any layout
///     are read through an affine index;
///  2. all reductions of more than one element run over the same loops R
///     (softmax and layer norm: yes; a reduction of another axis of a
///     reduction's result: no);
///  3. the result of a reduction is used per row: not indexed by R through
///     anything but broadcasting;
///  4. every result is indexed by all loops, or by all loops but R, and its
///     dimensions correspond to the root's (through element-wise operations,
///     transposes, reshapes, reductions; not through a slice);
///  5. no value is read along a diagonal (x + transpose(x) is fine, reducing x
///     along one axis and adding it along the other of x is not).
///
/// A value used in two places under different indices is computed twice. What
/// must hold of sizes must hold for any values of their symbols.

/// offset + sum(coefficients[k] * loop k), the index into one dimension.
struct LoopIndex {
  graph::Size offset = 0;
  graph::Sizes coefficients; ///< one per loop
  /// Extents of dimensions that are repeated where they turn out to be 1: with
  /// one of them, the index is 0.
  graph::Sizes repeated = {};

  bool operator==(const LoopIndex &other) const = default;
};

/// One loop of the nest, outermost first in the root's order; loops that only
/// a reduction has come last.
struct Loop {
  graph::Size extent;
  bool reduction; ///< in R
};

/// One value per point of the nest. Views have vanished into indices.
struct LoopNode {
  enum Kind { Load, Constant, Compute, Reduce };
  Kind kind;
  mlir::Value value;   ///< the tensor (Load: defined outside of the set)
  mlir::Operation *op; ///< Constant, Compute, Reduce
  llvm::SmallVector<unsigned> operands; ///< earlier nodes
  llvm::SmallVector<LoopIndex> index;   ///< Load: per dimension of `value`
  bool full = false; ///< depends on a loop of R, so exists once per point
  int64_t stage = 0; ///< reductions that must finish one after the other before
};

/// A result and where it goes.
struct LoopResult {
  unsigned node;
  bool full;                          ///< stored at each point, else per row
  llvm::SmallVector<LoopIndex> index; ///< per dimension of the result
};

/// The nest of a set of operations; nodes are in topological order.
struct LoopProgram {
  llvm::SmallVector<Loop> loops;
  std::vector<LoopNode> nodes;
  std::vector<LoopResult> results;
};

/// The nest that computes `results` by `ops` (in any order), or failure with
/// the broken rule in `why`. A result may be defined outside of `ops`: a copy.
mlir::FailureOr<LoopProgram> analyzeLoops(llvm::ArrayRef<mlir::Operation *> ops,
                                          mlir::ValueRange results,
                                          std::string &why);

/// Whether a group of kind `loops` can hold the operations; its results are
/// the values with users outside of the set. Costs microseconds per operation.
bool canExpressLoops(llvm::ArrayRef<mlir::Operation *> ops,
                     std::string *why = nullptr);

} // namespace tenon::kernel

#endif // TENON_DIALECTS_KERNEL_LOOPDOMAIN_H
