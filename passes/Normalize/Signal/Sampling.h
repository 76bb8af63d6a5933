//===- Sampling.h - pixels read at computed places --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares what operators share that read images between pixels. The
// channels of the pixels around each place are gathered and added up by
// weights. What lies outside of the image is read at a pixel inside, so that no
// index is invalid.
//===----------------------------------------------------------------------===//
#ifndef TENON_PASSES_NORMALIZE_SIGNAL_SAMPLING_H
#define TENON_PASSES_NORMALIZE_SIGNAL_SAMPLING_H

#include "passes/Normalize/Signal/Signal.h"

namespace tenon::normalize {

/// A pixel along one dimension for some places, or in an image.
struct Tap {
  Value index;  ///< inside of the image
  Value weight; ///< null: one
  Value inside; ///< i1, whether this pixel counts; null: always
};

/// Reads the pixels of an image `[N, C, spatial...]` whose extents may be open.
class Sampling {
public:
  /// Places are computed in `real`, and pixels summed in `element`. Channels
  /// are read in `groups` equal parts.
  Sampling(NormalizeContext &ctx, Value image, mlir::Type real,
           mlir::Type element, int64_t groups = 1);

  //===-- Arithmetic on places --------------------------------------------===//

  Value number(double value) { return ctx.scalar(value, real); }
  /// A dimension plus a number.
  Value number(mlir::Attribute dim, double offset = 0.0);
  Value add(Value x, double y) {
    return ctx.create<graph::AddOp>(x, number(y));
  }
  Value times(Value x, double y) {
    return ctx.create<graph::MulOp>(x, number(y));
  }
  Value clamp(Value x, Value low, Value high) {
    return ctx.create<graph::MinOp>(ctx.create<graph::MaxOp>(x, low), high);
  }
  Value isInside(Value place, Value low, Value high);

  //===-- Taps ------------------------------------------------------------===//

  /// The pixel at a whole number, or the nearest one inside, which counts
  /// nothing then with `zeros`.
  Tap tapAt(Value place, mlir::Attribute extent, Value weight, bool zeros);
  /// The taps of all dimensions so far with each of one more, which lies within
  /// them and has `extent`.
  SmallVector<Tap> combine(ArrayRef<Tap> outer, ArrayRef<Tap> inner,
                           mlir::Attribute extent);
  /// Number `i` of `count` along dimension `axis` of `rank`.
  Tap numbers(int64_t rank, int64_t axis, mlir::Attribute count);
  /// What numbers of rows are computed in.
  mlir::Type rowType() const { return index; }
  /// What a tap of all dimensions adds: `[places, channels]`.
  Value pixels(const Tap &tap);

private:
  Value flat(Value value, bool isColumn);

  NormalizeContext &ctx;
  mlir::Type real, element;
  mlir::Type along; ///< of an index along one dimension
  mlir::Type index; ///< of rows of channels
  Value rows;       ///< the channels of all pixels
};

} // namespace tenon::normalize

#endif // TENON_PASSES_NORMALIZE_SIGNAL_SAMPLING_H
