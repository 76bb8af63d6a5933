//===- TileGrid.cpp - tiles that look alike -------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/CodegenCpu/Stages/TileGrid.h"

#include "dialects/Graph/Graph.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::codegen;
using kernel::BoxMap;
using kernel::StageFootprint;

FailureOr<TileGrid> TileGrid::create(kernel::GroupOp group) {
  TileGrid grid(group);
  FailureOr<SmallVector<StageFootprint>> any = kernel::footprintsOf(group);
  if (failed(any))
    return failure();
  grid.any = std::move(*any);
  kernel::TileAttr tile = *group.getTile();
  auto shape = cast<RankedTensorType>(group.getResult(0).getType()).getShape();
  for (auto [dim, size] : llvm::zip_equal(tile.getDims(), tile.getSizes())) {
    grid.sizes.push_back(std::min(size, shape[dim]));
    grid.whole.push_back(shape[dim]);
    grid.tiles.push_back(llvm::divideCeil(shape[dim], grid.sizes.back()));
  }
  grid.alike.resize(grid.rank());
  for (unsigned dim = 0; dim < grid.rank(); ++dim)
    grid.findRuns(dim);
  return grid;
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
/// where they lie.
static SmallVector<int64_t> shapeOf(ArrayRef<StageFootprint> stages,
                                    ArrayRef<StageFootprint> any,
                                    unsigned dim) {
  SmallVector<int64_t> shape;
  auto add = [&](const BoxMap &box, const BoxMap &of) {
    for (auto [each, general] : llvm::zip_equal(box, of))
      if (general.tileDim == int(dim))
        shape.push_back(each.span);
  };
  for (auto [stage, general] : llvm::zip_equal(stages, any)) {
    add(stage.needed, general.needed);
    add(stage.result, general.result);
    for (auto [box, of] : llvm::zip_equal(stage.operands, general.operands))
      add(box, of);
    for (auto [needed, result] : llvm::zip_equal(stage.needed, stage.result))
      shape.push_back(result.offset - needed.offset);
  }
  return shape;
}

void TileGrid::findRuns(unsigned dim) {
  SmallVector<int64_t> index(rank(), 0), before;
  for (index[dim] = 0; index[dim] < tiles[dim]; ++index[dim]) {
    SmallVector<int64_t> shape = shapeOf(footprintsAt(index), any, dim);
    if (index[dim] > 0 && shape == before)
      alike[dim].back().end = index[dim] + 1;
    else
      alike[dim].push_back({index[dim], index[dim] + 1});
    before = std::move(shape);
  }
}
