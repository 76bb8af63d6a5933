//===- Cuda.h - kernels to PTX and cubins -----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares the steps from kernel functions to modules that a driver
// loads: resolve the devices, make PTX in process, assemble it where the tools
// for that are installed.
//===----------------------------------------------------------------------===//
#ifndef TENON_LIB_TARGET_CUDA_CUDA_H
#define TENON_LIB_TARGET_CUDA_CUDA_H

#include "lib/Target/Cache/KernelCache.h"
#include "lib/Tile/Gpu.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/BuiltinOps.h"

namespace tenon::cuda {

/// Resolves a user's `--device`: "cuda" (Hopper, and what all newer ones run),
/// or "cuda:" with architectures behind it, "cuda:sm_90a,sm_80". The newest
/// comes first. Errors: an unknown device; a name that occurs twice.
llvm::Expected<std::vector<const tile::GpuTarget *>>
resolveDevices(llvm::StringRef text);

/// A variant's name: "cuda-sm_90a".
std::string variantName(const tile::GpuTarget &target);

/// Whether a function is launched.
bool isKernel(mlir::LLVM::LLVMFuncOp function);

/// What the assembler says of a kernel; -1: nothing.
struct KernelUse {
  int64_t registers = -1;   ///< of a thread
  int64_t sharedBytes = -1; ///< of a block, without the dynamic ones
  int64_t spillBytes = -1;  ///< stored to local memory by a thread
};

/// Kernels that are loaded together.
struct Module {
  std::string ptx;
  CodeBytes cubin = {}; ///< empty: not assembled
};

/// Where a kernel is.
struct PlacedKernel {
  std::string symbol;
  uint32_t module = 0;
  KernelUse use = {};
};

/// The kernels of a program as modules.
struct CompiledKernels {
  std::vector<Module> modules;
  /// In the order of the functions; equal ones share a place.
  std::vector<PlacedKernel> kernels;
  size_t compiled = 0;   ///< the other kernels' PTX came from the cache
  size_t cached = 0;     ///< these
  std::string assembler; ///< that made the cubins; empty: there is none
  std::string warning;   ///< why the cache could not be used, else empty
  /// What the assembler warns of: spills, serialised products.
  std::vector<std::string> remarks = {};
};

/// Compiles the kernels (`llvm.func` with `nvvm.kernel`) of a module, with what
/// they call and read, with `jobs` threads; those apart that `cache` (null:
/// none) has. Takes them out of the module. The bytes depend neither on `jobs`
/// nor on the cache, but on the assembler that is installed. Errors name the
/// kernel and its ONNX nodes: something that PTX does not have; what the
/// assembler refuses.
llvm::Expected<CompiledKernels> compileKernels(mlir::ModuleOp kernels,
                                               const tile::GpuTarget &target,
                                               unsigned jobs,
                                               const KernelCache *cache);

/// The same as PTX alone, under the functions' own names. The module is lowered
/// in place.
llvm::Expected<std::string> compileToPtx(mlir::ModuleOp kernels,
                                         const tile::GpuTarget &target);

/// Bytes [offset, offset + size) of an image.
struct PlacedModule {
  bool isCubin = false;
  uint32_t unit = 0; ///< the number of the module that it is a form of
  uint64_t offset = 0, size = 0;
};

/// Modules one after the other, cubins before the PTX that they are made of.
struct Image {
  std::vector<char> bytes;
  std::vector<PlacedModule> modules;
};

/// Lays modules out, each at a multiple of `alignment`.
Image layOut(llvm::ArrayRef<Module> modules, uint64_t alignment);

} // namespace tenon::cuda

#endif // TENON_LIB_TARGET_CUDA_CUDA_H
