//===- Alternate.h - independent chains taking turns ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TENON_PASSES_CODEGEN_BUILDER_ALTERNATE_H
#define TENON_PASSES_CODEGEN_BUILDER_ALTERNATE_H

#include "passes/Codegen/Builder/KernelBuilder.h"

namespace tenon::codegen {

/// So many chains of a function hide the latencies of each other, and fit into
/// 16 registers with constants in memory.
constexpr int64_t chainsTogether = 4;

/// Calls `emit(0)` to `emit(count - 1)` and lets what they build take turns,
/// operation by operation, so that none waits for the whole chain of another
/// in the processor's queues:
///
///     a0 a1 a2  b0 b1 b2   ->   a0 b0 a1 b1 a2 b2
///
/// A later call may use values of an earlier one, but neither read nor write
/// what another one writes to memory.
void alternate(KernelBuilder &b, int64_t count,
               llvm::function_ref<void(int64_t number)> emit);

} // namespace tenon::codegen

#endif // TENON_PASSES_CODEGEN_BUILDER_ALTERNATE_H
