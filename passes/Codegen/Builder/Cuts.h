//===- Cuts.h - how work is cut that only the run can measure ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares what emitters may ask that depends on typical sizes: into
// how many pieces work is cut. Code has to be right for every answer from 1 on.
// Of sizes that are known the answers are exact.
//===----------------------------------------------------------------------===//
#ifndef TENON_PASSES_CODEGEN_BUILDER_CUTS_H
#define TENON_PASSES_CODEGEN_BUILDER_CUTS_H

#include "passes/Codegen/Builder/KernelBuilder.h"

namespace tenon::codegen {

/// Rows that are worth a tile, of so many that have `elements` together.
int64_t rowsOfTile(KernelBuilder &b, const Size &rows, const Size &elements);

/// Whether so many elements in a run are worth several tiles.
bool isWorthTiles(KernelBuilder &b, const Size &run);

/// Into how many shares `items` are cut, at most `most`, if each is to have
/// `workPerShare` of the work.
int64_t sharesOf(KernelBuilder &b, const Size &items, const Size &work,
                 int64_t workPerShare, int64_t most);

/// Launch tiles are shares of something by `parts` of something else, those of
/// a share behind each other:
///
///              part 0   1   2
///   share 0    tile 0   1   2      a call for tiles [2, 7):
///         1         3   4   5      [2, 3), then [3, 6), then [6, 7)
///         2         6   7   8
///
/// Builds what a call does once, for tiles that are whole shares or within one.
void forShares(KernelBuilder &b, int64_t parts,
               llvm::function_ref<void(Interval)> body);

/// Launch tiles for rows of a buffer whose border has so many bytes.
int64_t borderTiles(KernelBuilder &b, const Size &rows, const Size &bytes);

} // namespace tenon::codegen

#endif // TENON_PASSES_CODEGEN_BUILDER_CUTS_H
