//===- Passes.h - from operations to groups ---------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TENON_PASSES_FUSE_PASSES_H
#define TENON_PASSES_FUSE_PASSES_H

#include "dialects/Kernel/Kernel.h"
#include "mlir/Pass/Pass.h"

namespace tenon::fuse {

#define GEN_PASS_DECL
#include "passes/Fuse/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "passes/Fuse/Passes.h.inc"

} // namespace tenon::fuse

#endif // TENON_PASSES_FUSE_PASSES_H
