//===- ElementwiseInt.h - graph operations on integers ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TENON_PASSES_CODEGEN_BUILDER_ELEMENTWISEINT_H
#define TENON_PASSES_CODEGEN_BUILDER_ELEMENTWISEINT_H

#include "passes/Codegen/Builder/KernelBuilder.h"

namespace tenon::codegen {

/// `emitElementwise` for operations on integers and i1. Fails silently on one
/// that has no meaning there.
mlir::FailureOr<Value> emitInteger(KernelBuilder &b, mlir::Operation *op,
                                   ValueRange operands);

} // namespace tenon::codegen

#endif // TENON_PASSES_CODEGEN_BUILDER_ELEMENTWISEINT_H
