//===- TileChoice.h - how a group of stages is cut --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares the search for the tile of a group: sizes along the
// dimensions of its result, one dimension after the other, from more than one
// start, until none gets better.
//===----------------------------------------------------------------------===//
#ifndef TENON_PASSES_FUSE_TILECHOICE_H
#define TENON_PASSES_FUSE_TILECHOICE_H

#include "passes/Fuse/TileBoxes.h"

namespace tenon::fuse {

/// Asks `price` what a tile of a result of this shape costs, none if there is
/// no such tile, for all that may be the cheapest. Rows of the last dimension
/// stay whole: they are lanes and columns of products.
void searchTiles(
    llvm::ArrayRef<int64_t> shape,
    llvm::function_ref<std::optional<int64_t>(const TileSizes &)> price);

} // namespace tenon::fuse

#endif // TENON_PASSES_FUSE_TILECHOICE_H
