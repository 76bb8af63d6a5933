//===- BoxMath.cpp - the arithmetic of intervals that follow a tile -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Poly/Box.h"

#include "llvm/Support/MathExtras.h"
#include <numeric>

using namespace tenon;
using namespace tenon::poly;

static int64_t floorDiv(int64_t x, int64_t y) {
  return llvm::divideFloorSigned(x, y);
}

static bool isPlain(const BoxDim &dim) {
  return dim.divisor == 1 && dim.modulus == 0;
}

//===-- Products ----------------------------------------------------------===//

static BoxDim timesConstant(const BoxDim &dim, int64_t factor) {
  if (dim.span <= 0)
    return BoxMath::constant(0, 0);
  int64_t first = factor * dim.offset;
  int64_t last = factor * (dim.offset + dim.span - 1);
  BoxDim result =
      BoxMath::constant(std::min(first, last), std::abs(last - first) + 1);
  result.step = dim.span > 1 ? std::abs(factor) * dim.step : 1;
  result.exact = dim.exact;
  return result;
}

/// Of quotients, if no tile begins between two of them: their distance is then
/// that of the factors, and the interval moves by whole numbers.
std::optional<BoxDim> BoxMath::timesDivided(const BoxDim &dim,
                                            int64_t factor) const {
  int64_t size = tiles[dim.tileDim].size, divisor = dim.divisor;
  if (dim.modulus != 0 || dim.scale * size % divisor != 0 ||
      dim.offset % divisor != 0 || factor * dim.scale % divisor != 0)
    return std::nullopt;
  BoxDim result = dim;
  result.divisor = 1;
  result.scale = factor * dim.scale / divisor;
  result.offset = factor * (dim.offset / divisor);
  int64_t last = factor * ((dim.scale * (size - 1) + dim.span - 1) / divisor);
  result.span = last + 1 - result.scale * (size - 1);
  result.step = factor;
  result.least = factor * dim.least;
  result.bound = factor * (dim.bound - 1) + 1;
  return result;
}

BoxDim BoxMath::times(const BoxDim &dim, int64_t factor) const {
  if (factor == 0)
    return constant(0, 1);
  if (factor == 1)
    return dim;
  if (dim.tileDim < 0)
    return timesConstant(dim, factor);
  if (factor > 0 && !isPlain(dim))
    if (std::optional<BoxDim> result = timesDivided(dim, factor))
      return *result;
  if (factor < 0 || !isPlain(dim))
    return timesConstant(whole(dim), factor);
  BoxDim result = dim;
  result.scale *= factor;
  result.offset *= factor;
  result.span = factor * (dim.span - 1) + 1;
  result.step *= factor;
  result.least *= factor;
  result.bound = factor * (dim.bound - 1) + 1;
  return result;
}

//===-- Sums --------------------------------------------------------------===//

/// The step of x + y: that of the finer one if it leaves no gaps between the
/// elements of the other.
void BoxMath::setStepOfSum(BoxDim &sum, const BoxDim &x,
                           const BoxDim &y) const {
  int64_t movesBy = sum.tileDim < 0 ? 0 : sum.scale * tiles[sum.tileDim].size;
  auto fills = [&](const BoxDim &coarse, const BoxDim &fine) {
    return movesBy % fine.step == 0 &&
           (mostCount(coarse) <= 1 ||
            (coarse.step % fine.step == 0 &&
             coarse.step <= fine.step * leastCount(fine)));
  };
  if (fills(x, y)) {
    sum.step = y.step;
  } else if (fills(y, x)) {
    sum.step = x.step;
  } else {
    sum.step = std::gcd(std::gcd(x.step, y.step), movesBy);
    sum.exact = false;
  }
  // Something and nothing is nothing, which ends added to ends do not show.
  if (leastCount(x) == 0 || leastCount(y) == 0)
    sum.exact = false;
}

BoxDim BoxMath::plusConstant(BoxDim x, const BoxDim &y) const {
  int64_t low = y.offset, high = y.offset + y.span - 1;
  if (x.modulus != 0 && (low != 0 || high != 0))
    x = whole(x);
  BoxDim sum = x;
  sum.exact = x.exact && y.exact;
  sum.offset += low * x.divisor;
  sum.span += (high - low) * x.divisor;
  sum.least += low;
  sum.bound += high;
  if (low == high)
    return sum;
  setStepOfSum(sum, x, y);
  if (x.divisor > 1 && sum.step > 1) {
    sum.step = 1;
    sum.exact = false;
  }
  return sum;
}

/// Both along the same tile dimension, whole numbers.
BoxDim BoxMath::plusMoving(BoxDim x, BoxDim y) const {
  BoxDim sum = x;
  sum.exact = false;
  sum.scale += y.scale;
  sum.offset += y.offset;
  sum.span += y.span - 1;
  sum.least += y.least;
  sum.bound += y.bound - 1;
  sum.step =
      std::gcd(std::gcd(x.step, y.step), sum.scale * tiles[sum.tileDim].size);
  return sum;
}

BoxDim BoxMath::plus(BoxDim x, BoxDim y) const {
  if (x.tileDim >= 0 && y.tileDim >= 0) {
    bool together = x.tileDim == y.tileDim && isPlain(x) && isPlain(y);
    if (together)
      return plusMoving(x, y);
    BoxDim &finer = x.scale * y.divisor < y.scale * x.divisor ? x : y;
    finer = whole(finer);
  }
  if (y.tileDim >= 0)
    std::swap(x, y);
  if (y.span <= 0)
    return constant(0, 0);
  return plusConstant(x, y);
}

//===-- Quotients and remainders ------------------------------------------===//

static BoxDim divideConstant(const BoxDim &dim, int64_t divisor) {
  if (dim.span <= 0)
    return dim;
  int64_t low = floorDiv(dim.offset, divisor);
  int64_t high = floorDiv(dim.offset + dim.span - 1, divisor);
  BoxDim result = BoxMath::constant(low, high - low + 1);
  bool jumps = dim.span > 1 && dim.step > divisor;
  bool evenly = dim.step % divisor == 0;
  result.step = jumps && evenly ? dim.step / divisor : 1;
  result.exact = dim.exact && (!jumps || evenly);
  return result;
}

BoxDim BoxMath::divideMoving(BoxDim dim, int64_t divisor) const {
  dim.least = floorDiv(dim.least, divisor);
  dim.bound = floorDiv(dim.bound - 1, divisor) + 1;
  int64_t total = dim.divisor * divisor;
  int64_t step = dim.step;
  bool evenly = step % divisor == 0 && dim.divisor == 1;
  dim.exact &= evenly || step <= divisor || dim.divisor > 1;
  dim.step = evenly ? step / divisor : 1;
  dim.divisor = total;
  if (dim.scale % total == 0) {
    int64_t last = floorDiv(dim.offset + dim.span - 1, total);
    dim.scale /= total;
    dim.offset = floorDiv(dim.offset, total);
    dim.span = last - dim.offset + 1;
    dim.divisor = 1;
  } else if (dim.step > 1) {
    dim.step = 1;
    dim.exact = false;
  }
  return dim;
}

BoxDim BoxMath::divide(BoxDim dim, int64_t divisor) const {
  if (divisor == 1)
    return dim;
  if (dim.tileDim >= 0 && dim.modulus == 0) {
    BoxDim result = divideMoving(dim, divisor);
    // Nothing, as the ends of an interval, may have a quotient between them.
    result.exact &= eachTile(dim, result, [](const Range &x, const Range &y) {
      return x.empty() == y.empty();
    });
    return result;
  }
  return divideConstant(whole(dim), divisor);
}

static BoxDim moduloConstant(const BoxDim &dim, int64_t modulus) {
  if (dim.span <= 0)
    return dim;
  int64_t period = floorDiv(dim.offset, modulus);
  BoxDim result = dim;
  result.offset = result.least = dim.offset - period * modulus;
  result.bound = result.offset + dim.span;
  if (result.bound <= modulus)
    return result;
  result = BoxMath::constant(0, modulus);
  result.exact = dim.exact && dim.step == 1 && dim.span >= modulus;
  return result;
}

/// How the intervals of all tiles lie between multiples of a number. Those that
/// are empty do not count: what else is read for them is empty, too.
struct BoxMath::Periods {
  bool seen = true;     ///< all tiles were looked at
  bool covers = true;   ///< each interval has all remainders
  bool crosses = false; ///< one, before it was cut, has a multiple inside
  bool isCut = false;   ///< of one a part was cut off
};

BoxMath::Periods BoxMath::periodsOf(const BoxDim &dim, int64_t modulus) const {
  Periods periods;
  BoxDim uncut = dim, repeated = dim;
  uncut.least = INT64_MIN / 2;
  uncut.bound = INT64_MAX / 2;
  repeated.modulus = modulus;
  int64_t size = tiles[dim.tileDim].size;
  for (Sample sample : samples(dim.tileDim, {dim, repeated}, periods.seen)) {
    Range range = at(dim, sample.tile);
    Range all = uncut.at(sample.tile * size, size);
    if (range.empty())
      continue;
    periods.covers &= range.step == 1 && range.count() >= modulus;
    periods.crosses |=
        floorDiv(all.low, modulus) != floorDiv(all.high, modulus);
    periods.isCut |= range != all;
  }
  return periods;
}

BoxDim BoxMath::modulo(BoxDim dim, int64_t modulus) const {
  BoxDim all = whole(dim);
  if (all.offset >= 0 && all.bound <= modulus)
    return dim;
  if (dim.tileDim < 0 || dim.modulus != 0)
    return moduloConstant(all, modulus);
  Periods periods = periodsOf(dim, modulus);
  if (!periods.seen || periods.crosses || periods.covers) {
    BoxDim result = constant(0, modulus);
    result.exact = dim.exact && periods.seen && periods.covers;
    return result;
  }
  bool keepsStep = modulus % dim.step == 0;
  dim.modulus = modulus;
  dim.least = 0;
  dim.bound = modulus;
  dim.exact &= !periods.isCut && keepsStep;
  if (!keepsStep)
    dim.step = 1;
  return dim;
}

//===-- Parts -------------------------------------------------------------===//

BoxDim BoxMath::clip(BoxDim dim, int64_t low, int64_t high) const {
  dim.least = std::max(dim.least, low);
  dim.bound = std::max(std::min(dim.bound, high), dim.least);
  if (dim.tileDim < 0) {
    Range range = dim.at(0, 1);
    BoxDim result = constant(range.low, range.high - range.low + 1);
    result.step = range.count() > 1 ? range.step : 1;
    result.exact = dim.exact;
    return result;
  }
  if (dim.step == 1 || dim.least == dim.bound)
    return dim;
  // Ends are elements, so that they stay ends when the interval is stretched.
  auto after = [&](int64_t from, int64_t to) {
    return ((to - from) % dim.step + dim.step) % dim.step;
  };
  dim.least += after(dim.least, dim.offset);
  dim.bound -= after(dim.offset, dim.bound - 1);
  dim.bound = std::max(dim.bound, dim.least);
  return dim;
}

BoxDim BoxMath::solve(BoxDim dim, int64_t factor, int64_t offset) const {
  dim = plus(dim, constant(-offset, 1));
  if (factor == 1)
    return dim;
  if (dim.tileDim >= 0 && dim.modulus != 0)
    dim = whole(dim);
  if (dim.step > 1)
    dim.exact = false;
  dim.step = 1;
  // From the first multiple on: the quotient is rounded up.
  dim.offset += (factor - 1) * dim.divisor;
  dim.span -= (factor - 1) * dim.divisor;
  dim.least += factor - 1;
  if (dim.tileDim >= 0)
    return divideMoving(dim, factor);
  int64_t low = floorDiv(dim.offset, factor);
  int64_t high = floorDiv(dim.offset + dim.span - 1, factor);
  BoxDim result = constant(low, std::max<int64_t>(high - low + 1, 0));
  result.exact = dim.exact;
  return result;
}
