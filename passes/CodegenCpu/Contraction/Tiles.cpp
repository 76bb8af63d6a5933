//===- Tiles.cpp - launch tiles and rows of contractions ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file builds the loops over launch tiles, and over register tiles of two
// heights. Where rows are shared out, a launch tile is a share of the rows by
// some of the panels (forShares). What a call has of whole shares is one piece,
// whose panels are each read once.
//===----------------------------------------------------------------------===//
#include "passes/CodegenCpu/Contraction/Emit.h"

#include "passes/Codegen/Builder/Cuts.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::codegen;
using tile::ceilDiv;

int64_t ContractionEmitter::batches() const {
  int64_t count = 1;
  for (const NestDim &dim : nest.batch)
    count *= dim.extent.fixed();
  return count;
}

Place ContractionEmitter::tileOrigin(Value batch) {
  return moveOver(b, originOf(b, nest, output.tensors()), nest.batch, batch);
}

FailureOr<StageInfo> ContractionEmitter::emit() {
  if (packs)
    packed = b.scratch(blockLength() * kWithinOuter() * plan.nv * plan.lanes,
                       rhsType);
  int64_t perTile = plan.mr * plan.nv * plan.lanes;
  if (plan.kBlock)
    sums = b.scratch(plan.rowTiles * perTile, accumulatorType(lhsType));
  StageInfo result = isSymbolic ? emitSymbolic() : emitFixed();
  if (output.failed())
    return failure();
  return result;
}

StageInfo ContractionEmitter::emitFixed() {
  StageInfo result;
  result.oneCall = plan.shares > 0 && plan.panelsOuter;
  if (plan.shares) {
    result.tiles = plan.shares * panelBlocks();
    emitShares();
    return result;
  }
  result.tiles = batches() * ceilDiv(rows.tiles(), plan.rowTiles) *
                 ceilDiv(panels, plan.panels);
  b.forTiles([&](Value tile) { emitTile(tile); });
  return result;
}

void ContractionEmitter::emitTile(Value tile) {
  int64_t rowBlocks = ceilDiv(rows.tiles(), plan.rowTiles);
  int64_t ofBatch = ceilDiv(panels, plan.panels);
  int64_t inner = plan.panelsOuter ? rowBlocks : ofBatch;
  int64_t outer = plan.panelsOuter ? ofBatch : rowBlocks;
  Value first = b.rem(tile, inner);
  Value rest = b.div(tile, inner);
  Value second = b.rem(rest, outer);
  Value rowBegin = b.mul(plan.panelsOuter ? first : second, plan.rowTiles);
  Value panelBegin = b.mul(plan.panelsOuter ? second : first, plan.panels);
  Place origin = tileOrigin(b.div(rest, outer));
  Value panelEnd = b.min(b.add(panelBegin, plan.panels), b.index(panels));
  RowShare all;
  RowBlock of{
      {rowBegin, b.min(b.add(rowBegin, plan.rowTiles), b.index(rows.tiles()))},
      all};
  b.loop(panelBegin, panelEnd, 1,
         [&](Value panel) { emitAnyPanel(origin, of, panel); });
}

void ContractionEmitter::emitAnyPanel(const Place &origin, const RowBlock &of,
                                      Value panel) {
  if (!nest.plane.extent.is(1) || !nest.member.extent.is(1))
    emitJoinedPanels(origin, of, panel);
  else
    emitPanelAt(origin, of, panel);
}

//===-- Shares of rows ----------------------------------------------------===//

void ContractionEmitter::emitShares() {
  forShares(b, panelBlocks(), [&](Interval tiles) { emitSharesOf(tiles); });
}

/// Whole shares, or a part of one.
void ContractionEmitter::emitSharesOf(Interval tiles) {
  int64_t blocks = panelBlocks();
  Interval shares{b.div(tiles.begin, blocks),
                  b.div(b.add(tiles.end, blocks - 1), blocks)};
  Value lastBlock = b.rem(b.sub(tiles.end, b.index(1)), blocks);
  Interval panelsOf{
      b.mul(b.rem(tiles.begin, blocks), plan.panels),
      b.min(b.mul(b.add(lastBlock, 1), plan.panels), b.index(allPanels()))};
  emitBlocks(rowShare(shares), panelsOf);
}

/// Rows are cut where other kernels cut them, too, if register tiles of two
/// heights fill all shares.
RowShare ContractionEmitter::rowShare(Interval shares) {
  RowShare result;
  if (!tile::cutsShares(rows, plan.shares)) {
    result.tiles = b.shareOf(rows.tiles(), plan.shares, shares);
    return result;
  }
  int64_t extent = rows.inner.extent, height = rows.inner.height;
  Interval of = b.shareOf(extent, plan.shares, shares);
  Value count = b.sub(of.end, of.begin);
  Value tiles = b.div(b.add(count, height - 1), height);
  result.tiles = {b.index(0), tiles};
  result.first = of.begin;
  result.tall = b.sub(count, b.mul(tiles, height - 1));
  result.height = height;
  result.isUniform = height == 1 || extent % (plan.shares * height) == 0;
  return result;
}

void ContractionEmitter::emitBlocks(const RowShare &share, Interval panelsOf) {
  auto overRows = [&](auto body) {
    b.loop(share.tiles.begin, share.tiles.end, plan.rowTiles, [&](Value begin) {
      Value end = b.min(b.add(begin, plan.rowTiles), share.tiles.end);
      body(RowBlock{{begin, end}, share});
    });
  };
  auto overPanels = [&](auto body) {
    b.loop(panelsOf.begin, panelsOf.end, 1, [&](Value number) {
      body(tileOrigin(b.div(number, panels)), b.rem(number, panels));
    });
  };
  if (plan.panelsOuter)
    return overPanels([&](const Place &origin, Value panel) {
      overRows([&](const RowBlock &of) { emitAnyPanel(origin, of, panel); });
    });
  overRows([&](const RowBlock &of) {
    overPanels([&](const Place &origin, Value panel) {
      emitAnyPanel(origin, of, panel);
    });
  });
}

//===-- Register tiles ----------------------------------------------------===//

void ContractionEmitter::emitRowTile(const Place &place, const RowBlock &of,
                                     Value number, PanelShape shape,
                                     KPass pass) {
  if (of.share.first)
    return emitShareTile(place, of, number, shape, pass);
  Value slot = b.sub(number, of.begin);
  SmallVector<int64_t> extents;
  size_t restDims = nest.rows.size() < 2 ? 0 : nest.rows.size() - 2;
  for (size_t i = 0; i < restDims; ++i)
    extents.push_back(nest.rows[i].extent.fixed());
  extents.push_back(rows.outer.count);
  extents.push_back(rows.inner.count);
  Values index = b.delinearize(number, extents);
  Place from = place;
  for (size_t i = 0; i < restDims; ++i)
    from = moveAlong(b, from, nest.rows[i], index[i]);
  Value y = index[restDims], x = index[restDims + 1];
  from = moveAlong(b, from, outerRow, b.startOf(rows.outer, y));
  from = moveAlong(b, from, innerRow, b.startOf(rows.inner, x));
  auto withHeight = [&](int64_t height) {
    auto micro = [&](int64_t width) {
      emitMicro(from, height, width, slot, number, shape, pass);
    };
    if (rows.inner.uniform())
      return micro(rows.inner.height);
    b.ifThen(
        b.less(x, b.index(rows.inner.tall)), [&] { micro(rows.inner.height); },
        [&] { micro(rows.inner.height - 1); });
  };
  if (rows.outer.uniform())
    return withHeight(rows.outer.height);
  b.ifThen(
      b.less(y, b.index(rows.outer.tall)),
      [&] { withHeight(rows.outer.height); },
      [&] { withHeight(rows.outer.height - 1); });
}

static Value startOf(KernelBuilder &b, const RowShare &share, Value number) {
  if (!share.runHeight)
    return b.startOf(share.height, share.tall, number);
  Value low = b.max(b.sub(number, share.tall), b.index(0));
  return b.sub(b.mul(number, share.runHeight), low);
}

/// Of a share that is cut by rows.
void ContractionEmitter::emitShareTile(const Place &place, const RowBlock &of,
                                       Value number, PanelShape shape,
                                       KPass pass) {
  const RowShare &share = of.share;
  Value start = startOf(b, share, number);
  Place from = moveAlong(b, place, innerRow, b.add(share.first, start));
  auto micro = [&](int64_t height) {
    emitMicro(from, 1, height, b.sub(number, of.begin), number, shape, pass);
  };
  if (share.runHeight) {
    Value isTall = b.less(number, share.tall);
    Value own =
        b.choose(isTall, share.runHeight, b.sub(share.runHeight, b.index(1)));
    return emitAnyNumber(b, own, 1, share.height, micro);
  }
  if (share.isUniform)
    return micro(share.height);
  b.ifThen(
      b.less(number, share.tall), [&] { micro(share.height); },
      [&] { micro(share.height - 1); });
}
