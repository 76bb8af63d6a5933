//===- ThreadFunction.h - CPU kernels in GPU threads ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TENON_PASSES_CODEGENGPU_THREADS_THREADFUNCTION_H
#define TENON_PASSES_CODEGENGPU_THREADS_THREADFUNCTION_H

#include "lib/Tile/Gpu.h"
#include "passes/Codegen/Programs/Kernels.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace tenon::gpu {

using codegen::Value;

/// How tiles are dealt out to threads.
struct ThreadGrid {
  codegen::Size tiles = 1; ///< of a step
  codegen::Size steps = 1;
  int64_t perThread = 1; ///< tiles that follow each other
  int64_t threads = 1;   ///< of a block

  codegen::Size blocks() const { return tiles.ceilDiv(threads * perThread); }
};

/// What a kernel gets pointers to.
struct ThreadBuffers {
  unsigned tensors, scratch = 0;
  int64_t threadScratch = 0; ///< bytes that each thread has for itself
};

/// `llvm.func @name(buffers, sizes[, first])`, whose threads have a tile each:
///
///   number = block * threads + thread
///   if (number * perThread < tiles) { body }
///
/// Neighbouring threads have neighbouring tiles. How many there are is known
/// when the body stands; until then placeholders stand for what follows from
/// it.
struct ThreadFunction : codegen::KernelFunction {
  /// Opens it at the end of `module`. Where threads have scratch, theirs is the
  /// first of the scratch buffers.
  ThreadFunction(mlir::ModuleOp module, mlir::Location loc,
                 llvm::StringRef name, const ThreadBuffers &given);
  /// Terminates it; nothing may be built afterwards.
  void finish(const ThreadGrid &grid);
  /// Says of a buffer, or of all scratch, what its address is a multiple of;
  /// when it is finished.
  void setAlignment(unsigned buffer, int64_t bytes);
  void setScratchAlignment(int64_t bytes);
  /// Says of a buffer that no other one shares its storage, and whether it is
  /// only read; when it is finished.
  void setAlone(unsigned buffer, bool isRead);
  /// A parameter.
  Value size(mlir::Attribute dim) override;

private:
  Value sizeOf(mlir::OpBuilder &b, const codegen::Size &value);
  Value constant(mlir::OpBuilder &b, int64_t value);
  Value addNumber();
  Value firstOfStep(mlir::OpBuilder &b, const ThreadGrid &grid);
  void replace(Value placeholder, Value value);

  mlir::LLVM::LLVMFuncOp function;
  unsigned numPointers, numTensors;
  Value number;       ///< of the thread
  Value threads, has; ///< placeholders, as `tiles`
};

} // namespace tenon::gpu

#endif // TENON_PASSES_CODEGENGPU_THREADS_THREADFUNCTION_H
