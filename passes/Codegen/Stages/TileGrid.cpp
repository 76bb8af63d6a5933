//===- TileGrid.cpp - tiles that look alike -------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/Codegen/Stages/TileGrid.h"

#include "dialects/Graph/Graph.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::codegen;
using kernel::BoxMap;
using kernel::StageFootprint;

/// A result that is cut into tiles: that of the last stage is none of those
/// that others read.
static ArrayRef<int64_t> tiledShape(kernel::GroupOp group) {
  Operation *last = group.getBlock().getTerminator()->getPrevNode();
  auto stage = cast<kernel::StageOp>(last);
  return cast<RankedTensorType>(stage.getResult().getType()).getShape();
}

TileGrid::TileGrid(kernel::GroupOp group, ArrayRef<StageFootprint> footprints)
    : group(group), any(footprints) {
  kernel::TileAttr tile = *group.getTile();
  ArrayRef<int64_t> shape = tiledShape(group);
  for (auto [dim, size] : llvm::zip_equal(tile.getDims(), tile.getSizes())) {
    sizes.push_back(std::min(size, shape[dim]));
    whole.push_back(shape[dim]);
    tiles.push_back(llvm::divideCeil(shape[dim], sizes.back()));
  }
  findPlaces();
}

FailureOr<TileGrid> TileGrid::create(kernel::GroupOp group) {
  FailureOr<SmallVector<StageFootprint>> any = kernel::footprintsOf(group);
  if (failed(any))
    return failure();
  TileGrid grid(group, *any);
  grid.alike.resize(grid.rank());
  for (unsigned dim = 0; dim < grid.rank(); ++dim)
    grid.findRuns(dim);
  return grid;
}

SmallVector<unsigned> TileGrid::repeated(unsigned stage) const {
  SmallVector<unsigned> dims;
  for (unsigned dim = 0; dim < rank(); ++dim)
    if (tiles[dim] > 1 &&
        llvm::none_of(any[stage].owned, [&](const kernel::BoxDim &box) {
          return box.tileDim == int(dim);
        }))
      dims.push_back(dim);
  return dims;
}

/// What stages need of a stored result can be read where it is stored if it is
/// what the tile stores.
void TileGrid::findPlaces() {
  places.resize(any.size());
  auto stages = group.getBlock().getOps<kernel::StageOp>();
  auto results = group.getBlock().getTerminator()->getOperands();
  for (auto [number, stage] : llvm::enumerate(stages)) {
    auto found = llvm::find(results, stage.getResult());
    if (found == results.end())
      continue;
    StagePlace &place = places[number];
    place.result = found.getIndex();
    const BoxMap &owned = any[number].owned;
    auto shape = cast<RankedTensorType>(stage.getResult().getType()).getShape();
    auto isWhole = [&](const kernel::BoxDim &dim, int64_t extent) {
      return dim.tileDim < 0 || dim.shift(whole[dim.tileDim]) == extent;
    };
    place.isLocal =
        !owned.empty() &&
        (owned != any[number].needed ||
         !llvm::all_of_zip(owned, shape, isWhole) || !repeated(number).empty());
  }
}

SmallVector<StageFootprint> TileGrid::typical() const {
  SmallVector<int64_t> index;
  for (ArrayRef<TileRun> runs : alike)
    index.push_back(
        llvm::max_element(runs, [](const TileRun &a, const TileRun &b) {
          return a.end - a.begin < b.end - b.begin;
        })->begin);
  return footprintsAt(index);
}

SmallVector<StageFootprint>
TileGrid::footprintsAt(ArrayRef<int64_t> index) const {
  SmallVector<int64_t> origins, extents;
  for (auto [dim, number] : llvm::enumerate(index)) {
    origins.push_back(origin(dim, number));
    extents.push_back(extent(dim, number));
  }
  // What is a box for any tile is one for each.
  return *kernel::footprintsOf(group, origins, extents);
}

/// All that a tile's place along one dimension changes about its boxes, but for
/// where they lie if that is as for any tile at `origin`.
static SmallVector<int64_t> shapeOf(ArrayRef<StageFootprint> stages,
                                    ArrayRef<StageFootprint> any, unsigned dim,
                                    int64_t origin) {
  SmallVector<int64_t> shape;
  auto add = [&](const BoxMap &box, const BoxMap &of) {
    for (auto [each, general] : llvm::zip_equal(box, of)) {
      if (general.tileDim >= 0 && general.tileDim != int(dim))
        continue;
      shape.push_back(each.span);
      shape.push_back(each.offset - general.shift(origin));
    }
  };
  for (auto [stage, general] : llvm::zip_equal(stages, any)) {
    add(stage.needed, general.needed);
    add(stage.result, general.result);
    add(stage.owned, general.owned);
    for (auto [box, of] : llvm::zip_equal(stage.operands, general.operands))
      add(box, of);
  }
  return shape;
}

void TileGrid::findRuns(unsigned dim) {
  SmallVector<int64_t> index(rank(), 0), before;
  for (index[dim] = 0; index[dim] < tiles[dim]; ++index[dim]) {
    SmallVector<int64_t> shape =
        shapeOf(footprintsAt(index), any, dim, origin(dim, index[dim]));
    if (index[dim] > 0 && shape == before)
      alike[dim].back().end = index[dim] + 1;
    else
      alike[dim].push_back({index[dim], index[dim] + 1});
    before = std::move(shape);
  }
}
