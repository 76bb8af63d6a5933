//===- Pixels.h - source pixels on the stack --------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TENON_PASSES_CODEGENCPU_CONVTRANSPOSE_PIXELS_H
#define TENON_PASSES_CODEGENCPU_CONVTRANSPOSE_PIXELS_H

#include "passes/CodegenCpu/ConvTranspose/ConvTranspose.h"

namespace tenon::codegen {

/// The part of an image that one block of results reads.
struct PixelSource {
  Value image, channel;        ///< the first channel
  Value depth, height, column; ///< indices of the block, before shifts
  Value channels;              ///< how many
  int64_t pixels;              ///< from `column` plus the first shift on
};

/// Copies of source pixels: `[depth shift, height shift][channels][pitch]`.
struct PixelRows {
  llvm::SmallVector<int64_t, 4> depthShifts, heightShifts;
  int64_t firstShift = 0; ///< along the width
  int64_t reach = 0;      ///< of the width's shifts: last minus first
  int64_t lanes = 1, channels = 1, pitch = 1;

  int64_t count() const {
    return int64_t(depthShifts.size() * heightShifts.size());
  }
  int64_t index(int64_t depthShift, int64_t heightShift) const;

  /// Copies the pixels to `to`, zero where the image has none.
  void fill(Move &move, const TransposedShape &shape, const PixelSource &from,
            Value to) const;

private:
  void fillRow(Move &move, const TransposedShape &shape,
               const PixelSource &from, Value row, Value rowValid,
               Value to) const;
  void copyRows(Move &move, const TransposedShape &shape,
                const PixelSource &from, Value row, Value rowValid,
                Value to) const;
  void transposeRows(Move &move, const TransposedShape &shape,
                     const PixelSource &from, Value row, Value rowValid,
                     Value to) const;
};

} // namespace tenon::codegen

#endif // TENON_PASSES_CODEGENCPU_CONVTRANSPOSE_PIXELS_H
