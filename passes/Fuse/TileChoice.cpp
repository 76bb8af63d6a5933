//===- TileChoice.cpp - how a group of stages is cut ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/Fuse/TileChoice.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::fuse;

/// Rows of an image of one channel are no shorter, since lanes run along them.
static constexpr int64_t leastLanes = 128;

namespace {
class TileSearch {
public:
  TileSearch(ArrayRef<int64_t> shape,
             function_ref<std::optional<int64_t>(const TileSizes &)> price)
      : shape(shape), price(price) {
    for (size_t dim = 0; dim + 1 < shape.size(); ++dim)
      if (shape[dim] > 1) {
        dims.push_back(dim);
        lanes = dim;
      }
    if (shape.empty() || shape.back() > 1)
      lanes = shape.size();
  }

  void run() {
    priceOf(TileSizes(shape));
    // Rows of the outermost dimension, then of the one behind it.
    for (size_t cut : dims)
      if (isPossible(cut))
        descend(rowsOf(cut));
  }

private:
  /// Some rows along a dimension, one of each before.
  TileSizes rowsOf(size_t cut) const {
    TileSizes sizes(shape);
    std::fill_n(sizes.begin(), cut, 1);
    sizes[cut] = std::min<int64_t>(sizes[cut], 8);
    return sizes;
  }

  bool isPossible(size_t dim) {
    if (dim == lanes)
      return false;
    TileSizes sizes(shape);
    sizes[dim] = 1;
    return priceOf(sizes) || priceOf(rowsOf(dim));
  }

  std::optional<int64_t> priceOf(const TileSizes &sizes) {
    auto [found, isNew] = tried.try_emplace(sizes);
    if (isNew)
      found->second = price(sizes);
    return found->second;
  }

  void descend(TileSizes sizes) {
    std::optional<int64_t> best = priceOf(sizes);
    for (bool better = true; better;) {
      better = false;
      for (size_t dim : dims)
        better |= improve(sizes, dim, best);
    }
  }

  /// Tries sizes along one dimension: few, and some that divide what networks
  /// have.
  bool improve(TileSizes &sizes, size_t dim, std::optional<int64_t> &best) {
    bool better = false;
    TileSizes trial(sizes);
    auto attempt = [&](int64_t size) {
      trial[dim] = size;
      std::optional<int64_t> cost = priceOf(trial);
      if (!cost || (best && *cost >= *best))
        return;
      best = cost;
      sizes[dim] = size;
      better = true;
    };
    for (int64_t size :
         {1, 2, 4, 7, 8, 14, 16, 28, 32, 56, 64, 80, 96, 112, 128, 256})
      if (size < shape[dim] && (dim != lanes || size >= leastLanes))
        attempt(size);
    attempt(shape[dim]);
    return better;
  }

  ArrayRef<int64_t> shape;
  function_ref<std::optional<int64_t>(const TileSizes &)> price;
  SmallVector<size_t> dims;
  size_t lanes = 0; ///< a dimension of single elements; else there is none
  std::map<TileSizes, std::optional<int64_t>> tried;
};
} // namespace

void fuse::searchTiles(
    ArrayRef<int64_t> shape,
    function_ref<std::optional<int64_t>(const TileSizes &)> price) {
  TileSearch(shape, price).run();
}
