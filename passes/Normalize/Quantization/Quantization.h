//===- Quantization.h - lowerings of quantised operators --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file is private to the family; each function stands in the file of its
// operator.
//===----------------------------------------------------------------------===//
#ifndef TENON_PASSES_NORMALIZE_QUANTIZATION_QUANTIZATION_H
#define TENON_PASSES_NORMALIZE_QUANTIZATION_QUANTIZATION_H

#include "passes/Normalize/Lowering.h"
#include "passes/Normalize/Shapes.h"

namespace tenon::normalize {

Lowered lowerConvInteger(NormalizeContext &ctx, const Node &node);
Lowered lowerDequantizeLinear(NormalizeContext &ctx, const Node &node);
Lowered lowerMatMulInteger(NormalizeContext &ctx, const Node &node);
Lowered lowerQLinearConv(NormalizeContext &ctx, const Node &node);
Lowered lowerQLinearMatMul(NormalizeContext &ctx, const Node &node);
Lowered lowerQuantizeLinear(NormalizeContext &ctx, const Node &node);

/// A scale or zero point (operand `index`, present) in a shape that broadcasts
/// over operand 0: one value, one per element of `axis`, or one per block of
/// `block_size` elements along it.
Value quantizationParameter(NormalizeContext &ctx, const Node &node,
                            unsigned index);

/// A vector of numbers, one for each row of `matrix`, as a column beside it.
Value column(NormalizeContext &ctx, Value vector, Value matrix);

/// A tensor of integers: the numbers of the operands that it and its zero point
/// are.
struct Quantized {
  unsigned data, zero;
};

/// A convolution in i32, zero points taken off before.
Value convolveIntegers(NormalizeContext &ctx, const Node &node, Quantized input,
                       Quantized filter);

/// `whole` (whole numbers, or numbers to be narrowed) plus a zero point, which
/// may be null, limited to what `element` holds.
Value saturated(NormalizeContext &ctx, Value whole, Value zero,
                mlir::Type element);

} // namespace tenon::normalize

#endif // TENON_PASSES_NORMALIZE_QUANTIZATION_QUANTIZATION_H
