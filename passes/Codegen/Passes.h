//===- Passes.h - from groups to kernels ------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TENON_PASSES_CODEGEN_PASSES_H
#define TENON_PASSES_CODEGEN_PASSES_H

#include "mlir/Pass/Pass.h"

namespace tenon::codegen {

#define GEN_PASS_DECL
#include "passes/Codegen/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "passes/Codegen/Passes.h.inc"

} // namespace tenon::codegen

#endif // TENON_PASSES_CODEGEN_PASSES_H
