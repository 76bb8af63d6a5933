//===- Elementwise.h - lowerings of the element-wise family -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file is private to the family; each function stands in the file of its
// operator.
//===----------------------------------------------------------------------===//
#ifndef TENON_PASSES_NORMALIZE_ELEMENTWISE_ELEMENTWISE_H
#define TENON_PASSES_NORMALIZE_ELEMENTWISE_ELEMENTWISE_H

#include "passes/Normalize/Lowering.h"
#include "passes/Normalize/Shapes.h"

namespace tenon::normalize {

Lowered lowerBitCast(NormalizeContext &ctx, const Node &node);
Lowered lowerBitShift(NormalizeContext &ctx, const Node &node);
Lowered lowerCast(NormalizeContext &ctx, const Node &node);
Lowered lowerCastLike(NormalizeContext &ctx, const Node &node);
Lowered lowerClip(NormalizeContext &ctx, const Node &node);
Lowered lowerIsInf(NormalizeContext &ctx, const Node &node);
Lowered lowerMod(NormalizeContext &ctx, const Node &node);
Lowered lowerPow(NormalizeContext &ctx, const Node &node);

/// Operand 0 cast as the node's attributes 'saturate' and 'round_mode' say.
Lowered castAsStated(NormalizeContext &ctx, const Node &node,
                     mlir::Type element);

/// Elu, HardSigmoid, Gelu and the other activations made of a few primitives.
void populateActivationLowerings(LoweringTable &table);

} // namespace tenon::normalize

#endif // TENON_PASSES_NORMALIZE_ELEMENTWISE_ELEMENTWISE_H
