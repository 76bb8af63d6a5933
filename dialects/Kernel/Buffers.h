//===- Buffers.h - the numbers of a buffer as sizes -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares the numbers of a buffer's type as sizes, which its
// integers cannot be where symbols have a say.
//===----------------------------------------------------------------------===//
#ifndef TENON_DIALECTS_KERNEL_BUFFERS_H
#define TENON_DIALECTS_KERNEL_BUFFERS_H

#include "dialects/Graph/Size.h"
#include "dialects/Memory/Memory.h"

namespace tenon::kernel {

/// In elements, per dimension.
graph::Sizes stridesOf(memory::BufferType buffer);

/// Where the first element lies, in elements.
graph::Size offsetOf(memory::BufferType buffer);

/// Of the storage.
graph::Size bytesOf(memory::BufferType buffer);

/// The type with these numbers.
memory::BufferType bufferOf(mlir::RankedTensorType tensor,
                            llvm::ArrayRef<graph::Size> strides,
                            const graph::Size &offset,
                            const graph::Size &bytes);

} // namespace tenon::kernel

#endif // TENON_DIALECTS_KERNEL_BUFFERS_H
