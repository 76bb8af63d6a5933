//===- ElementwiseOps.h - graph operations on registers ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares the one place that knows how an element-wise graph
// operation computes: kernels of every kind use it for bodies and epilogues.
//===----------------------------------------------------------------------===//
#ifndef TENON_PASSES_CODEGEN_BUILDER_ELEMENTWISEOPS_H
#define TENON_PASSES_CODEGEN_BUILDER_ELEMENTWISEOPS_H

#include "passes/Codegen/Builder/KernelBuilder.h"

namespace tenon::codegen {

/// Computes one element-wise graph operation (any with the `Elementwise`
/// trait) on register values: vectors of `lanes` elements, or scalars when
/// `lanes` is 1. Element types come from the operation's tensor types, so
/// operands are of `b.vectorType(elementOf(operand), lanes)` and so is the
/// result. Operands are already broadcast.
///
/// 16-bit floats are computed in f32 and rounded after each operation. Only
/// instructions are emitted, never a library call. Fails with a diagnostic on
/// an operation that is not element-wise.
///
///   FailureOr<Value> y = emitElementwise(b, reluOp, {x}, 16);
mlir::FailureOr<Value> emitElementwise(KernelBuilder &b, mlir::Operation *op,
                                       ValueRange operands, int64_t lanes);

/// Whether `emitElementwise` knows the operation.
bool isElementwise(mlir::Operation *op);

/// Rough instructions per vector of the operation: 1 for an addition, about 25
/// for `exp`. Planners use it to choose unrolling and what to keep.
int64_t elementwiseCost(mlir::Operation *op);

/// Converts between element types as `graph.cast` does. `from` and `to` are
/// tensor element types with their signedness.
Value emitCast(KernelBuilder &b, Value value, Type from, Type to);

/// f16 and bf16 to f32 registers and back; other types pass unchanged.
Value widenFloat(KernelBuilder &b, Value value);
Value narrowFloat(KernelBuilder &b, Value value, Type element);

} // namespace tenon::codegen

#endif // TENON_PASSES_CODEGEN_BUILDER_ELEMENTWISEOPS_H
