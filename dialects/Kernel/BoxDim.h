//===- BoxDim.h - one dimension of a box of a tile --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares what a tile has of a dimension, and the arithmetic with
// which such intervals go through index expressions. Intervals that follow a
// tile hold for each one; their lengths are bounds where they are divided.
//===----------------------------------------------------------------------===//
#ifndef TENON_DIALECTS_KERNEL_BOXDIM_H
#define TENON_DIALECTS_KERNEL_BOXDIM_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/MathExtras.h"

#include <optional>

namespace tenon::kernel {

/// One dimension of a box, in elements: from `scale * origin / divisor +
/// offset` on there are at most `scale * (extent - 1) / divisor + span`,
/// rounded up, where origin and extent are those of the tile in its dimension
/// `tileDim` (an index into the tile's dims); origins are such that nothing is
/// left of the division. Without a tile dimension the box is `span` elements
/// from `offset` on.
struct BoxDim {
  int tileDim = -1;
  int64_t scale = 0, offset = 0, span = 0, divisor = 1;

  /// What an origin moves it by.
  int64_t shift(int64_t origin) const { return scale * origin / divisor; }
  int64_t length(int64_t extent) const {
    return tileDim < 0 ? span
                       : llvm::divideCeil(scale * (extent - 1), divisor) + span;
  }
  bool movesLike(const BoxDim &other) const {
    return tileDim == other.tileDim && scale == other.scale &&
           divisor == other.divisor;
  }
  bool operator==(const BoxDim &) const = default;
};
using BoxMap = llvm::SmallVector<BoxDim, 0>;

/// How a dimension of extent `whole` is cut into tiles.
struct TiledDim {
  int64_t whole, size;

  int64_t count() const { return llvm::divideCeil(whole, size); }
  int64_t lastOrigin() const { return (count() - 1) * size; }
};

/// Index arithmetic on intervals. What cannot be said of all tiles is none.
class BoxArithmetic {
public:
  using Result = std::optional<BoxDim>;

  explicit BoxArithmetic(llvm::ArrayRef<TiledDim> tiles) : tiles(tiles) {}

  /// `box` moved and stretched by a factor; none if a tile were mirrored.
  Result times(BoxDim box, int64_t factor) const;
  /// All sums of an element of each; none if both follow a tile.
  Result plus(BoxDim x, BoxDim y) const;
  /// All elements divided and rounded down; none where tiles do not begin at
  /// multiples.
  Result dividedBy(BoxDim box, int64_t divisor) const;
  /// Of `inner` elements for each of `box`, as `outer` of them: none where a
  /// tile is not made of whole ones.
  Result regrouped(BoxDim box, int64_t inner, int64_t outer) const;
  /// `box` and what is around it in the same multiples.
  Result rounded(BoxDim box, int64_t multiple) const;
  /// What of it lies in a dimension, which is some of it for each tile, or
  /// none.
  Result clipped(BoxDim box, int64_t extent) const;

  /// The first element of all tiles, and what is behind the last.
  int64_t first(const BoxDim &box) const { return box.offset; }
  int64_t end(const BoxDim &box) const;
  bool hangsOver(const BoxDim &box, int64_t extent) const {
    return first(box) < 0 || end(box) > extent;
  }

private:
  /// Whether each tile moves it by a multiple of `by`.
  bool movesBy(const BoxDim &box, int64_t by) const;

  llvm::ArrayRef<TiledDim> tiles;
};

} // namespace tenon::kernel

#endif // TENON_DIALECTS_KERNEL_BOXDIM_H
