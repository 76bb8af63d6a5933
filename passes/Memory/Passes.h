//===- Passes.h - from buffers to offsets -----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TENON_PASSES_MEMORY_PASSES_H
#define TENON_PASSES_MEMORY_PASSES_H

#include "dialects/Kernel/Kernel.h"
#include "mlir/Pass/Pass.h"
#include "passes/Memory/PlanArena.h"

namespace tenon::memory {

#define GEN_PASS_DECL
#include "passes/Memory/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "passes/Memory/Passes.h.inc"

} // namespace tenon::memory

#endif // TENON_PASSES_MEMORY_PASSES_H
