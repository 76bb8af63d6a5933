//===- Buffers.cpp - how buffers of symbolic tensors lie ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dialects/Kernel/Buffers.h"

#include "dialects/Graph/Graph.h"

using namespace mlir;
using namespace tenon;

graph::Sizes kernel::stridesOf(memory::BufferType buffer) {
  if (!buffer.getTensor().hasStaticShape())
    return graph::denseStrides(graph::sizesOf(buffer.getTensor()));
  auto strides = buffer.getStrides();
  return graph::Sizes(strides.begin(), strides.end());
}

graph::Size kernel::bytesOf(memory::BufferType buffer) {
  if (buffer.getTensor().hasStaticShape())
    return buffer.getBytes();
  return graph::productOf(graph::sizesOf(buffer.getTensor())) *
         graph::elementBytes(buffer.getElementType());
}
