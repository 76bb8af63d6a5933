//===- Symbols.cpp - Winograd tiles that the run counts -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file builds what a winograd kernel knows of its units. Where extents are
// symbols, tiles are cut into as few units as they are where all is known, but
// the call finds out how high these are, so that there is code for each height.
//===----------------------------------------------------------------------===//
#include "passes/CodegenCpu/Contraction/Place.h"
#include "passes/CodegenCpu/Winograd/Emit.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::codegen;

/// Images and positions that are not filtered, then for each filtered dimension
/// tiles and phases.
void WinogradEmitter::findTiles() {
  tileExtents.append(resultSizes.begin(), resultSizes.end() - 1);
  for (unsigned dim : dims)
    tileExtents[dim + 1] = 1;
  for (auto [dim, filtered] : llvm::zip_equal(dims, problem.dims)) {
    const Size &extent = resultSizes[dim + 1];
    tileExtents.push_back(extent.ceilDiv(plan.m * filtered.dilation));
    tileExtents.push_back(filtered.dilation);
  }
  tileCount = graph::productOf(tileExtents);
  unitCount = tileCount.ceilDiv(plan.tile.mr);
}

/// As tile::EvenSplit does.
void WinogradEmitter::countUnits() {
  Value count = b.index(unitCount), tiles = b.index(tileCount);
  Value atLeastOne = b.max(count, b.index(1));
  unitHeight = b.div(b.add(tiles, b.sub(atLeastOne, b.index(1))), atLeastOne);
  tallUnits = b.sub(tiles, b.mul(count, b.sub(unitHeight, b.index(1))));
}

/// The first tile of a unit.
Value WinogradEmitter::startOf(Value unit) {
  if (!unitHeight)
    return b.startOf(units, unit);
  return b.sub(b.mul(unit, unitHeight),
               b.max(b.sub(unit, tallUnits), b.index(0)));
}

/// Code for each number of tiles that a unit may have.
void WinogradEmitter::forHeights(Value unit, function_ref<void(int64_t)> emit) {
  if (unitHeight) {
    Value height = b.choose(b.less(unit, tallUnits), unitHeight,
                            b.sub(unitHeight, b.index(1)));
    return emitAnyNumber(b, height, 1, plan.tile.mr, emit);
  }
  if (units.uniform())
    return emit(units.height);
  b.ifThen(
      b.less(unit, b.index(units.tall)), [&] { emit(units.height); },
      [&] { emit(units.height - 1); });
}

/// What the call has of the units or the panels. Of units that only the run
/// counts, threads get them in one piece: how many blocks that is nobody knows.
/// They share out panels where all units are one block.
StageInfo WinogradEmitter::shareOut(WinogradShare &share) {
  StageInfo result;
  result.tiles = plan.tiles;
  result.oneCall = unitHeight || !tile::fillsChunks(problem, plan);
  if (plan.cuts > 1) // shareOf says it
    return result;
  int64_t panels = problem.groups * groupPanels;
  if (!unitHeight) {
    if (plan.byFilters)
      share.panels = b.shareOfCall(panels, plan.tiles);
    else
      share.units = b.shareOfCall(unitCount, plan.tiles);
    return result;
  }
  if (!plan.byFilters) {
    int64_t each = tile::winogradUnitsOfTile(problem, plan);
    result.tiles = unitCount.ceilDiv(each);
    share.units = {b.mul(b.tileBegin(), each),
                   b.min(b.mul(b.tileEnd(), each), share.units.end)};
    return result;
  }
  Value isOneBlock = b.less(share.units.end, b.index(plan.block + 1));
  auto choose = [&](Interval shared, Interval all, Value isShared) {
    return Interval{b.choose(isShared, shared.begin, all.begin),
                    b.choose(isShared, shared.end, all.end)};
  };
  Value isSeveral = b.less(b.index(plan.block), share.units.end);
  share.units =
      choose(b.shareOfCall(unitCount, plan.tiles), share.units, isSeveral);
  share.panels =
      choose(b.shareOfCall(panels, plan.tiles), share.panels, isOneBlock);
  return result;
}
