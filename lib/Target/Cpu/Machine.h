//===- Machine.h - LLVM's code generator for a target -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TENON_LIB_TARGET_CPU_MACHINE_H
#define TENON_LIB_TARGET_CPU_MACHINE_H

#include "lib/Target/Cpu/Cpu.h"
#include "llvm/Target/TargetMachine.h"

namespace tenon::cpu {

/// Position-independent code for a resolved target. Never null.
std::unique_ptr<llvm::TargetMachine> createMachine(const CpuTarget &target);

} // namespace tenon::cpu

#endif // TENON_LIB_TARGET_CPU_MACHINE_H
