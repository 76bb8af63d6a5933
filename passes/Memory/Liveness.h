//===- Liveness.h - when buffers live ---------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TENON_PASSES_MEMORY_LIVENESS_H
#define TENON_PASSES_MEMORY_LIVENESS_H

#include "dialects/Kernel/Kernel.h"
#include "lib/Memory/Problem.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tenon::memory {

/// What makes a buffer, or what it is a view of; null for an argument.
mlir::Operation *storageOf(mlir::Value buffer);

/// When each launch runs: those of a wave at one moment, all others one after
/// the other. Moments are counted in program order, from 0.
llvm::SmallVector<int64_t> momentsOf(mlir::func::FuncOp main);

/// An allocation and the moments between which it is needed: from `first` to
/// `last`, both included.
struct LiveBuffer {
  AllocOp alloc;
  int64_t first, last;
  llvm::StringRef node = {}; ///< the first ONNX node that uses it
  int64_t bytes = 0;         ///< for typical sizes, if it depends on any
};

/// The allocations of `main` in program order; uses through views count. One
/// that no launch uses lives for one moment.
llvm::SmallVector<LiveBuffer> computeLiveness(mlir::func::FuncOp main);

/// Restates moments as numbers of launches, `last` as that of the last launch
/// of a wave.
void countInLaunches(mlir::func::FuncOp main,
                     llvm::MutableArrayRef<LiveBuffer> buffers);

/// What is planned: a buffer per allocation, named by number and node.
mem::Problem problemOf(llvm::ArrayRef<LiveBuffer> buffers);

/// `n3:Conv_1`: a number and the first of the ONNX nodes, without characters
/// that could disturb a text form.
std::string nodeName(size_t index, llvm::StringRef nodes);

/// The plan that `main` holds, once it is planned.
mem::Solution solutionOf(mlir::func::FuncOp main,
                         llvm::ArrayRef<LiveBuffer> buffers);

} // namespace tenon::memory

#endif // TENON_PASSES_MEMORY_LIVENESS_H
