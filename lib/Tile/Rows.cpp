//===- Rows.cpp - cutting an extent into register tiles -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Tile/Rows.h"

#include <algorithm>
#include <bit>
#include <tuple>

using namespace tenon::tile;

EvenSplit EvenSplit::of(int64_t extent, int64_t most) {
  EvenSplit split;
  split.extent = extent;
  split.count = std::max<int64_t>(1, (extent + most - 1) / most);
  split.height = (extent + split.count - 1) / split.count;
  split.tall = extent - split.count * (split.height - 1);
  return split;
}

int64_t tenon::tile::launchTiles(int64_t items, int64_t wanted) {
  uint64_t tiles = wanted < 8
                       ? std::bit_ceil(uint64_t(std::max<int64_t>(wanted, 1)))
                       : uint64_t(wanted + 4) / 8 * 8;
  return std::min(items, int64_t(tiles));
}

static auto preference(const RowTiling &tiling) {
  return std::make_tuple(tiling.tiles(), tiling.variants(),
                         -tiling.inner.height);
}

RowTiling tenon::tile::tileRows(llvm::ArrayRef<int64_t> extents, int64_t most) {
  int64_t inner = extents.empty() ? 1 : extents.back();
  int64_t outer = extents.size() < 2 ? 1 : extents[extents.size() - 2];
  int64_t rest = 1;
  for (size_t i = 0; i + 2 < extents.size(); ++i)
    rest *= extents[i];
  RowTiling best;
  bool found = false;
  for (int64_t width = std::min(inner, most); width >= 1; --width) {
    RowTiling trial;
    trial.inner = EvenSplit::of(inner, width);
    trial.outer = EvenSplit::of(outer, most / trial.inner.height);
    trial.rest = rest;
    if (!found || preference(trial) < preference(best))
      best = trial;
    found = true;
  }
  return best;
}

bool tenon::tile::cutsShares(const RowTiling &rows, int64_t shares) {
  int64_t extent = rows.inner.extent, height = rows.inner.height;
  if (rows.rest * rows.outer.extent != 1)
    return false;
  for (int64_t first = 0; first < shares; ++first)
    for (int64_t last = first + 1; last <= shares; ++last) {
      int64_t count =
          shareStart(extent, shares, last) - shareStart(extent, shares, first);
      int64_t tiles = ceilDiv(count, height);
      if (tiles * height - count > tiles)
        return false;
    }
  return true;
}
