//===- Units.cpp - where the units of a window's call lie -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file builds the loops over a call's units: along rows, or down bands of
// rows.
//===----------------------------------------------------------------------===//
#include "dialects/Graph/Graph.h"
#include "passes/CodegenCpu/Window/Emit.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::codegen;
using tile::ceilDiv;

WindowEmitter::Row WindowEmitter::planeAt(Value plane) {
  Values index =
      b.delinearize(plane, ArrayRef<Size>{nest.images, nest.dims[0].output});
  Row row;
  row.input = b.add(b.mul(index[0], nest.imagePitch), nest.inputOffset);
  for (auto [t, tensor] : llvm::enumerate(output.tensors()))
    row.result.push_back(b.add(
        b.add(b.index(tensor.offset), b.mul(index[0], nest.imageResult[t])),
        b.mul(index[1], nest.dims[0].result[t])));
  row.depth = rangeAt(0, index[1], clips(0));
  return row;
}

void WindowEmitter::setPiece(Row &row, Value span, Value block) {
  int64_t channels = plan.block * plan.lanes;
  int64_t whole = nest.channels / plan.lanes * plan.lanes;
  row.firstTile = b.mul(span, plan.across);
  row.channel = b.mul(block, channels);
  row.channelEnd = b.min(b.add(row.channel, channels), b.index(whole));
  row.isLastBlock = b.equal(block, b.index(plan.blocks(nest) - 1));
}

//===-- Along rows --------------------------------------------------------===//

void WindowEmitter::emitRows(Interval units) {
  Sizes extents = {nest.planes(), plan.heightUnits(nest), plan.spans(nest),
                   plan.blocks(nest)};
  b.loop(units.begin, units.end, 1, [&](Value number) {
    Values index = b.delinearize(number, extents);
    Row row = planeAt(index[0]);
    setPiece(row, index[2], index[3]);
    emitUnit(row, index[1]);
  });
}

//===-- Down bands --------------------------------------------------------===//

/// Walks down the pieces of bands that a call has units of. A call that has all
/// units does without bands, since each begins with rows that the one before
/// has read. From one unit to the next only the row changes: units may be so
/// small that finding out where each lies takes a tenth of their time.
void WindowEmitter::emitBands(Interval units) {
  tile::EvenSplit bands = plan.bands(nest);
  int64_t height = plan.bandUnits(nest), pieces = plan.pieces(nest);
  Value count = b.sub(units.end, units.begin);
  Value isAlone = b.equal(count, b.index(plan.units(nest)));
  auto ifAlone = [&](int64_t alone, Value otherwise) {
    return b.choose(isAlone, b.index(alone), otherwise);
  };
  Value each = ifAlone(pieces, b.index(bands.count * pieces));
  Value last =
      ifAlone(nest.planes().fixed() * pieces, b.divUp(units.end, height));
  b.loop(b.div(units.begin, height), last, 1, [&](Value i) {
    Value plane = nest.planes().is(1) ? b.index(0) : b.div(i, each);
    Values index =
        b.delinearize(b.sub(i, b.mul(plane, each)),
                      {bands.count, plan.spans(nest), plan.blocks(nest)});
    Row row = planeAt(plane);
    setPiece(row, index[1], index[2]);
    row.first = b.startOf(bands, index[0]);
    row.end = ifAlone(bands.extent, b.startOf(bands, b.add(index[0], 1)));
    if (plan.rolls)
      return emitPixels(row);
    // Of the first and the last piece the call may have some rows only.
    Value number = b.mul(i, height);
    Value before = b.max(b.sub(units.begin, number), b.index(0));
    Value until = ifAlone(bands.extent, b.sub(units.end, number));
    b.loop(b.add(row.first, before), b.min(row.end, b.add(row.first, until)), 1,
           [&](Value y) {
             askForWeights(row, y);
             emitUnit(row, y);
           });
  });
}

/// Asks for a row's share of the weights that the next block of channels needs,
/// or the next launch. On a large map waiting for them does not show; many
/// lines at once find all miss buffers taken.
void WindowEmitter::askForWeights(const Row &row, Value y) {
  constexpr int64_t smallMap = 1024, mostLines = 32;
  int64_t pixels = nest.dims[1].output.fixed() * nest.dims[2].output.fixed();
  if (!nest.paddedFilter || pixels > smallMap)
    return;
  int64_t block = plan.block * plan.lanes * nest.filterChannel;
  int64_t line = tile::lineBytes / graph::elementBytes(element);
  int64_t lines = ceilDiv(ceilDiv(block, line), plan.bands(nest).height);
  int64_t share = std::min(lines, mostLines) * line;
  Value from = b.add(b.mul(row.channel, nest.filterChannel), block);
  from = b.add(from, b.mul(b.sub(y, row.first), share));
  b.prefetchLines(b.at(filter, b.add(from, nest.filterOffset), element), share,
                  element, /*locality=*/2);
}
