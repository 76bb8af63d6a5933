//===- ZeroHalo.h - clears the border of a buffer ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TENON_PASSES_CODEGEN_BODIES_ZEROHALO_H
#define TENON_PASSES_CODEGEN_BODIES_ZEROHALO_H

#include "dialects/Memory/Memory.h"
#include "passes/Codegen/Builder/KernelBuilder.h"

namespace tenon::codegen {

/// How many bytes of a buffer, which is row-major over some box, lie around
/// the pixels of its tensor. What lies between channels and the next pixel is
/// never read.
Size haloBytes(memory::BufferType buffer);
/// Whether there are some, for some sizes at least.
bool hasHaloBytes(memory::BufferType buffer);

/// One dimension of the padded box, in elements.
struct PaddedDim {
  int64_t low;               ///< halo before
  Size size, extent, stride; ///< tensor, all, pitch
};

/// Recovers the padded box from strides and offset: a dimension's padded extent
/// is the ratio of the stride before it to its own. Empty where it is none.
llvm::SmallVector<PaddedDim> paddedBox(memory::BufferType buffer);

/// Emits the code of a stage of one buffer that zeroes those bytes and leaves
/// the tensor alone.
void emitZeroHalo(KernelBuilder &b, memory::BufferType buffer);
/// Its launch tiles.
int64_t zeroHaloTiles(KernelBuilder &b, memory::BufferType buffer);

} // namespace tenon::codegen

#endif // TENON_PASSES_CODEGEN_BODIES_ZEROHALO_H
