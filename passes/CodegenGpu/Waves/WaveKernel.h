//===- WaveKernel.h - one kernel of several -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TENON_PASSES_CODEGENGPU_WAVES_WAVEKERNEL_H
#define TENON_PASSES_CODEGENGPU_WAVES_WAVEKERNEL_H

#include "dialects/Kernel/Kernel.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace tenon::gpu {

/// The kernel of launches that run as one: its first blocks are those of the
/// first launch, and so on.
///
///   wave(maps of all, reads of all, writes of all, scratch of all):
///     if block < 8: first(block) else: second(block - 8)
///
/// Launches of one kernel that follow each other share its body, which picks
/// what it is passed. A member that is not programmatic waits for the kernels
/// before if another one is. The members' functions stay as they are: each is
/// an `llvm.func` of one block, whose number is all it knows of the grid, and
/// all have as many threads and equal clusters.
mlir::LLVM::LLVMFuncOp
buildWaveKernel(mlir::ModuleOp module, llvm::StringRef name,
                llvm::ArrayRef<kernel::LaunchOp> members);

/// Where the operands of each member are among those of a wave: reads of all
/// members, then what they write, then their scratch.
std::vector<llvm::SmallVector<unsigned>>
operandPlaces(llvm::ArrayRef<kernel::LaunchOp> members);

/// The function of a launch.
mlir::LLVM::LLVMFuncOp kernelOf(kernel::LaunchOp launch);

/// Blocks of a launch, along x.
int64_t blocksOf(kernel::LaunchOp launch);

} // namespace tenon::gpu

#endif // TENON_PASSES_CODEGENGPU_WAVES_WAVEKERNEL_H
