//===- Buffers.cpp - the numbers of a buffer as sizes ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dialects/Kernel/Buffers.h"

using namespace mlir;
using namespace tenon;
using graph::Size;

graph::Sizes kernel::stridesOf(memory::BufferType buffer) {
  graph::Sizes strides;
  for (auto [i, stride] : llvm::enumerate(buffer.getStrides()))
    strides.push_back(buffer.getSizes() ? Size(buffer.getSizes()[i])
                                        : Size(stride));
  return strides;
}

Size kernel::offsetOf(memory::BufferType buffer) {
  size_t rank = buffer.getStrides().size();
  return buffer.getSizes() ? Size(buffer.getSizes()[rank])
                           : Size(buffer.getOffset());
}

Size kernel::bytesOf(memory::BufferType buffer) {
  size_t rank = buffer.getStrides().size();
  return buffer.getSizes() ? Size(buffer.getSizes()[rank + 1])
                           : Size(buffer.getBytes());
}

memory::BufferType kernel::bufferOf(RankedTensorType tensor,
                                    ArrayRef<Size> strides, const Size &offset,
                                    const Size &bytes) {
  MLIRContext *context = tensor.getContext();
  SmallVector<Attribute> sizes;
  for (const Size &stride : strides)
    sizes.push_back(stride.dim(context));
  sizes.push_back(offset.dim(context));
  sizes.push_back(bytes.dim(context));
  return memory::BufferType::getSized(tensor, sizes);
}
