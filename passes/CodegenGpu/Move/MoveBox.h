//===- MoveBox.h - elements that threads move -------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TENON_PASSES_CODEGENGPU_MOVE_MOVEBOX_H
#define TENON_PASSES_CODEGENGPU_MOVE_MOVEBOX_H

#include "passes/CodegenGpu/Builder/ThreadBuilder.h"
#include "passes/CodegenGpu/Strategy.h"

namespace tenon::gpu {

/// How a tensor lies for the indices of a box, in elements.
struct BoxSide {
  llvm::SmallVector<int64_t> strides;
  int64_t offset = 0;
  int64_t aligned = 1; ///< what the address of the buffer is a multiple of
};

/// A box of results. Each thread has some neighbours along the last dimension:
/// 16 bytes where all sides allow it.
struct MoveBox {
  llvm::SmallVector<int64_t> extents;
  llvm::SmallVector<BoxSide> sides; ///< all that vectors are read from, or
                                    ///< written to
  int64_t most = 16;                ///< elements of a vector

  /// Makes one dimension of neighbours that are one on all sides, and leaves
  /// out those of one element. The first `kept` dimensions stay as they are.
  void collapse(size_t kept = 0);
  /// Of so many bytes each.
  int64_t lanes(int64_t elementBytes) const;
  int64_t elements() const;
};

/// Of `bytes`, in registers: words, or elements that are shorter or longer.
Type typeOfBytes(mlir::MLIRContext *context, int64_t bytes,
                 int64_t elementBytes);

/// The sum of indices times strides, from `start` on.
Value placeOf(ThreadBuilder &t, ValueRange index,
              llvm::ArrayRef<int64_t> strides, Value start);

} // namespace tenon::gpu

#endif // TENON_PASSES_CODEGENGPU_MOVE_MOVEBOX_H
