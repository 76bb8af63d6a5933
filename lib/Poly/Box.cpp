//===- Box.cpp - intervals that follow a tile -----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Poly/Box.h"

#include "llvm/Support/MathExtras.h"
#include <numeric>

using namespace tenon;
using namespace tenon::poly;

static int64_t floorDiv(int64_t x, int64_t y) {
  return llvm::divideFloorSigned(x, y);
}

//===-- One tile ----------------------------------------------------------===//

bool Range::contains(const Range &other) const {
  if (other.empty())
    return true;
  if (!contains(other.low) || !contains(other.high))
    return false;
  return other.count() == 1 || other.step % step == 0;
}

/// Before anything is cut off.
static Range uncut(const BoxDim &dim, int64_t origin, int64_t size) {
  int64_t low = dim.scale * origin + dim.offset;
  int64_t high = low + dim.scale * (size - 1) + dim.span - 1;
  Range range = {floorDiv(low, dim.divisor), floorDiv(high, dim.divisor),
                 dim.step};
  if (dim.modulus == 0)
    return range;
  int64_t period = dim.modulus * floorDiv(range.low, dim.modulus);
  return {range.low - period, range.high - period, dim.step};
}

Range BoxDim::at(int64_t origin, int64_t size) const {
  Range range = uncut(*this, origin, tileDim < 0 ? 1 : size);
  // `step` divides what the interval moves by.
  if (range.low < least)
    range.low += llvm::divideCeilSigned(least - range.low, step) * step;
  if (range.high >= bound)
    range.high = bound - 1;
  if (range.low > range.high)
    return {range.low, range.low - 1, step};
  range.high -= (range.high - range.low) % step;
  return range;
}

Range BoxMath::at(const BoxDim &dim, int64_t tile) const {
  if (dim.tileDim < 0)
    return dim.at(0, 1);
  int64_t size = tiles[dim.tileDim].size;
  return dim.at(tile * size, size);
}

//===-- All tiles ---------------------------------------------------------===//

/// Of the tile that an interval moves on by for each.
static int64_t movesBy(const BoxDim &dim, const TileDim &tile) {
  return dim.scale * tile.size;
}

/// After how many tiles an uncut interval has the same shape again.
static int64_t periodOf(const BoxDim &dim, const TileDim &tile) {
  int64_t divisor = dim.divisor * std::max<int64_t>(dim.modulus, 1);
  return divisor / std::gcd(movesBy(dim, tile), divisor);
}

/// Adds the tiles at which an end of the interval passes one of what it is cut
/// to.
static void addBreaks(const BoxDim &dim, const TileDim &tile,
                      std::vector<int64_t> &breaks) {
  if (dim.modulus != 0)
    return;
  int64_t length = dim.scale * (tile.size - 1) + dim.span - 1;
  for (int64_t end : {dim.least * dim.divisor, dim.bound * dim.divisor})
    for (int64_t reach : {int64_t(0), length}) {
      int64_t first =
          llvm::divideCeilSigned(end - dim.offset - reach, movesBy(dim, tile));
      breaks.push_back(std::clamp<int64_t>(first, 0, tile.count()));
    }
}

/// Whether the interval is the same but for its place, or empty, or what it is
/// cut to, in all tiles between two breaks.
static bool isSteady(const BoxDim &dim, const TileDim &tile, int64_t number) {
  if (dim.modulus != 0)
    return true;
  Range range = uncut(dim, number * tile.size, tile.size);
  if (range.high < dim.least || range.low >= dim.bound)
    return true;
  return (range.low < dim.least) == (range.high >= dim.bound);
}

/// The tiles that are looked at one by one.
static constexpr int64_t mostSamples = 4096;

std::vector<BoxMath::Sample> BoxMath::samples(unsigned tileDim,
                                              llvm::ArrayRef<BoxDim> dims,
                                              bool &all) const {
  const TileDim &tile = tiles[tileDim];
  std::vector<int64_t> breaks = {0, tile.count()};
  int64_t period = 1;
  for (const BoxDim &dim : dims) {
    addBreaks(dim, tile, breaks);
    if (period <= mostSamples)
      period = std::lcm(period, std::min(periodOf(dim, tile), mostSamples + 1));
  }
  llvm::sort(breaks);
  std::vector<Sample> samples;
  for (size_t i = 1; i < breaks.size(); ++i) {
    int64_t first = breaks[i - 1], tilesHere = breaks[i] - first;
    bool steady = llvm::all_of(
        dims, [&](const BoxDim &dim) { return isSteady(dim, tile, first); });
    int64_t every = steady ? std::min(period, tilesHere) : tilesHere;
    if (every > mostSamples) {
      all = false;
      every = mostSamples;
    }
    for (int64_t j = 0; j < every; ++j)
      samples.push_back({first + j, (tilesHere - j + every - 1) / every});
  }
  return samples;
}

std::vector<BoxMath::Sample>
BoxMath::relativeSamples(llvm::ArrayRef<BoxDim> dims, bool &all) const {
  const BoxDim &first = dims.front();
  bool together = llvm::all_of(dims, [&](const BoxDim &dim) {
    return dim.tileDim == first.tileDim && dim.modulus == 0 &&
           dim.scale * first.divisor == first.scale * dim.divisor;
  });
  int tileDim = -1;
  for (const BoxDim &dim : dims)
    tileDim = std::max(tileDim, dim.tileDim);
  if (tileDim < 0)
    return {{0, 1}};
  if (together && first.modulus == 0)
    return samples(tileDim, dims, all);
  std::vector<Sample> samples;
  all &= tiles[tileDim].count() <= mostSamples;
  for (int64_t i = 0; i < std::min(tiles[tileDim].count(), mostSamples); ++i)
    samples.push_back({i, 1});
  return samples;
}

bool BoxMath::eachTile(
    const BoxDim &x, const BoxDim &y,
    llvm::function_ref<bool(const Range &, const Range &)> holds) const {
  bool all = true;
  for (Sample sample : relativeSamples({x, y}, all))
    if (!holds(at(x, sample.tile), at(y, sample.tile)))
      return false;
  return all;
}

int64_t BoxMath::leastCount(const BoxDim &dim) const {
  if (dim.tileDim < 0)
    return at(dim, 0).count();
  bool all = true;
  int64_t least = INT64_MAX;
  for (Sample sample : samples(dim.tileDim, dim, all))
    least = std::min(least, at(dim, sample.tile).count());
  return all ? least : 0;
}

int64_t BoxMath::mostCount(const BoxDim &dim) const {
  if (dim.tileDim < 0)
    return at(dim, 0).count();
  bool all = true;
  int64_t most = 0;
  for (Sample sample : samples(dim.tileDim, dim, all))
    most = std::max(most, at(dim, sample.tile).count());
  return all ? most : whole(dim).span;
}

//===-- One side ----------------------------------------------------------===//

BoxDim BoxMath::constant(int64_t low, int64_t count) {
  BoxDim dim;
  dim.offset = dim.least = low;
  dim.span = count;
  dim.bound = low + count;
  return dim;
}

BoxDim BoxMath::window(unsigned tileDim) const {
  int64_t extent = tiles[tileDim].extent;
  if (tiles[tileDim].count() == 1)
    return constant(0, extent);
  BoxDim dim;
  dim.tileDim = int(tileDim);
  dim.scale = 1;
  dim.bound = extent;
  return dim;
}

BoxDim BoxMath::whole(const BoxDim &dim) const {
  if (dim.tileDim < 0)
    return dim;
  const TileDim &tile = tiles[dim.tileDim];
  int64_t low = 0, high = dim.modulus - 1;
  if (dim.modulus == 0) {
    low = uncut(dim, 0, tile.size).low;
    high = uncut(dim, (tile.count() - 1) * tile.size, tile.size).high;
  }
  low = std::max(low, dim.least);
  high = std::min(high, dim.bound - 1);
  BoxDim result = constant(low, std::max<int64_t>(high - low + 1, 0));
  result.exact = false;
  return result;
}
