//===- Cpu.h - what this processor and process offer --------------*- C -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares the queries about the machine.
//===----------------------------------------------------------------------===//
#ifndef TENON_RUNTIME_BASE_CPU_H
#define TENON_RUNTIME_BASE_CPU_H

#include <stdint.h>

/// The architecture (enum tenon_architecture), or 0 when the format has none
/// for it.
uint32_t tenonCpuArchitecture(void);

/// "x86-64", "aarch64", or "an unknown architecture".
const char *tenonArchitectureName(uint32_t architecture);

/// The feature bits of the format that this processor has, and the operating
/// system has switched on.
uint64_t tenonCpuFeatures(void);

/// What of `needed` this process cannot have. Asks the operating system for the
/// registers of the matrix unit where `needed` has it: signal stacks grow by
/// their 8 KiB, so no process asks in vain.
uint64_t tenonCpuMissing(uint64_t needed);

/// LLVM's name of the lowest bit in this architecture's `features`, or "an
/// unknown extension".
const char *tenonCpuFeatureName(uint64_t features);

/// The width of the vectors in code that needs `features`: 128, 256 or 512
/// bits, as the compiler chooses it (lib/Target/Cpu/Resolve.cpp).
int32_t tenonCpuVectorBits(uint64_t features);

/// Processors that this process may use: its affinity mask, and no more than
/// the CPU quota of its control groups rounded up. At least 1.
int32_t tenonCpuCount(void);

#endif // TENON_RUNTIME_BASE_CPU_H
