//===- Reduction.h - lowerings of the reduction family ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file is private to the family; each function stands in the file of its
// operator.
//===----------------------------------------------------------------------===//
#ifndef TENON_PASSES_NORMALIZE_REDUCTION_REDUCTION_H
#define TENON_PASSES_NORMALIZE_REDUCTION_REDUCTION_H

#include "passes/Normalize/Lowering.h"
#include "passes/Normalize/Shapes.h"

namespace tenon::normalize {

Lowered lowerArgMax(NormalizeContext &ctx, const Node &node);
Lowered lowerArgMin(NormalizeContext &ctx, const Node &node);
Lowered lowerCumProd(NormalizeContext &ctx, const Node &node);
Lowered lowerCumSum(NormalizeContext &ctx, const Node &node);
Lowered lowerHardmax(NormalizeContext &ctx, const Node &node);
Lowered lowerLogSoftmax(NormalizeContext &ctx, const Node &node);
Lowered lowerSoftmax(NormalizeContext &ctx, const Node &node);
Lowered lowerTopK(NormalizeContext &ctx, const Node &node);

/// ReduceSum, ReduceMean... ReduceLogSumExp.
void populateReduceLowerings(LoweringTable &table);

} // namespace tenon::normalize

#endif // TENON_PASSES_NORMALIZE_REDUCTION_REDUCTION_H
