//===- ResizeTaps.h - what an interpolated element is made of ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TENON_PASSES_CODEGENCPU_MOVE_RESIZETAPS_H
#define TENON_PASSES_CODEGENCPU_MOVE_RESIZETAPS_H

#include "dialects/Graph/Graph.h"
#include <optional>

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

/// Vectors of a row whose lanes read the same places behind where each begins,
/// with the same weights: where a row is made an integral number of times as
/// long, all but those at its ends.
///
///   2x, linear     lane    0     1     2     3          from x / 2 - 1 on
///                  tap 0   0     1     1     2
///                  tap 1   1     2     2     3
struct RepeatedTaps {
  int64_t begin = 0, end = 0; ///< results [begin, end), whole vectors
  int64_t factor = 1;         ///< results for each element
  int64_t offset = 0;         ///< of what is read from `x / factor`
  struct Tap {
    llvm::SmallVector<int64_t> places; ///< per lane, below the number of lanes
    llvm::SmallVector<float> weights;
  };
  llvm::SmallVector<Tap> taps;
};

/// Those of a table, for rows of `input` elements; nothing if there are few.
std::optional<RepeatedTaps> repeatedTaps(const ResizeTable &table,
                                         int64_t input, int64_t lanes);

/// The table of a dimension; failure after a diagnostic.
mlir::FailureOr<ResizeTable> makeResizeTable(graph::ResizeOp op, size_t dim);

} // namespace tenon::codegen

#endif // TENON_PASSES_CODEGENCPU_MOVE_RESIZETAPS_H
