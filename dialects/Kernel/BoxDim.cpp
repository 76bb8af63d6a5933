//===- BoxDim.cpp - one dimension of a box of a tile ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dialects/Kernel/BoxDim.h"

#include <numeric>

using namespace tenon::kernel;
using llvm::divideCeil;
using llvm::divideFloorSigned;
using Result = BoxArithmetic::Result;

/// With the smallest numbers.
static BoxDim reduced(BoxDim box) {
  if (box.tileDim < 0)
    return {-1, 0, box.offset, box.span};
  int64_t common = std::gcd(box.scale, box.divisor);
  box.scale /= common;
  box.divisor /= common;
  return box;
}

Result BoxArithmetic::times(BoxDim box, int64_t factor) const {
  if (factor == 0)
    return BoxDim{-1, 0, 0, 1};
  if (factor < 0 && box.tileDim >= 0)
    return std::nullopt;
  if (factor < 0)
    return BoxDim{-1, 0, factor * (box.offset + box.span - 1),
                  -factor * (box.span - 1) + 1};
  int64_t rounding = box.divisor > 1 ? factor - 1 : 0;
  return reduced({box.tileDim, factor * box.scale, factor * box.offset,
                  factor * (box.span - 1) + 1 + rounding, box.divisor});
}

Result BoxArithmetic::plus(BoxDim x, BoxDim y) const {
  if (x.tileDim >= 0 && y.tileDim >= 0)
    return std::nullopt;
  if (y.tileDim >= 0)
    std::swap(x, y);
  x.offset += y.offset;
  x.span += y.span - 1;
  return x;
}

bool BoxArithmetic::movesBy(const BoxDim &box, int64_t by) const {
  if (box.tileDim < 0)
    return true;
  const TiledDim &tile = tiles[box.tileDim];
  return tile.count() == 1 || tile.size * box.scale % (box.divisor * by) == 0;
}

Result BoxArithmetic::dividedBy(BoxDim box, int64_t divisor) const {
  if (divisor < 1 || !movesBy(box, divisor))
    return std::nullopt;
  int64_t low = divideFloorSigned(box.offset, divisor);
  int64_t left = box.offset - low * divisor;
  return reduced({box.tileDim, box.scale, low,
                  (left + box.span - 1) / divisor + 1, box.divisor * divisor});
}

Result BoxArithmetic::regrouped(BoxDim box, int64_t inner,
                                int64_t outer) const {
  int64_t from = box.offset * inner, length = box.span * inner;
  if (from % outer != 0)
    return std::nullopt;
  if (box.tileDim < 0)
    return length % outer == 0
               ? Result(BoxDim{-1, 0, from / outer, length / outer})
               : std::nullopt;
  BoxDim fine =
      reduced({box.tileDim, box.scale * inner, from, length, box.divisor});
  if (!movesBy(fine, outer))
    return std::nullopt;
  int64_t rounding = box.divisor > 1 ? divideCeil(inner, outer) : 0;
  return reduced({box.tileDim, fine.scale, from / outer,
                  int64_t(divideCeil(length, outer)) + rounding,
                  fine.divisor * outer});
}

Result BoxArithmetic::rounded(BoxDim box, int64_t multiple) const {
  if (!movesBy(box, multiple))
    return std::nullopt;
  int64_t low = divideFloorSigned(box.offset, multiple) * multiple;
  int64_t end = box.offset + box.span;
  box.offset = low;
  box.span = box.tileDim < 0
                 ? llvm::divideCeilSigned(end, multiple) * multiple - low
                 : end + multiple - 1 - low;
  return box;
}

Result BoxArithmetic::clipped(BoxDim box, int64_t extent) const {
  if (box.tileDim < 0) {
    int64_t end = std::min(box.offset + box.span, extent);
    box.offset = std::max<int64_t>(box.offset, 0);
    box.span = end - box.offset;
    return box.span > 0 ? Result(box) : std::nullopt;
  }
  const TiledDim &tile = tiles[box.tileDim];
  int64_t firstEnd = box.offset + box.length(std::min(tile.size, tile.whole));
  bool isSome =
      firstEnd > 0 && box.shift(tile.lastOrigin()) + box.offset < extent;
  return isSome ? Result(box) : std::nullopt;
}

int64_t BoxArithmetic::end(const BoxDim &box) const {
  if (box.tileDim < 0)
    return box.offset + box.span;
  const TiledDim &tile = tiles[box.tileDim];
  return box.shift(tile.lastOrigin()) + box.offset +
         box.length(tile.whole - tile.lastOrigin());
}
