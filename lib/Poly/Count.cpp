//===- Count.cpp - how much a group does ----------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Poly/Count.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace tenon;
using namespace tenon::poly;

static int64_t times(int64_t x, int64_t y) {
  int64_t product;
  return llvm::MulOverflow(x, y, product) ? INT64_MAX : product;
}

static int64_t plus(int64_t x, int64_t y) {
  int64_t sum;
  return llvm::AddOverflow(x, y, sum) ? INT64_MAX : sum;
}

/// Of the sides that follow one tile dimension.
static Count countAlong(unsigned tileDim, llvm::ArrayRef<BoxDim> sides,
                        llvm::ArrayRef<TileDim> tiles) {
  BoxMath math(tiles);
  Count count;
  for (BoxMath::Sample sample : math.samples(tileDim, sides, count.exact)) {
    int64_t inTile = 1;
    for (const BoxDim &side : sides)
      inTile = times(inTile, math.at(side, sample.tile).count());
    count.all = plus(count.all, times(inTile, sample.tiles));
    count.largest = std::max(count.largest, inTile);
  }
  if (count.exact)
    return count;
  count.largest = 1;
  for (const BoxDim &side : sides)
    count.largest = times(count.largest, math.mostCount(side));
  count.all = times(count.largest, tiles[tileDim].count());
  return count;
}

Count poly::countOf(const Box &box, llvm::ArrayRef<TileDim> tiles) {
  std::vector<std::vector<BoxDim>> moving(tiles.size());
  Count count = {1, 1, 0, box.exact};
  for (const BoxDim &side : box.dims) {
    if (side.tileDim >= 0) {
      moving[side.tileDim].push_back(side);
      continue;
    }
    int64_t elements = side.at(0, 1).count();
    count.all = times(count.all, elements);
    count.largest = times(count.largest, elements);
  }
  for (auto [tileDim, sides] : llvm::enumerate(moving)) {
    Count along = countAlong(tileDim, sides, tiles);
    count.all = times(count.all, along.all);
    count.largest = times(count.largest, along.largest);
    count.exact &= along.exact;
  }
  return count;
}

static int64_t sizeOf(const Statement &statement) {
  int64_t size = 1;
  for (const Dim &dim : statement.dims)
    size = times(size, dim.extent);
  return size;
}

static int64_t bytesOf(const Tensor &tensor) {
  int64_t bytes = tensor.elementBytes;
  for (int64_t extent : tensor.shape)
    bytes = times(bytes, extent);
  return bytes;
}

Count GroupCount::total() const {
  Count total;
  for (const Count &count : instances) {
    total.all = plus(total.all, count.all);
    total.largest = plus(total.largest, count.largest);
    total.once = plus(total.once, count.once);
    total.exact &= count.exact;
  }
  return total;
}

GroupCount poly::countOf(const Scop &scop, const Group &group,
                         const Footprint &footprint) {
  GroupCount counts;
  counts.tiles = 1;
  for (size_t k = 0; k < group.sizes.size(); ++k)
    counts.tiles = times(counts.tiles, footprint.tiles[k].count());
  for (auto [index, domain] :
       llvm::zip_equal(group.statements, footprint.domains)) {
    Count count;
    if (domain)
      count = countOf(*domain, footprint.tiles);
    count.once = sizeOf(scop.statements[index]);
    counts.instances.push_back(count);
  }
  for (auto &[tensor, box] : footprint.reads) {
    Count count = countOf(box, footprint.tiles);
    int64_t bytes = scop.tensors[tensor].elementBytes;
    count.all = times(count.all, bytes);
    count.largest = times(count.largest, bytes);
    count.once = bytesOf(scop.tensors[tensor]);
    counts.bytes[tensor] = count;
  }
  return counts;
}
