//===- Passes.h - passes of the normalize stage -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares the passes of Passes.td. The stage takes a module of
// `onnx` operations and leaves one of `graph` operations (README.md).
//===----------------------------------------------------------------------===//
#ifndef TENON_PASSES_NORMALIZE_PASSES_H
#define TENON_PASSES_NORMALIZE_PASSES_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace tenon {
#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "passes/Normalize/Passes.h.inc"
} // namespace tenon

#endif // TENON_PASSES_NORMALIZE_PASSES_H
