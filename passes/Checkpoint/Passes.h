//===- Passes.h - what a step keeps and what it computes again --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TENON_PASSES_CHECKPOINT_PASSES_H
#define TENON_PASSES_CHECKPOINT_PASSES_H

#include "dialects/Kernel/Kernel.h"
#include "mlir/Pass/Pass.h"

namespace tenon::checkpoint {

#define GEN_PASS_DECL
#include "passes/Checkpoint/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "passes/Checkpoint/Passes.h.inc"

} // namespace tenon::checkpoint

#endif // TENON_PASSES_CHECKPOINT_PASSES_H
