//===- Passes.h - in what order launches run --------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TENON_PASSES_SCHEDULE_PASSES_H
#define TENON_PASSES_SCHEDULE_PASSES_H

#include "dialects/Kernel/Kernel.h"
#include "mlir/Pass/Pass.h"

namespace tenon::schedule {

#define GEN_PASS_DECL
#include "passes/Schedule/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "passes/Schedule/Passes.h.inc"

} // namespace tenon::schedule

#endif // TENON_PASSES_SCHEDULE_PASSES_H
