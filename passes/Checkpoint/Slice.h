//===- Slice.h - the part of a group that makes a result --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TENON_PASSES_CHECKPOINT_SLICE_H
#define TENON_PASSES_CHECKPOINT_SLICE_H

#include "dialects/Kernel/Kernel.h"
#include "mlir/IR/Builders.h"

namespace tenon::checkpoint {

/// Operations or stages of a group, in their order, the operands of the group
/// that they read, and which of its results they give.
struct Slice {
  kernel::GroupOp group;
  llvm::SmallVector<unsigned> results;
  llvm::SmallVector<mlir::Operation *> ops;
  llvm::SmallVector<unsigned> operands;

  bool isWhole() const;
};

/// What makes a result again in the same bits; none where nothing does. Sums
/// keep their order where their kernel has the same operations and results, so
/// that of a nest that reduces it is all.
std::optional<Slice> sliceOf(kernel::GroupOp group, unsigned result);

/// A group of that alone, with a value for each operand, and the slice's
/// results in their order. Its location says that it is computed again. One of
/// stages has no tile yet.
kernel::GroupOp cloneSlice(mlir::OpBuilder &builder, const Slice &slice,
                           mlir::ValueRange operands);

} // namespace tenon::checkpoint

#endif // TENON_PASSES_CHECKPOINT_SLICE_H
