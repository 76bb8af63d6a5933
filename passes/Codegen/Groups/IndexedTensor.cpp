//===- IndexedTensor.cpp - tensors by the indices of a result -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/Codegen/Groups/IndexedTensor.h"

#include "dialects/Kernel/Buffers.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::codegen;

SmallVector<graph::Size, 6>
codegen::broadcastStrides(memory::BufferType buffer,
                          ArrayRef<graph::Size> result) {
  SmallVector<graph::Size, 6> strides(result.size(), 0);
  graph::Sizes shape = graph::sizesOf(buffer.getTensor());
  graph::Sizes lie = kernel::stridesOf(buffer);
  size_t own = lie.size();
  for (size_t i = 0; i < own; ++i)
    if (size_t dim = result.size() + i - own; result.size() + i >= own)
      strides[dim] = graph::broadcastStride(shape[i], result[dim], lie[i]);
  return strides;
}
