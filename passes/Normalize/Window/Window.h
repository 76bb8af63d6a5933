//===- Window.h - lowerings of pooling --------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file is private to the family; each function stands in the file of its
// operator.
//===----------------------------------------------------------------------===//
#ifndef TENON_PASSES_NORMALIZE_WINDOW_WINDOW_H
#define TENON_PASSES_NORMALIZE_WINDOW_WINDOW_H

#include "passes/Normalize/Lowering.h"
#include "passes/Normalize/Shapes.h"
#include "passes/Normalize/Spatial.h"

namespace tenon::normalize {

Lowered lowerAveragePool(NormalizeContext &ctx, const Node &node);
Lowered lowerGlobalLpPool(NormalizeContext &ctx, const Node &node);
Lowered lowerLpPool(NormalizeContext &ctx, const Node &node);
Lowered lowerMaxPool(NormalizeContext &ctx, const Node &node);

/// The window of a pooling node and the type of its result.
struct Pool {
  Spatial spatial;
  RankedTensorType type;

  /// Whether only the run knows how much is padded (padOpen).
  bool isOpen() const {
    return llvm::any_of(
        spatial.open, [](const OpenPadding &open) { return bool(open.start); });
  }
};
std::optional<Pool> readPool(NormalizeContext &ctx, const Node &node);

/// The mean of each window of `input`.
Value average(NormalizeContext &ctx, const Pool &pool, Value input,
              bool countsPadding);

} // namespace tenon::normalize

#endif // TENON_PASSES_NORMALIZE_WINDOW_WINDOW_H
