//===- Threads.h - every CPU kernel, by a thread for a tile -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares the way that takes any group: planned and emitted as for a
// CPU with very many threads. It is right for all operations and fast for few.
//===----------------------------------------------------------------------===//
#ifndef TENON_PASSES_CODEGENGPU_THREADS_THREADS_H
#define TENON_PASSES_CODEGENGPU_THREADS_THREADS_H

#include "lib/Cost/StageCost.h"
#include "passes/Codegen/Programs/Kernels.h"
#include "passes/CodegenGpu/GpuDevice.h"
#include "passes/CodegenGpu/Strategy.h"

namespace tenon::gpu {

/// The plan of a processor's strategy for the threads of a GPU, and its time.
mlir::FailureOr<StageChoice> planThreads(kernel::GroupOp group,
                                         const GpuDevice &device);

/// Elements of the results that a thread with such a plan of processors
/// computes one after the other.
double elementsInTurn(kernel::GroupOp group, kernel::PlanAttr plan);
/// Microseconds of code of processors: of what a thread does one after the
/// other, which is `part` of the work. Few run, so that it waits for each
/// operation, and longer for what it loads and stores.
double timeInTurn(const cost::StageWork &work, double part);
/// Of all threads: traffic that half coalesces, and arithmetic that waits for
/// it.
double timeOfAll(const cost::StageWork &work, const tile::GpuTarget &target);

/// Threads of a block, few where there are few tiles, so that all processors
/// have some; and so many tiles to a thread that the scratch of all threads
/// stays small. Any would be right: sizes of `module`'s symbols are typical.
int64_t blockThreads(const codegen::Size &tiles, const tile::GpuTarget &target,
                     mlir::ModuleOp module);
int64_t tilesPerThread(const codegen::Size &tiles, int64_t scratch,
                       mlir::ModuleOp module);

/// The kernel of a group with such a plan, called `name`.
mlir::FailureOr<codegen::Kernel> emitThreads(mlir::ModuleOp module,
                                             kernel::GroupOp group,
                                             llvm::StringRef name,
                                             const GpuDevice &device);

/// That which clears the border of a buffer.
codegen::Kernel emitThreadsZeroHalo(mlir::ModuleOp module, mlir::Location loc,
                                    memory::BufferType buffer,
                                    llvm::StringRef name,
                                    const tile::GpuTarget &target);

} // namespace tenon::gpu

#endif // TENON_PASSES_CODEGENGPU_THREADS_THREADS_H
