//===- BoxJoin.cpp - boxes that have all of two ---------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Poly/Box.h"

#include "llvm/ADT/STLExtras.h"
#include <numeric>

using namespace tenon;
using namespace tenon::poly;

/// Whether `hull`, which has all of both, has no more.
static bool isUnionOf(const Range &x, const Range &y, const Range &hull) {
  auto isAll = [&](const Range &range) {
    return range.count() == hull.count();
  };
  if (isAll(x) || isAll(y))
    return true;
  auto fits = [&](const Range &range) {
    return range.count() == 1 || range.step == hull.step;
  };
  if (x.empty() || y.empty() || hull.low != std::min(x.low, y.low) ||
      hull.high != std::max(x.high, y.high))
    return false;
  if (fits(x) && fits(y))
    return std::max(x.low, y.low) <= std::min(x.high, y.high) + hull.step;
  // Elements that alternate.
  return x.step == y.step && (x.low - y.low) % x.step != 0 &&
         x.count() + y.count() == hull.count();
}

static bool followTwo(llvm::ArrayRef<BoxDim> dims) {
  int tileDim = -1;
  for (const BoxDim &dim : dims) {
    if (dim.tileDim >= 0 && tileDim >= 0 && dim.tileDim != tileDim)
      return true;
    tileDim = std::max(tileDim, dim.tileDim);
  }
  return false;
}

bool BoxMath::isWithin(const BoxDim &x, const BoxDim &y) const {
  if (x == y)
    return true;
  if (y.tileDim < 0 && y.step == 1) {
    BoxDim all = whole(x);
    if (all.least >= y.least && all.bound <= y.bound)
      return true;
  }
  return !followTwo({x, y}) &&
         eachTile(x, y, [](const Range &inner, const Range &outer) {
           return outer.contains(inner);
         });
}

bool BoxMath::isUnion(const BoxDim &x, const BoxDim &y,
                      const BoxDim &hull) const {
  if (followTwo({x, y, hull}))
    return false;
  bool all = true;
  for (Sample sample : relativeSamples({x, y, hull}, all))
    if (!isUnionOf(at(x, sample.tile), at(y, sample.tile),
                   at(hull, sample.tile)))
      return false;
  return all;
}

/// Of two that move together.
std::optional<BoxDim> BoxMath::joinMoving(const BoxDim &x,
                                          const BoxDim &y) const {
  if (x.tileDim < 0 || x.tileDim != y.tileDim || x.scale != y.scale ||
      x.divisor != y.divisor || x.modulus != 0 || y.modulus != 0)
    return std::nullopt;
  BoxDim hull = x;
  int64_t end = std::max(x.offset + x.span, y.offset + y.span);
  hull.offset = std::min(x.offset, y.offset);
  hull.span = end - hull.offset;
  hull.least = std::min(x.least, y.least);
  hull.bound = std::max(x.bound, y.bound);
  if (x.divisor == 1)
    hull.step = std::gcd(std::gcd(x.step, y.step), x.offset - y.offset);
  return hull;
}

BoxDim BoxMath::join(const BoxDim &x, const BoxDim &y) const {
  if (isWithin(x, y))
    return y;
  if (isWithin(y, x))
    return x;
  BoxDim hull;
  if (std::optional<BoxDim> moving = joinMoving(x, y)) {
    hull = *moving;
  } else {
    BoxDim allX = whole(x), allY = whole(y);
    int64_t low = std::min(allX.offset, allY.offset);
    int64_t end = std::max(allX.bound, allY.bound);
    hull = constant(low, end - low);
    bool areConstant = x.tileDim < 0 && y.tileDim < 0;
    int64_t apart = allX.offset - allY.offset;
    // A single element has no step of its own.
    int64_t steps =
        std::gcd(allX.span > 1 ? x.step : 0, allY.span > 1 ? y.step : 0);
    if (areConstant && allX.span > 0 && allY.span > 0)
      hull.step = std::max<int64_t>(std::gcd(steps, apart), 1);
  }
  hull.exact = x.exact && y.exact && isUnion(x, y, hull);
  return hull;
}

Box BoxMath::join(const Box &x, const Box &y) const {
  Box box;
  unsigned differ = 0;
  bool xWithin = true, yWithin = true;
  box.exact = true;
  for (auto [left, right] : llvm::zip_equal(x.dims, y.dims)) {
    box.dims.push_back(join(left, right));
    box.exact &= box.dims.back().exact;
    bool within = isWithin(left, right), around = isWithin(right, left);
    xWithin &= within;
    yWithin &= around;
    differ += !(within && around);
  }
  if (xWithin || yWithin)
    return xWithin ? y : x;
  // Boxes of different places in two dimensions leave corners empty.
  box.exact &= x.exact && y.exact && differ <= 1;
  return box;
}
