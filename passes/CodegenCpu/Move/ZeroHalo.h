//===- ZeroHalo.h - clears the border of a buffer ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TENON_PASSES_CODEGENCPU_MOVE_ZEROHALO_H
#define TENON_PASSES_CODEGENCPU_MOVE_ZEROHALO_H

#include "dialects/Memory/Memory.h"
#include "lib/Tile/Target.h"
#include "mlir/IR/BuiltinOps.h"

namespace tenon::codegen {

/// Whether a buffer has bytes outside of its tensor.
bool hasHalo(memory::BufferType buffer);

/// How many bytes those are.
int64_t haloBytes(memory::BufferType buffer);

/// Emits a kernel of one buffer and one tile that zeroes every byte outside of
/// the tensor and leaves the tensor alone.
void emitZeroHalo(mlir::ModuleOp module, mlir::Location loc,
                  llvm::StringRef name, memory::BufferType buffer,
                  const tile::Target &target);

} // namespace tenon::codegen

#endif // TENON_PASSES_CODEGENCPU_MOVE_ZEROHALO_H
