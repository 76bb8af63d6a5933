//===- Slice.h - the part of a group that makes a result --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TENON_PASSES_CHECKPOINT_SLICE_H
#define TENON_PASSES_CHECKPOINT_SLICE_H

#include "dialects/Kernel/Kernel.h"
#include "mlir/IR/Builders.h"

namespace tenon::checkpoint {

/// Operations or stages of a group, in their order, and the operands of the
/// group that they read.
struct Slice {
  kernel::GroupOp group;
  unsigned result = 0;
  llvm::SmallVector<mlir::Operation *> ops;
  llvm::SmallVector<unsigned> operands;

  bool isWhole() const;
};

/// What makes a result again in the same bits; none where that is not known.
/// Sums keep their order where their kernel has the same operations, so that no
/// part of a nest that reduces is one.
std::optional<Slice> sliceOf(kernel::GroupOp group, unsigned result);

/// A group of that alone, with a value for each operand. Its location says that
/// it is computed again. One of stages has no tile yet.
kernel::GroupOp cloneSlice(mlir::OpBuilder &builder, const Slice &slice,
                           mlir::ValueRange operands);

} // namespace tenon::checkpoint

#endif // TENON_PASSES_CHECKPOINT_SLICE_H
