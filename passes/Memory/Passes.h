//===- Passes.h - from buffers to offsets -----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TENON_PASSES_MEMORY_PASSES_H
#define TENON_PASSES_MEMORY_PASSES_H

#include "dialects/Kernel/Kernel.h"
#include "mlir/Pass/Pass.h"

namespace tenon::memory {

#define GEN_PASS_DECL
#include "passes/Memory/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "passes/Memory/Passes.h.inc"

/// Names of the attributes of `@main` that hold the plan's sizes and solver.
inline constexpr llvm::StringLiteral arenaAttr = "arena_bytes";
inline constexpr llvm::StringLiteral boundAttr = "arena_lower_bound_bytes";
inline constexpr llvm::StringLiteral solverAttr = "arena_solver";

} // namespace tenon::memory

#endif // TENON_PASSES_MEMORY_PASSES_H
