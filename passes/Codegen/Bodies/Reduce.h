//===- Reduce.h - accumulators of a loop nest -------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TENON_PASSES_CODEGEN_BODIES_REDUCE_H
#define TENON_PASSES_CODEGEN_BODIES_REDUCE_H

#include "passes/Codegen/Builder/KernelBuilder.h"

namespace tenon::codegen {

/// A `graph.reduce_*`.
struct Reduction {
  mlir::Operation *op;
  /// A maximum that may pass over NaN: one instruction instead of four.
  bool dropsNan = false;
};

/// Whether it adds floats, so that rounding depends on the order.
bool isFloatSum(const Reduction &reduce);

/// The type in which a reduction of `element`s accumulates, `lanes` wide: f32
/// for 16-bit floats.
Type accumulatorType(KernelBuilder &b, Type element, int64_t lanes);

/// The value that changes no accumulator.
Value neutralValue(KernelBuilder &b, const Reduction &reduce, Type type);

/// The accumulator after a value of the operation's element type (or another
/// accumulator).
Value accumulate(KernelBuilder &b, const Reduction &reduce, Value accumulator,
                 Value value);

/// All lanes of an accumulator in one.
Value combineLanes(KernelBuilder &b, const Reduction &reduce, Value value);

/// The same of each of some rows, beside each other: of one row, a scalar.
/// Several share instructions.
Value combineRows(KernelBuilder &b, const Reduction &reduce,
                  mlir::ValueRange rows);

/// The result, in the operation's element type, after `count` elements.
Value finishReduction(KernelBuilder &b, const Reduction &reduce, Value value,
                      const Size &count);

} // namespace tenon::codegen

#endif // TENON_PASSES_CODEGEN_BODIES_REDUCE_H
