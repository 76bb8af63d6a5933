//===- ResizeTaps.h - what an interpolated element is made of ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TENON_PASSES_CODEGENCPU_MOVE_RESIZETAPS_H
#define TENON_PASSES_CODEGENCPU_MOVE_RESIZETAPS_H

#include "dialects/Graph/Graph.h"

namespace tenon::codegen {

/// For one dimension: result element i is the sum over taps t of
/// `weights[t * size + i]` times source element `indices[t * size + i]`. No
/// taps: the dimension is not resized.
struct ResizeTable {
  size_t taps = 0, size = 0;
  llvm::SmallVector<double> indices, weights;
  /// 1 where tf_crop_and_resize has the extrapolation value instead; empty when
  /// that is nowhere.
  llvm::SmallVector<double> outside;
};

/// The table of a dimension; failure after a diagnostic.
mlir::FailureOr<ResizeTable> makeResizeTable(graph::ResizeOp op, size_t dim);

} // namespace tenon::codegen

#endif // TENON_PASSES_CODEGENCPU_MOVE_RESIZETAPS_H
