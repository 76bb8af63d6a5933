//===- Spatial.h - attributes of convolutions and windows -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares what convolution and pooling share: strides, dilations,
// pads and auto_pad, resolved to explicit numbers.
//===----------------------------------------------------------------------===//
#ifndef TENON_PASSES_NORMALIZE_SPATIAL_H
#define TENON_PASSES_NORMALIZE_SPATIAL_H

#include "passes/Normalize/Lowering.h"

namespace tenon::normalize {

/// Padding that only the run knows: windows slide over `size` elements, from
/// `start` on, of the input with `margin` elements before and behind it.
struct OpenPadding {
  int64_t margin = 0;
  mlir::Attribute start, size; ///< null: the pads are numbers
};

/// How a kernel moves over the spatial dimensions of `[N, C, spatial...]`.
struct Spatial {
  SmallVector<int64_t> kernel, strides, dilations;
  SmallVector<int64_t> pads;         ///< all begins, then all ends
  SmallVector<int64_t> extents;      ///< of the result; kDynamic for symbols
  SmallVector<mlir::Attribute> dims; ///< the same as dimensions
  SmallVector<OpenPadding> open;     ///< per dimension; empty: none is

  int64_t rank() const { return kernel.size(); }
  /// What one application of the kernel spans in dimension `i`.
  int64_t span(int64_t i) const { return (kernel[i] - 1) * dilations[i] + 1; }
};

/// Reads the attributes of `node`, whose input 0 has the spatial extents, for
/// a kernel of the given extents; checks their lengths and signs.
std::optional<Spatial> readSpatial(NormalizeContext &ctx, const Node &node,
                                   ArrayRef<int64_t> kernel);

/// Fills pads and result extents of a window that slides over the input,
/// after auto_pad and ceil_mode:
///
///   pads    |<- begin ->|<---- in ---->|<- end ->|
///   windows |<-- span -->|
///           |<- stride ->|<-- span -->|  ...
///
/// With `ceilMode` a last window may hang over the end, if it starts inside
/// the input or the padding at the begin.
bool resolveWindows(NormalizeContext &ctx, const Node &node, Spatial &spatial,
                    bool ceilMode);

/// How much of the padding along a dimension lies before the input: the odd
/// element lies behind it with `upper`.
mlir::Attribute paddingBefore(mlir::Attribute total, bool upper);

/// What windows slide over: `input`, with `fill` around it where only the run
/// knows how wide.
Value padOpen(NormalizeContext &ctx, const Spatial &spatial, Value input,
              double fill);

} // namespace tenon::normalize

#endif // TENON_PASSES_NORMALIZE_SPATIAL_H
