//===- Contraction.h - lowerings of products and convolutions ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file is private to the family; each function stands in the file of its
// operator.
//===----------------------------------------------------------------------===//
#ifndef TENON_PASSES_NORMALIZE_CONTRACTION_CONTRACTION_H
#define TENON_PASSES_NORMALIZE_CONTRACTION_CONTRACTION_H

#include "passes/Normalize/Lowering.h"
#include "passes/Normalize/Shapes.h"
#include "passes/Normalize/Spatial.h"

namespace tenon::normalize {

Lowered lowerAffineGrid(NormalizeContext &ctx, const Node &node);
Lowered lowerCausalConvWithState(NormalizeContext &ctx, const Node &node);
Lowered lowerConv(NormalizeContext &ctx, const Node &node);
Lowered lowerConvTranspose(NormalizeContext &ctx, const Node &node);
Lowered lowerEinsum(NormalizeContext &ctx, const Node &node);
Lowered lowerGemm(NormalizeContext &ctx, const Node &node);
Lowered lowerMatMul(NormalizeContext &ctx, const Node &node);

} // namespace tenon::normalize

#endif // TENON_PASSES_NORMALIZE_CONTRACTION_CONTRACTION_H
