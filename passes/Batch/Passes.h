//===- Passes.h - how much of a batch runs at once --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TENON_PASSES_BATCH_PASSES_H
#define TENON_PASSES_BATCH_PASSES_H

#include "dialects/Kernel/Kernel.h"
#include "mlir/Pass/Pass.h"

namespace tenon::batch {

#define GEN_PASS_DECL
#include "passes/Batch/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "passes/Batch/Passes.h.inc"

} // namespace tenon::batch

#endif // TENON_PASSES_BATCH_PASSES_H
