//===- WindowPlan.h - what a window's plan must keep ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares the plans of pools and depthwise convolutions on
// processors, the map that they are for, and the rules that they keep.
//===----------------------------------------------------------------------===//
#ifndef TENON_LIB_TILE_WINDOWPLAN_H
#define TENON_LIB_TILE_WINDOWPLAN_H

#include "lib/Tile/Target.h"
#include "llvm/Support/Error.h"
#include <concepts>
#include <type_traits>

namespace tenon::tile {

/// A dimension of a map of results, of which `[first, last)` have all taps.
struct WindowMapDim {
  int64_t output = 1, kernel = 1, stride = 1, dilation = 1;
  int64_t first = 0, last = 1;
  bool isFixed = true; ///< results are counted now

  /// How many inputs so many neighbouring results read.
  int64_t inputs(int64_t outputs) const;
  bool hasBorder() const { return first > 0 || last < output; }
};

/// What the rules ask of a map.
struct WindowMap {
  WindowMapDim height, width;
  int64_t planes = 1; ///< of all images
  int64_t channels = 1;
  int64_t multiplier = 1; ///< results of an input channel
  int64_t sumBytes = 4;   ///< of an accumulator
  bool isPool = false;
  bool isFlat = true;  ///< each window lies in one plane
  bool isFixed = true; ///< planes, rows and pixels are counted now
  bool hasFixedPitch = true;
};

/// Kernels whose rows are no longer are emitted tap by tap, and tiles of
/// columns that read no more inputs, as many as code has room for. Tiles roll
/// down windows of so many rows, whose sums are formed in order.
constexpr int64_t mostRowTaps = 11, mostTileInputs = 256, mostRolledRows = 128;

/// `pixels` by `vectors` accumulators, and how often their rows ask for what
/// the next ones need. With `columns` a register tile is `height` rows by
/// `pixels`. A unit is a row, or a group of them, `across` tiles of pixels long
/// and `block` vectors of channels deep. Units follow each other down a band of
/// rows, then along it (lib/Tile/Window.h); a launch tile is `rows` of them.
/// Where tiles of columns roll down, a unit is all rows of a band. A call that
/// has all units walks each map as one band.
struct WindowPlan {
  int64_t lanes = 1, pixels = 1, vectors = 1, rows = 1;
  int64_t prefetch = 0;    ///< how often a tile asks
  bool asksResults = true; ///< also for where results are stored
  bool columns = false, rolls = false;
  int64_t height = 1, block = 1, across = 1, band = 1;
};

/// Calls `visit(name, field)` for every number of a plan.
template <typename Plan, typename Visit>
  requires std::derived_from<std::remove_const_t<Plan>, WindowPlan>
void visitFields(Plan &plan, Visit visit) {
  visit("lanes", plan.lanes);
  visit("pixels", plan.pixels);
  visit("vectors", plan.vectors);
  visit("rows", plan.rows);
  visit("prefetch", plan.prefetch);
  visit("results", plan.asksResults);
  visit("columns", plan.columns);
  visit("rolls", plan.rolls);
  visit("height", plan.height);
  visit("block", plan.block);
  visit("across", plan.across);
  visit("band", plan.band);
}

/// Checks a plan against the rules, whoever made it.
llvm::Error validate(const WindowMap &map, const WindowPlan &plan,
                     const Target &target);

} // namespace tenon::tile

#endif // TENON_LIB_TILE_WINDOWPLAN_H
