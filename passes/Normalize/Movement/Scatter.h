//===- Scatter.h - what scatters share --------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TENON_PASSES_NORMALIZE_MOVEMENT_SCATTER_H
#define TENON_PASSES_NORMALIZE_MOVEMENT_SCATTER_H

#include "passes/Normalize/Context.h"
#include "passes/Normalize/Node.h"

namespace tenon::normalize {

/// The attribute `reduction`; refuses what there is not.
std::optional<graph::ScatterKind> scatterKind(NormalizeContext &ctx,
                                              const Node &node);

/// `data` with its rows, the dimensions from `rowDim` on, updated by those of
/// `updates`: number i meets row `linear[i]`.
Value scatterRows(NormalizeContext &ctx, Value data, Value linear,
                  Value updates, int64_t rowDim, graph::ScatterKind kind);

} // namespace tenon::normalize

#endif // TENON_PASSES_NORMALIZE_MOVEMENT_SCATTER_H
