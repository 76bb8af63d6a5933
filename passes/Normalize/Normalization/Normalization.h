//===- Normalization.h - lowerings of normalisations ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file is private to the family; each function stands in the file of its
// operator.
//===----------------------------------------------------------------------===//
#ifndef TENON_PASSES_NORMALIZE_NORMALIZATION_NORMALIZATION_H
#define TENON_PASSES_NORMALIZE_NORMALIZATION_NORMALIZATION_H

#include "passes/Normalize/Lowering.h"
#include "passes/Normalize/Shapes.h"

namespace tenon::normalize {

Lowered lowerBatchNormalization(NormalizeContext &ctx, const Node &node);
Lowered lowerGroupNormalization(NormalizeContext &ctx, const Node &node);
Lowered lowerInstanceNormalization(NormalizeContext &ctx, const Node &node);
Lowered lowerLayerNormalization(NormalizeContext &ctx, const Node &node);
Lowered lowerLpNormalization(NormalizeContext &ctx, const Node &node);
Lowered lowerLRN(NormalizeContext &ctx, const Node &node);
Lowered lowerMeanVarianceNormalization(NormalizeContext &ctx, const Node &node);
Lowered lowerRMSNormalization(NormalizeContext &ctx, const Node &node);

/// The element type in which statistics of `element` are taken: f32 for the
/// narrower floats.
mlir::Type statisticsType(mlir::Type element);

/// layer_norm of `input` over dimensions `axis` and up in statisticsType, the
/// result in the element type of `input`; `bias` may be null.
Value layerNorm(NormalizeContext &ctx, Value input, Value scale, Value bias,
                int64_t axis, float epsilon);

} // namespace tenon::normalize

#endif // TENON_PASSES_NORMALIZE_NORMALIZATION_NORMALIZATION_H
