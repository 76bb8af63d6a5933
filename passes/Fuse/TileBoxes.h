//===- TileBoxes.h - the boxes of tiles of any size -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares what a tile in the middle of a group's result needs of
// each stage. Boxes are found once for each choice of dimensions that are cut;
// those of a size follow from them.
//===----------------------------------------------------------------------===//
#ifndef TENON_PASSES_FUSE_TILEBOXES_H
#define TENON_PASSES_FUSE_TILEBOXES_H

#include "dialects/Kernel/Footprint.h"

#include <map>

namespace tenon::fuse {

/// Sizes of a tile along all dimensions of the result that it is a tile of. One
/// that is the whole extent cuts nothing.
using TileSizes = std::vector<int64_t>;

class TileBoxes {
public:
  explicit TileBoxes(kernel::GroupOp group);

  /// Of a result that no stage reads.
  llvm::ArrayRef<int64_t> shape() const { return extents; }
  kernel::TileAttr attrOf(const TileSizes &sizes) const;
  /// How many tiles there are, and how many when the last ones count by size.
  int64_t tiles(const TileSizes &sizes) const;
  double wholeTiles(const TileSizes &sizes) const;
  /// Those of a tile in the middle, without values; none where stages cannot be
  /// computed in such parts.
  std::optional<llvm::SmallVector<kernel::StageFootprint>>
  at(const TileSizes &sizes);
  /// Where these are known, the same for any tile.
  llvm::ArrayRef<kernel::StageFootprint> anyAt(const TileSizes &sizes) {
    return find(sizes)->any;
  }
  /// Adds those of the values inside of a stage.
  void addValues(unsigned stage, const TileSizes &sizes,
                 kernel::StageFootprint &boxes);

private:
  /// For any tile, and for one in the middle.
  struct Boxes {
    llvm::SmallVector<kernel::StageFootprint> any, one;
  };

  const std::optional<Boxes> &find(const TileSizes &sizes);
  std::optional<Boxes> find(llvm::ArrayRef<int64_t> dims,
                            llvm::ArrayRef<int64_t> sizes);
  bool cutsAll(llvm::ArrayRef<int64_t> dims) const;

  mutable kernel::GroupOp group;
  TileSizes extents;
  /// By the dimensions that are cut; sizes, where these matter.
  std::map<std::pair<std::vector<int64_t>, std::vector<int64_t>>,
           std::optional<Boxes>>
      known;
};

} // namespace tenon::fuse

#endif // TENON_PASSES_FUSE_TILEBOXES_H
