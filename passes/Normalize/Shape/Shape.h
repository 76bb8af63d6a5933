//===- Shape.h - lowerings of shape arithmetic ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file is private to the family; each function stands in the file of its
// operator.
//===----------------------------------------------------------------------===//
#ifndef TENON_PASSES_NORMALIZE_SHAPE_SHAPE_H
#define TENON_PASSES_NORMALIZE_SHAPE_SHAPE_H

#include "passes/Normalize/Lowering.h"
#include "passes/Normalize/Shapes.h"

namespace tenon::normalize {

Lowered lowerConstantOfShape(NormalizeContext &ctx, const Node &node);
Lowered lowerRange(NormalizeContext &ctx, const Node &node);
Lowered lowerShape(NormalizeContext &ctx, const Node &node);
Lowered lowerSize(NormalizeContext &ctx, const Node &node);

/// The elements of a shape operand: none negative, the product of those that
/// are numbers not out of bounds. Refuses otherwise.
std::optional<Dims> shapeOperand(NormalizeContext &ctx, const Node &node,
                                 unsigned index);

} // namespace tenon::normalize

#endif // TENON_PASSES_NORMALIZE_SHAPE_SHAPE_H
