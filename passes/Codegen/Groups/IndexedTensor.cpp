//===- IndexedTensor.cpp - tensors by the indices of a result -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/Codegen/Groups/IndexedTensor.h"

#include "dialects/Kernel/Buffers.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::codegen;

SmallVector<graph::Size, 6> codegen::broadcastStrides(memory::BufferType buffer,
                                                      size_t rank) {
  SmallVector<graph::Size, 6> strides(rank, 0);
  graph::Sizes lie = kernel::stridesOf(buffer);
  size_t own = lie.size();
  for (size_t i = 0; i < own; ++i)
    if (buffer.getShape()[i] != 1 && rank + i >= own)
      strides[rank - own + i] = lie[i];
  return strides;
}
