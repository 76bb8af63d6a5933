//===- Machine.h - LLVM's code generator for PTX ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TENON_LIB_TARGET_CUDA_MACHINE_H
#define TENON_LIB_TARGET_CUDA_MACHINE_H

#include "lib/Target/Cuda/Cuda.h"
#include "llvm/Target/TargetMachine.h"

namespace tenon::cuda {

/// Code for a row of the table. Never null.
std::unique_ptr<llvm::TargetMachine>
createMachine(const tile::GpuTarget &target);

/// Takes kernels to the LLVM and NVVM dialects, in place: those of `module`, or
/// of each module in it when it has `parts`. Error: what kernels may not hold.
llvm::Error lower(mlir::ModuleOp module, bool parts);

/// Must have been called before `generate` on modules of this context.
void registerTranslations(mlir::MLIRContext &context);

/// PTX of a module of the LLVM and NVVM dialects. Several threads may do this
/// at once, each with a module of its own. Error: an operation that LLVM IR
/// does not have, or that PTX does not have (`describe` says whose: of a
/// function's name).
llvm::Expected<std::string>
generate(mlir::ModuleOp module, const tile::GpuTarget &target,
         llvm::function_ref<std::string(llvm::StringRef)> describe);

/// Why code for a module cannot be made: the code generator ends the process
/// where it meets what PTX does not have. Success: it can.
llvm::Error
checkSupported(const llvm::Module &module, const tile::GpuTarget &target,
               llvm::function_ref<std::string(llvm::StringRef)> describe);

/// One module of several: their headers are the same, and so are shared arrays
/// of one name; no other names are.
std::string joinPtx(llvm::ArrayRef<llvm::StringRef> texts);

} // namespace tenon::cuda

#endif // TENON_LIB_TARGET_CUDA_MACHINE_H
