//===- Buffers.h - how buffers of symbolic tensors lie ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares the numbers of a buffer's type as sizes, which its
// integers cannot be where the tensor has symbols.
//===----------------------------------------------------------------------===//
#ifndef TENON_DIALECTS_KERNEL_BUFFERS_H
#define TENON_DIALECTS_KERNEL_BUFFERS_H

#include "dialects/Graph/Size.h"
#include "dialects/Memory/Memory.h"

namespace tenon::kernel {

/// In elements, per dimension.
graph::Sizes stridesOf(memory::BufferType buffer);

/// Of the storage.
graph::Size bytesOf(memory::BufferType buffer);

} // namespace tenon::kernel

#endif // TENON_DIALECTS_KERNEL_BUFFERS_H
