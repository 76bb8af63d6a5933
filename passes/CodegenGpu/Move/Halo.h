//===- Halo.h - clears the border of a buffer by vectors --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TENON_PASSES_CODEGENGPU_MOVE_HALO_H
#define TENON_PASSES_CODEGENGPU_MOVE_HALO_H

#include "passes/Codegen/Programs/Kernels.h"
#include "passes/CodegenGpu/Strategy.h"

namespace tenon::gpu {

/// The kernel, where the buffer's sizes are known: a thread for each vector of
/// the padded box, which clears it if its pixel is none of the tensor's.
std::optional<codegen::Kernel>
emitHalo(mlir::ModuleOp module, mlir::Location loc, memory::BufferType buffer,
         llvm::StringRef name, const tile::GpuTarget &target);

} // namespace tenon::gpu

#endif // TENON_PASSES_CODEGENGPU_MOVE_HALO_H
