//===- TileChoice.cpp - how a group of stages is cut ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/Fuse/TileChoice.h"

#include "mlir/IR/Diagnostics.h"
#include "llvm/Support/MathExtras.h"

#include <map>

using namespace mlir;
using namespace tenon;
using namespace tenon::fuse;
using kernel::StageFootprint;

static ArrayRef<int64_t> shapeOf(kernel::GroupOp group) {
  auto results = group.getResults_();
  return cast<RankedTensorType>(results.back().getType()).getShape();
}

TileGridSize::TileGridSize(kernel::GroupOp group) {
  kernel::TileAttr tile = *group.getTile();
  for (auto [dim, size] : llvm::zip_equal(tile.getDims(), tile.getSizes())) {
    int64_t extent = shapeOf(group)[dim];
    tiles *= llvm::divideCeil(extent, size);
    wholeTiles *= double(extent) / double(size);
  }
}

std::optional<SmallVector<StageFootprint>>
fuse::typicalBoxes(kernel::GroupOp group) {
  ScopedDiagnosticHandler silent(group.getContext(),
                                 [](Diagnostic &) { return success(); });
  if (failed(kernel::footprintsOf(group)))
    return std::nullopt;
  SmallVector<int64_t> origins, extents;
  kernel::TileAttr tile = *group.getTile();
  for (auto [dim, size] : llvm::zip_equal(tile.getDims(), tile.getSizes())) {
    int64_t extent = shapeOf(group)[dim];
    origins.push_back(extent / size / 2 * size);
    extents.push_back(std::min(size, extent - origins.back()));
  }
  FailureOr<SmallVector<StageFootprint>> boxes =
      kernel::footprintsOf(group, origins, extents);
  if (failed(boxes))
    return std::nullopt;
  return std::move(*boxes);
}

namespace {
/// Sizes of a tile along the dimensions that may be cut.
class TileSearch {
public:
  TileSearch(kernel::GroupOp group,
             function_ref<std::optional<int64_t>()> price)
      : group(group), price(price) {
    ArrayRef<int64_t> shape = shapeOf(group);
    // Lanes and columns of products stay whole.
    for (auto [dim, extent] : llvm::enumerate(shape.drop_back()))
      if (extent > 1)
        dims.push_back(int64_t(dim));
  }

  void run() {
    if (dims.empty() || !isPossible())
      return;
    // Rows of the outermost dimension, then of the one behind it.
    for (size_t cut = 0; cut < dims.size(); ++cut) {
      SmallVector<int64_t> start(dims.size(), 1);
      for (size_t i = cut; i < dims.size(); ++i)
        start[i] = extentOf(i);
      start[cut] = std::min<int64_t>(start[cut], 8);
      descend(start);
    }
  }

private:
  int64_t extentOf(size_t i) { return shapeOf(group)[dims[i]]; }

  void set(ArrayRef<int64_t> sizes) {
    SmallVector<int64_t> cut, by;
    for (auto [i, size] : llvm::enumerate(sizes))
      if (size < extentOf(i)) {
        cut.push_back(dims[i]);
        by.push_back(size);
      }
    group.setTileAttr(kernel::TileAttr::get(group.getContext(), cut, by));
  }

  /// Whether there is any box at all; where the first dimension alone cannot be
  /// cut, none can.
  bool isPossible() {
    for (size_t i = 0; i < dims.size(); ++i) {
      SmallVector<int64_t> sizes;
      for (size_t j = 0; j < dims.size(); ++j)
        sizes.push_back(j == i ? 1 : extentOf(j));
      set(sizes);
      if (typicalBoxes(group))
        return true;
    }
    return false;
  }

  std::optional<int64_t> priceOf(ArrayRef<int64_t> sizes) {
    auto [found, isNew] =
        tried.try_emplace(std::vector<int64_t>(sizes), std::nullopt);
    bool isCut = false;
    for (auto [i, size] : llvm::enumerate(sizes))
      isCut |= size < extentOf(i);
    if (isNew && isCut) {
      set(sizes);
      found->second = price();
    }
    return found->second;
  }

  /// Sizes worth a try along a dimension: few, and some that divide it.
  static SmallVector<int64_t> sizesFor(int64_t extent) {
    SmallVector<int64_t> sizes;
    for (int64_t size : {1, 2, 4, 7, 8, 14, 16, 28, 32, 56, 64, 112, 128, 256})
      if (size < extent)
        sizes.push_back(size);
    sizes.push_back(extent);
    return sizes;
  }

  void descend(SmallVector<int64_t> sizes) {
    std::optional<int64_t> best = priceOf(sizes);
    for (bool better = true; better;) {
      better = false;
      for (size_t i = 0; i < dims.size(); ++i)
        better |= improve(sizes, i, best);
    }
  }

  bool improve(SmallVector<int64_t> &sizes, size_t i,
               std::optional<int64_t> &best) {
    bool better = false;
    SmallVector<int64_t> trial(sizes);
    for (int64_t size : sizesFor(extentOf(i))) {
      trial[i] = size;
      std::optional<int64_t> cost = priceOf(trial);
      if (!cost || (best && *cost >= *best))
        continue;
      best = cost;
      sizes[i] = size;
      better = true;
    }
    return better;
  }

  kernel::GroupOp group;
  function_ref<std::optional<int64_t>()> price;
  SmallVector<int64_t> dims;
  std::map<std::vector<int64_t>, std::optional<int64_t>> tried;
};
} // namespace

void fuse::chooseTile(kernel::GroupOp group,
                      function_ref<std::optional<int64_t>()> price) {
  TileSearch(group, price).run();
}
