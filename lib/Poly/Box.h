//===- Box.h - intervals that follow a tile ---------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares boxes whose sides are intervals that move with a tile. Of
// a tile of T elements from o on, a window of 3 with a stride of 2 reads
//
//   scale 2, offset -1, span 3:    [2 * o - 1, 2 * o - 1 + 2 * (T - 1) + 3)
//
// of which [least, bound) is inside. All T are those of full tiles: what the
// last tile has less is cut off by `bound`, whose way through accesses is the
// same as that of the interval.
//===----------------------------------------------------------------------===//
#ifndef TENON_LIB_POLY_BOX_H
#define TENON_LIB_POLY_BOX_H

#include "lib/Poly/Group.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <optional>

namespace tenon::poly {

/// low, low + step, ... up to high.
struct Range {
  int64_t low = 0, high = -1, step = 1;
  int64_t count() const { return high < low ? 0 : (high - low) / step + 1; }
  bool empty() const { return high < low; }
  bool contains(int64_t value) const {
    return value >= low && value <= high && (value - low) % step == 0;
  }
  bool contains(const Range &other) const;
  bool operator==(const Range &) const = default;
};

/// One side of a box. Of the tile at origin o with size T, along tile dimension
/// `tileDim`, it goes
///   from floor((scale * o + offset) / divisor)
///   to   floor((scale * o + offset + scale * (T - 1) + span - 1) / divisor),
/// both modulo `modulus` if that is not 0 (then no tile reaches over a multiple
/// of it); of these it has what is congruent to `offset` modulo `step` and lies
/// in [least, bound). Origins are multiples of T. Without a tile dimension, T
/// is 1 and scale 0.
struct BoxDim {
  int tileDim = -1;
  int64_t scale = 0, offset = 0, span = 1;
  int64_t step = 1; ///< 1 if divided; else it divides scale * T
  int64_t divisor = 1, modulus = 0;
  int64_t least = 0, bound = 1;
  bool exact = true; ///< no element was added on the way here

  Range at(int64_t origin, int64_t size) const;
  bool operator==(const BoxDim &) const = default;
};

struct Box {
  std::vector<BoxDim> dims;
  /// Whether the product of the sides is what is needed, no more, in each tile.
  bool exact = true;
  bool operator==(const Box &) const = default;
};

/// The arithmetic of sides. Results have all the elements that they must have;
/// `exact` is cleared where they may have more.
class BoxMath {
public:
  BoxMath(llvm::ArrayRef<TileDim> tiles) : tiles(tiles) {}

  /// [low, low + count), in all tiles.
  static BoxDim constant(int64_t low, int64_t count);
  /// What the tile covers itself.
  BoxDim window(unsigned tileDim) const;

  BoxDim times(const BoxDim &dim, int64_t factor) const;
  BoxDim plus(BoxDim x, BoxDim y) const; ///< all sums of an element of each
  BoxDim divide(BoxDim dim, int64_t divisor) const;
  BoxDim modulo(BoxDim dim, int64_t modulus) const;
  /// What lies in [low, high).
  BoxDim clip(BoxDim dim, int64_t low, int64_t high) const;
  /// x for which factor * x + offset is in `dim`.
  BoxDim solve(BoxDim dim, int64_t factor, int64_t offset) const;
  /// A side, and a box, that has all of both.
  BoxDim join(const BoxDim &x, const BoxDim &y) const;
  Box join(const Box &x, const Box &y) const;

  /// All elements that any tile has, in one interval.
  BoxDim whole(const BoxDim &dim) const;
  /// The side in one tile.
  Range at(const BoxDim &dim, int64_t tile) const;
  int64_t leastCount(const BoxDim &dim) const; ///< of the tiles
  int64_t mostCount(const BoxDim &dim) const;

  /// Tiles that stand for all along a dimension, and for how many each does:
  /// those at both ends that something is cut off from, one of those between.
  struct Sample {
    int64_t tile, tiles;
  };
  /// For sides that follow `tileDim`. If there were too many, `all` is cleared
  /// and they are some.
  std::vector<Sample> samples(unsigned tileDim, llvm::ArrayRef<BoxDim> dims,
                              bool &all) const;
  /// The same for what sides, some of which may be constant, are to each other:
  /// all tiles, unless they move together.
  std::vector<Sample> relativeSamples(llvm::ArrayRef<BoxDim> dims,
                                      bool &all) const;

private:
  bool isCut(const BoxDim &dim, int64_t tile) const;
  /// Holds them against each other in all tiles of the dimension they follow.
  bool eachTile(const BoxDim &x, const BoxDim &y,
                llvm::function_ref<bool(const Range &, const Range &)>) const;
  struct Periods;
  Periods periodsOf(const BoxDim &dim, int64_t modulus) const;
  bool isWithin(const BoxDim &x, const BoxDim &y) const;
  bool isUnion(const BoxDim &x, const BoxDim &y, const BoxDim &hull) const;
  BoxDim plusConstant(BoxDim x, const BoxDim &y) const;
  BoxDim plusMoving(BoxDim x, BoxDim y) const;
  void setStepOfSum(BoxDim &sum, const BoxDim &x, const BoxDim &y) const;
  BoxDim divideMoving(BoxDim dim, int64_t divisor) const;
  std::optional<BoxDim> timesDivided(const BoxDim &dim, int64_t factor) const;
  std::optional<BoxDim> joinMoving(const BoxDim &x, const BoxDim &y) const;

  llvm::ArrayRef<TileDim> tiles;
};

} // namespace tenon::poly

#endif // TENON_LIB_POLY_BOX_H
