//===- SymbolicTiles.cpp - tiles whose number comes with the call ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file builds the loops of contractions some of whose extents only the run
// knows. Register tiles are cut as those of a known number of rows are, in two
// heights that differ by one at most, which the call finds out: there is code
// for each height.
//
// Where all rows share a packed B, a launch has a fixed number of tiles, which
// stand for as many shares: of the rows if there are many, else of the panels.
// What a call has of them is one piece, whose panels are each read once for a
// block of rows. All other launches have tiles for blocks of rows by blocks of
// panels.
//===----------------------------------------------------------------------===//
#include "dialects/Graph/Graph.h"
#include "lib/Tile/Shares.h"
#include "passes/CodegenCpu/Contraction/Emit.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::codegen;
using tile::ceilDiv;

//===-- Plans -------------------------------------------------------------===//

/// A plan for typical sizes, made one for all.
void ContractionEmitter::adaptPlan() {
  constexpr int64_t mostStackBytes = 65536, packedSteps = 256;
  auto isFixed = [](const Size &size) { return size.isFixed(); };
  bool hasFixedRows = llvm::all_of(innerRow.result, isFixed);
  // Fewer tiles than are typical ask for most of the next block, more repeat
  // it.
  askingTiles = ceilDiv(plan.rowTiles, 4);
  if (!hasFixedRows || !nest.column.extent.isFixed())
    plan.fetchResults = 0;
  Size k = 1;
  for (const NestDim &dim : nest.k)
    k *= dim.extent;
  if (!innerRow.lhs.isFixed() || !nest.k.back().lhs.isFixed() || !k.isFixed())
    plan.fetchRows = false;
  // A packed panel lives on the stack, whatever k is.
  if (packs && !k.isFixed() && plan.kBlock == 0)
    plan.kBlock = ceilDiv(packedSteps, plan.unroll) * plan.unroll;
  int64_t tileBytes = plan.mr * plan.nv * plan.lanes *
                      graph::elementBytes(accumulatorType(lhsType));
  if (plan.kBlock)
    plan.rowTiles =
        std::clamp<int64_t>(mostStackBytes / tileBytes, 1, plan.rowTiles);
  else if (plan.panelsOuter && cutsCalls() && k.isFixed())
    plan.rowTiles = std::max<int64_t>(
        plan.rowTiles,
        b.target().l2Bytes / 2 /
            (k.fixed() * graph::elementBytes(lhsType) * plan.mr));
}

bool ContractionEmitter::cutsCalls() const {
  return nest.packed && nest.batch.empty() && nest.rows.size() == 1;
}

/// As many as threads need, where typical rows are worth it.
int64_t ContractionEmitter::callTiles() const {
  constexpr int64_t typicalRows = 128;
  int64_t work = typicalRows * panels * plan.nv * kWithinOuter() *
                 nest.k.front().extent.fixed();
  return tile::launchTiles(
      tile::balancedTiles,
      std::clamp<int64_t>(work / tile::leastTileWork, 1, tile::balancedTiles));
}

/// So many rows are better not shared out: each thread would read all of B.
int64_t ContractionEmitter::mostRowsOfAll() const {
  int64_t k = kWithinOuter() * nest.k.front().extent.fixed() * nest.fold;
  int64_t columns = nest.columns().fixed() / nest.fold;
  int64_t rows =
      tile::rowsWorthAll(k, columns, graph::elementBytes(lhsType), b.target());
  return std::max(rows, plan.mr * b.target().threads);
}

//===-- Launch tiles ------------------------------------------------------===//

StageInfo ContractionEmitter::emitSymbolic() {
  StageInfo result;
  if (cutsCalls()) {
    result.oneCall = true;
    result.tiles = callTiles();
    emitCall(callTiles());
    return result;
  }
  Sizes extents;
  for (const NestDim &dim : nest.batch)
    extents.push_back(dim.extent);
  for (const NestDim &dim : outerRows())
    extents.push_back(dim.extent);
  Size rowBlocks = innerRow.extent.ceilDiv(plan.mr * plan.rowTiles);
  Size panelBlocks = nest.columns().ceilDiv(plan.panel * plan.panels);
  extents.push_back(plan.panelsOuter ? panelBlocks : rowBlocks);
  extents.push_back(plan.panelsOuter ? rowBlocks : panelBlocks);
  result.tiles = graph::productOf(extents);
  b.forTiles([&](Value tile) { emitGridTile(tile, extents); });
  return result;
}

/// All that a call has, of rows or of panels.
void ContractionEmitter::emitCall(int64_t tiles) {
  Value rowCount = b.index(innerRow.extent);
  Value areMany = b.less(b.index(mostRowsOfAll()), rowCount);
  auto either = [&](const Interval &share, Value isShared, Value all) {
    return Interval{b.choose(isShared, share.begin, b.index(0)),
                    b.choose(isShared, share.end, all)};
  };
  Interval rowsOf =
      either(b.shareOfCall(innerRow.extent, tiles), areMany, rowCount);
  Value areFew = b.less(rowCount, b.index(mostRowsOfAll() + 1));
  Interval panelsOf =
      either(b.shareOfCall(panels, tiles), areFew, b.index(panels));
  Place origin = tileOrigin(b.index(0));
  emitRows(origin, rowsOf, panelsOf);
}

/// The last two extents are those of blocks.
void ContractionEmitter::emitGridTile(Value tile, ArrayRef<Size> extents) {
  Values index = b.delinearize(tile, extents);
  Place origin = originOf(b, nest, output.tensors());
  size_t number = 0;
  for (const NestDim &dim : nest.batch)
    origin = moveAlong(b, origin, dim, index[number++]);
  for (const NestDim &dim : outerRows())
    origin = moveAlong(b, origin, dim, index[number++]);
  Value panelBlock = index[number], rowBlock = index[number + 1];
  Size rowBlocks = extents[number + 1];
  if (!plan.panelsOuter) {
    std::swap(panelBlock, rowBlock);
    rowBlocks = extents[number];
  }
  Value begin = b.mul(panelBlock, plan.panels);
  Value end = b.min(b.add(begin, plan.panels),
                    b.index(nest.columns().ceilDiv(plan.panel)));
  Interval rowsOf{b.index(0), b.index(innerRow.extent)};
  if (!rowBlocks.is(1))
    rowsOf =
        b.shareOf(innerRow.extent, rowBlocks, {rowBlock, b.add(rowBlock, 1)});
  emitRows(origin, rowsOf, {begin, end});
}

//===-- Rows --------------------------------------------------------------===//

void ContractionEmitter::emitRows(const Place &origin, Interval rowsOf,
                                  Interval panelsOf) {
  RowShare share = shareOfRows(rowsOf);
  b.loop(share.tiles.begin, share.tiles.end, plan.rowTiles, [&](Value begin) {
    Value end = b.min(b.add(begin, plan.rowTiles), share.tiles.end);
    RowBlock block{{begin, end}, share};
    b.loop(panelsOf.begin, panelsOf.end, 1,
           [&](Value panel) { emitAnyPanel(origin, block, panel); });
  });
}

/// Cut as tile::EvenSplit does it.
RowShare ContractionEmitter::shareOfRows(Interval rowsOf) {
  RowShare share;
  share.first = rowsOf.begin;
  Value count = b.sub(rowsOf.end, rowsOf.begin);
  if (std::optional<int64_t> known = b.constant(count); known && *known > 0) {
    auto split = tile::EvenSplit::of(*known, plan.mr);
    share.tiles = {b.index(0), b.index(split.count)};
    share.tall = b.index(split.tall);
    share.height = split.height;
    share.isUniform = split.uniform();
    return share;
  }
  Value tiles = b.divUp(count, plan.mr);
  share.tiles = {b.index(0), tiles};
  share.runHeight =
      b.div(b.add(count, b.sub(tiles, b.index(1))), b.max(tiles, b.index(1)));
  Value low = b.sub(share.runHeight, b.index(1));
  share.tall = b.sub(count, b.mul(tiles, low));
  share.height = plan.mr;
  return share;
}
