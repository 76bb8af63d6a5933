//===- ResizeAxis.h - interpolation that the run decides --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares `Resize` of one dimension whose scale or region of
// interest is data, or whose filter is as wide as only the run knows: gathers
// and arithmetic in place of `graph.resize`, whose tables hold numbers.
//===----------------------------------------------------------------------===//
#ifndef TENON_PASSES_NORMALIZE_MOVEMENT_RESIZEAXIS_H
#define TENON_PASSES_NORMALIZE_MOVEMENT_RESIZEAXIS_H

#include "passes/Normalize/Lowering.h"
#include "passes/Normalize/Shapes.h"

namespace tenon::normalize {

/// The attributes of a `Resize`.
struct ResizeRule {
  graph::ResizeMode mode;
  graph::CoordinateMode coordinates;
  graph::NearestMode nearest;
  double cubicA = -0.75, extrapolation = 0;
  bool excludesOutside = false, antialias = false;
};

/// One dimension. All values are f64 of rank 0.
struct ResizedAxis {
  int64_t axis;
  mlir::Attribute in, out;
  Value scale;      ///< null: out / in
  Value start, end; ///< of the region of interest; null: 0 and 1
};

/// `input`, of f64 unless the mode is `nearest`, along that dimension; null
/// after a refusal.
Value resizeAxis(NormalizeContext &ctx, Value input, const ResizedAxis &axis,
                 const ResizeRule &rule);

} // namespace tenon::normalize

#endif // TENON_PASSES_NORMALIZE_MOVEMENT_RESIZEAXIS_H
