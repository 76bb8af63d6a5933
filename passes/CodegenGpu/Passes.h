//===- Passes.h - from groups to kernels of GPUs ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TENON_PASSES_CODEGENGPU_PASSES_H
#define TENON_PASSES_CODEGENGPU_PASSES_H

#include "mlir/Pass/Pass.h"

namespace tenon::gpu {

#define GEN_PASS_DECL
#include "passes/CodegenGpu/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "passes/CodegenGpu/Passes.h.inc"

} // namespace tenon::gpu

#endif // TENON_PASSES_CODEGENGPU_PASSES_H
