//===- TileGrid.h - tiles that look alike -----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares the cases that the tiles of a group fall into. Tiles at
// the border of a tensor need less of it, and the last one may be smaller:
//
//   10 rows in tiles of 4,       0 1 2 3 | 4 5 6 7 | 8 9
//   windows of 3 over them   (x) 0 ... 4   3 ... 8   7 8 9 (x)
//
// Extents and padding are numbers in each case, so that its code is that of
// stages of these shapes at some address.
//===----------------------------------------------------------------------===//
#ifndef TENON_PASSES_CODEGEN_STAGES_TILEGRID_H
#define TENON_PASSES_CODEGEN_STAGES_TILEGRID_H

#include "dialects/Kernel/Footprint.h"

namespace tenon::codegen {

/// Tiles `[begin, end)` along one tiled dimension.
struct TileRun {
  int64_t begin, end;
};

/// Where a stage leaves its result.
struct StagePlace {
  /// In the group's, if it leaves the group.
  std::optional<unsigned> result;
  /// In a buffer of the thread: nothing but the group's stages reads it, or
  /// they need more of it than the tile stores, and a part is copied.
  bool isLocal = true;

  bool isCopied() const { return isLocal && result; }
};

/// How the results of a group are cut into tiles.
class TileGrid {
public:
  /// Fails with a diagnostic as kernel::footprintsOf does.
  static mlir::FailureOr<TileGrid> create(kernel::GroupOp group);
  /// One whose boxes for any tile are known, without runs.
  TileGrid(kernel::GroupOp group,
           llvm::ArrayRef<kernel::StageFootprint> footprints);

  unsigned rank() const { return sizes.size(); }
  /// Tiles along each tiled dimension.
  llvm::ArrayRef<int64_t> counts() const { return tiles; }
  int64_t size(unsigned dim) const { return sizes[dim]; }
  /// Of the tile with this index along a dimension.
  int64_t origin(unsigned dim, int64_t index) const {
    return index * sizes[dim];
  }
  int64_t extent(unsigned dim, int64_t index) const {
    return std::min(sizes[dim], whole[dim] - origin(dim, index));
  }
  /// The runs along a dimension whose tiles differ in their address alone.
  llvm::ArrayRef<TileRun> runs(unsigned dim) const { return alike[dim]; }
  /// Whether all tiles differ in their address alone.
  bool isUniform() const {
    return llvm::all_of(alike, [](auto &runs) { return runs.size() == 1; });
  }
  const StagePlace &place(unsigned stage) const { return places[stage]; }
  /// The tiled dimensions along which the first tile alone stores what stage
  /// `stage` has of a result that it leaves in a local buffer.
  llvm::SmallVector<unsigned> repeated(unsigned stage) const;
  /// The boxes of any tile, uncut.
  llvm::ArrayRef<kernel::StageFootprint> footprints() const { return any; }
  /// Those of the tile that most tiles look like.
  llvm::SmallVector<kernel::StageFootprint> typical() const;
  /// Those of one tile.
  llvm::SmallVector<kernel::StageFootprint>
  footprintsAt(llvm::ArrayRef<int64_t> index) const;

private:
  void findPlaces();
  void findRuns(unsigned dim);

  mutable kernel::GroupOp group;
  llvm::SmallVector<kernel::StageFootprint> any;
  llvm::SmallVector<StagePlace> places;
  llvm::SmallVector<int64_t> sizes, whole, tiles;
  llvm::SmallVector<llvm::SmallVector<TileRun>> alike;
};

} // namespace tenon::codegen

#endif // TENON_PASSES_CODEGEN_STAGES_TILEGRID_H
