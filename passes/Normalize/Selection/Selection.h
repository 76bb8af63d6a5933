//===- Selection.h - lowerings of what data choose --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file is private to the family; each function stands in the file of its
// operator. How large their results are is known in the run only: primitives
// of the run time compute them.
//===----------------------------------------------------------------------===//
#ifndef TENON_PASSES_NORMALIZE_SELECTION_SELECTION_H
#define TENON_PASSES_NORMALIZE_SELECTION_SELECTION_H

#include "passes/Normalize/Extents.h"
#include "passes/Normalize/Lowering.h"

namespace tenon::normalize {

Lowered lowerCompress(NormalizeContext &ctx, const Node &node);
Lowered lowerNonMaxSuppression(NormalizeContext &ctx, const Node &node);
Lowered lowerNonZero(NormalizeContext &ctx, const Node &node);
Lowered lowerUnique(NormalizeContext &ctx, const Node &node);

/// How many elements tensors of a type have at most; INT64_MAX where nobody
/// knows.
int64_t mostElements(NormalizeContext &ctx, RankedTensorType type);

/// The places of constant elements that are not zero, in row-major order;
/// nothing where `value` is no constant.
std::optional<SmallVector<int64_t>> placesOfNonZero(const NormalizeContext &ctx,
                                                    Value value);

} // namespace tenon::normalize

#endif // TENON_PASSES_NORMALIZE_SELECTION_SELECTION_H
