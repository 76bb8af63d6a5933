//===- TileChoice.h - how a group of stages is cut --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares the search for the tile of a group: sizes along the
// dimensions of its result, one dimension after the other, from more than one
// start, until none gets better.
//===----------------------------------------------------------------------===//
#ifndef TENON_PASSES_FUSE_TILECHOICE_H
#define TENON_PASSES_FUSE_TILECHOICE_H

#include "dialects/Kernel/Footprint.h"

namespace tenon::fuse {

/// How many tiles a group has.
struct TileGridSize {
  explicit TileGridSize(kernel::GroupOp group);

  int64_t tiles = 1;
  double wholeTiles = 1; ///< the last ones counted by their size
};

/// The boxes of a tile in the middle, which most look like; none where a tile
/// cannot be computed in parts.
std::optional<llvm::SmallVector<kernel::StageFootprint>>
typicalBoxes(kernel::GroupOp group);

/// Sets tiles of the group and asks what it takes with each, none if it cannot
/// be; leaves it with any of them.
void chooseTile(kernel::GroupOp group,
                llvm::function_ref<std::optional<int64_t>()> price);

} // namespace tenon::fuse

#endif // TENON_PASSES_FUSE_TILECHOICE_H
