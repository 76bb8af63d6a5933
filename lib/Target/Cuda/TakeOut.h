//===- TakeOut.h - each kernel in a module of its own -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TENON_LIB_TARGET_CUDA_TAKEOUT_H
#define TENON_LIB_TARGET_CUDA_TAKEOUT_H

#include "lib/Target/Cuda/Cuda.h"

namespace tenon::cuda {

/// A kernel with what it calls and reads.
struct TakenKernel {
  mlir::ModuleOp module;
  mlir::Location location;
  std::string name;   ///< that the program has
  std::string symbol; ///< that says what it does, and for which device
  size_t textBytes = 0;
};

/// Takes the kernels out of `module`, in their order.
std::vector<TakenKernel> takeOutKernels(mlir::ModuleOp module,
                                        const tile::GpuTarget &target);

} // namespace tenon::cuda

#endif // TENON_LIB_TARGET_CUDA_TAKEOUT_H
