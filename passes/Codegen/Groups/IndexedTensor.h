//===- IndexedTensor.h - tensors by the indices of a result -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TENON_PASSES_CODEGEN_GROUPS_INDEXEDTENSOR_H
#define TENON_PASSES_CODEGEN_GROUPS_INDEXEDTENSOR_H

#include "dialects/Graph/Size.h"
#include "dialects/Memory/Memory.h"

namespace tenon::codegen {

/// A tensor addressed by the indices of the anchor's result: a result of the
/// group, or an operand of its epilogue. Broadcast dimensions have stride 0.
struct IndexedTensor {
  unsigned buffer = 0; ///< of the kernel
  mlir::Value value;   ///< what is yielded, or the block argument
  mlir::Type element;
  graph::Size offset = 0;
  llvm::SmallVector<graph::Size, 6> strides; ///< per dimension of the result
};

/// Strides of `buffer` for the indices of a result with these dimensions, by
/// the broadcasting rules.
llvm::SmallVector<graph::Size, 6>
broadcastStrides(memory::BufferType buffer, llvm::ArrayRef<graph::Size> result);

} // namespace tenon::codegen

#endif // TENON_PASSES_CODEGEN_GROUPS_INDEXEDTENSOR_H
