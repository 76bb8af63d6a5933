//===- Machine.h - LLVM's code generator for a target -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TENON_LIB_TARGET_CPU_MACHINE_H
#define TENON_LIB_TARGET_CPU_MACHINE_H

#include "lib/Target/Cpu/Cpu.h"
#include "llvm/Target/TargetMachine.h"

namespace tenon::cpu {

/// Position-independent code for a resolved target. Never null.
std::unique_ptr<llvm::TargetMachine> createMachine(const CpuTarget &target);

/// Makes i16 of all f16 and bf16 in kernels that no conversion reads or makes.
void moveHalvesAsBits(mlir::ModuleOp module);

/// The symbols that an object needs from elsewhere, sorted. Error: no object.
llvm::Expected<std::vector<std::string>> importsOf(const Object &object);

/// Takes kernels to the LLVM dialect, in place: those of `module`, or of each
/// module in it when it has `parts`. Error: what kernels may not hold.
llvm::Error lower(mlir::ModuleOp module, bool parts);

/// Must have been called before `generate` on modules of this context.
void registerTranslations(mlir::MLIRContext &context);

/// Machine code of a module of the LLVM dialect, as an object or as text.
/// Several threads may do this at once, each with a module of its own. Error:
/// an operation that LLVM IR does not have.
llvm::Expected<Object> generate(mlir::ModuleOp module, const CpuTarget &target,
                                llvm::CodeGenFileType type);

} // namespace tenon::cpu

#endif // TENON_LIB_TARGET_CPU_MACHINE_H
