//===- Winograd.h - when and how to use Winograd ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares the plan for a Winograd convolution (minimal filtering) of
// stride 1, along one or two dimensions with r taps: tiles of m or m x m
// outputs, m + r - 1 or (m + r - 1)^2 products of matrices.
//===----------------------------------------------------------------------===//
#ifndef TENON_LIB_TILE_WINOGRAD_H
#define TENON_LIB_TILE_WINOGRAD_H

#include "lib/Pack/WinogradMatrices.h"
#include "lib/Tile/Contraction.h"
#include "llvm/ADT/SmallVector.h"
#include <optional>

namespace tenon::tile {

/// `--winograd`: how much larger rounding errors may be than those of direct
/// summation, by `WinogradProblem::errorGrowth`.
enum class WinogradUse {
  Off,
  Exact, ///< no larger: F(2) of more than a few channels
  Safe,  ///< at most three times: F(2), F(4) of more than a few
  Max    ///< any: F(2), F(4), F(6)
};

/// "off", "exact", "safe" or "max"; none for anything else.
std::optional<WinogradUse> parseWinogradUse(llvm::StringRef name);
llvm::StringRef toText(WinogradUse use);

/// A filtered dimension, of stride 1. With a dilation the outputs that share
/// inputs are so far apart: there are as many phases, each filtered alone.
struct WinogradDim {
  int64_t extent = 1; ///< of the result
  int64_t dilation = 1;

  /// Tiles of the longest phase; all phases have as many.
  int64_t tiles(int64_t m) const;
  /// How many outputs tiles have, falling: m, or fewer in the last of a phase.
  /// There may be none in the last of a shorter one.
  llvm::SmallVector<int64_t, 3> outputs(int64_t m) const;
  int64_t leastOutputs(int64_t m) const { return outputs(m).back(); }
};

/// Taps of the windows that filters with so many taps along each of `rank`
/// dimensions are cut into: all of them where there is an F(m, r) with small
/// errors, else three.
int64_t winogradTaps(int64_t side, int64_t rank);

/// A convolution of f32, whose filter is cut into windows. Along dimensions
/// that are not filtered, positions are images, and each tap has windows of its
/// own.
struct WinogradProblem {
  llvm::SmallVector<WinogradDim, 2> dims; ///< one or two
  int64_t taps = 3; ///< of a window along each of them: 3, 5 or 7
  int64_t images = 1, windows = 1;
  int64_t groups = 1, channels = 1, filters = 1; ///< the latter of one group
  /// Whether the code is for other extents and numbers of images, too.
  bool isTypical = false;

  auto rank() const { return int64_t(dims.size()); }
  int64_t points(int64_t m) const { return windowSize(m + taps - 1, rank()); }
  int64_t depth() const { return windows * channels; } ///< of one product
  int64_t tiles(int64_t m) const;                      ///< of all images
  double errorGrowth(int64_t m) const {
    return winogradErrorGrowth(m, taps, rank(), depth());
  }
};

/// The decision. A tile is m or m x m outputs of one image; tiles are numbered
/// over images, then for each dimension tiles and phases, and cut into units of
/// `tile.mr` of them or one less, the rows of a register tile. `block` units go
/// through all three steps together: their transformed inputs stay in the
/// second-level cache while the filters pass by, a panel of filters at a time.
/// Launch tiles, as many as there is work for, share out the units; or the
/// panels (`byFilters`), so that no two threads read the same filters, and each
/// transforms all inputs. For many threads they are shares of the units by
/// parts of the panels, `cuts` of them: consecutive tiles have the same units.
struct WinogradPlan {
  int64_t m = 2;
  ContractionPlan tile; ///< lanes, mr, nv, panel, unroll, prefetch
  int64_t tiles = 1;
  int64_t block = 1;
  bool byFilters = false;
  int64_t cuts = 1; ///< of the panels, in each share of the units
  /// Where the tile so far ahead has its results is prefetched, and what the
  /// next one reads; 0: nothing is.
  int64_t ahead = 0;
};

/// Units of all tiles.
EvenSplit winogradUnits(const WinogradProblem &problem,
                        const WinogradPlan &plan);

/// How many of them make a launch tile, at least, where only a call knows how
/// many there are.
int64_t winogradUnitsOfTile(const WinogradProblem &problem,
                            const WinogradPlan &plan);

/// What launch tiles share out: units, panels or pairs of them.
int64_t winogradItems(const WinogradProblem &problem, const WinogradPlan &plan);

/// Whether what threads take at once still has whole blocks: smaller pieces
/// would each read all filters.
bool fillsChunks(const WinogradProblem &problem, const WinogradPlan &plan);

/// Scratch of a thread in elements:
/// `[unit][point][tile][window][group][channel]` for transformed inputs,
/// `[unit][point][tile][filter of the panel]` for products. Pitches are never
/// multiples of 2 KiB, which would fall into one set of the first-level cache.
struct WinogradScratch {
  int64_t units;                             ///< of a block
  int64_t inputPitch, inputPoint, inputUnit; ///< between tiles, points, units
  int64_t productPoint, productUnit;

  /// In whole lines.
  int64_t inputs() const { return ceilDiv(units * inputUnit, 16) * 16; }
  int64_t products() const { return units * productUnit; }
  int64_t elements() const { return inputs() + products(); }
};
WinogradScratch winogradScratch(const WinogradProblem &problem,
                                const WinogradPlan &plan);

/// The cheapest plan that `use` allows, if it is expected to take clearly less
/// than `otherCycles` (see chargedCycles); larger m must clearly gain over
/// smaller ones, since its filters take more memory.
std::optional<WinogradPlan> planWinograd(const WinogradProblem &problem,
                                         const Target &target, WinogradUse use,
                                         double otherCycles);

/// What another algorithm must take for this one not to be worth it.
double chargedCycles(const WinogradProblem &problem, const WinogradPlan &plan,
                     const Target &target);

/// Checks a plan against the rules, whoever made it.
llvm::Error validate(const WinogradProblem &problem, const WinogradPlan &plan,
                     const Target &target);

/// Estimated cycles: products, transforms, bytes of transformed filters and of
/// results in memory.
double estimateCycles(const WinogradProblem &problem, const WinogradPlan &plan,
                      const Target &target);

/// Calls `visit(name, field)` for every number of a plan, in printing order.
template <typename Plan, typename Visit>
  requires std::is_same_v<std::remove_const_t<Plan>, WinogradPlan>
void visitFields(Plan &plan, Visit visit) {
  visit("m", plan.m);
  visit("mr", plan.tile.mr);
  visit("nv", plan.tile.nv);
  visit("lanes", plan.tile.lanes);
  visit("panel", plan.tile.panel);
  visit("unroll", plan.tile.unroll);
  visit("prefetch", plan.tile.prefetch);
  visit("tiles", plan.tiles);
  visit("block", plan.block);
  visit("by_filters", plan.byFilters);
  visit("cuts", plan.cuts);
  visit("ahead", plan.ahead);
}

} // namespace tenon::tile

#endif // TENON_LIB_TILE_WINOGRAD_H
