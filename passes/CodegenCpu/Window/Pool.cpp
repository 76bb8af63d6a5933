//===- Pool.cpp - pools in tiles of columns -------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file cuts a pool's results into tiles of rows by pixels. Those at the
// left and right border are emitted one by one, so that they know which columns
// they lack; rows at the top and bottom border are tiles of their own.
//===----------------------------------------------------------------------===//
#include "passes/CodegenCpu/Window/Emit.h"

#include "lib/Tile/Rows.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::codegen;
using tile::ceilDiv;

/// `row` at `count` neighbouring rows of results from `y` on.
WindowEmitter::Row WindowEmitter::rowAt(Row row, Value y, int64_t count,
                                        bool clip) {
  row.height = rangeAt(1, y, clip);
  row.count = count;
  row.wholeHeight = !clip;
  for (size_t t = 0; t < row.result.size(); ++t)
    row.result[t] = b.add(row.result[t], b.mul(y, nest.dims[1].result[t]));
  return row;
}

/// One row, or several where all have the same taps: rows at the border are
/// units of their own.
void WindowEmitter::emitUnit(const Row &image, Value unit) {
  const WindowDim &height = nest.dims[1];
  auto emit = [&](Value y, int64_t count, bool clip) {
    emitPixels(rowAt(image, y, count, clip));
  };
  if (!plan.columns)
    return emit(unit, 1, clips(1));
  if (!nest.hasFixedMap())
    return emitAnyRows(image, unit);
  auto [first, last] = height.interior();
  if (first == last)
    return emit(unit, 1, clips(1));
  auto split = tile::EvenSplit::of(last - first, plan.height);
  Value group = b.sub(unit, b.index(first));
  auto emitGroup = [&] {
    auto tall = [&] {
      emit(b.add(b.mul(group, split.height), first), split.height, false);
    };
    if (split.uniform())
      return tall();
    b.ifThen(b.less(group, b.index(split.tall)), tall, [&] {
      Value y = b.add(b.mul(group, split.height - 1), first + split.tall);
      emit(y, split.height - 1, false);
    });
  };
  if (!clips(1))
    return emitGroup();
  Value nearest = b.min(b.max(group, b.index(0)), b.index(split.count - 1));
  b.ifThen(b.equal(group, nearest), emitGroup, [&] {
    Value below = b.add(unit, last - first - split.count);
    Value y = b.choose(b.less(unit, b.index(first)), unit, below);
    emit(y, 1, true);
  });
}

/// Tiles at the border are known, and so are the columns that they lack.
void WindowEmitter::emitTiles(const Row &row) {
  const WindowDim &width = nest.dims[2];
  auto [first, last] = width.interior();
  auto emit = [&](int64_t start, int64_t count, int64_t pixels) {
    if (count == 0)
      return;
    auto at = [&](Value i) { return b.add(b.mul(i, pixels), start); };
    auto border = [&](int64_t from, int64_t to) {
      for (int64_t i = from; i < to; ++i)
        emitBlock(row, at(b.index(i)), pixels, true);
    };
    int64_t left = std::clamp<int64_t>(
        ceilDiv(std::max<int64_t>(0, first - start), pixels), 0, count);
    int64_t right = std::clamp<int64_t>(
        std::max<int64_t>(0, last - start) / pixels, left, count);
    border(0, left);
    b.loop(b.index(left), b.index(right), 1,
           [&](Value i) { emitBlock(row, at(i), pixels, false); });
    border(right, count);
  };
  auto split = tile::EvenSplit::of(width.output.fixed(), plan.pixels);
  emit(0, split.tall, split.height);
  emit(split.tall * split.height, split.count - split.tall, split.height - 1);
}

/// The same for the channels of a block.
void WindowEmitter::emitBlock(const Row &row, Value x, int64_t pixels,
                              bool edge) {
  WindowTile tile{pixels, 1, plan.lanes, edge};
  if (edge) {
    const WindowDim &width = nest.dims[2];
    tile.firstColumn = width.padBefore - *b.constant(x) * width.stride;
    tile.endColumn = tile.firstColumn + width.input.fixed();
  }
  b.loop(row.channel, row.channelEnd, plan.lanes,
         [&](Value channel) { emitTile(row, x, channel, tile); });
  tile.last = nest.channels % plan.lanes;
  if (tile.last == 0)
    return;
  emitLast(row, x, b.index(nest.channels - tile.last), tile);
}

/// The pixels of a tile, row by row.
Values WindowEmitter::overColumns(const Row &row, Value position, Value channel,
                                  const WindowTile &tile) {
  WindowColumns columns(nest, taps, tile);
  Value column = b.mul(b.add(position, columns.origin()), nest.dims[2].pitch);
  Place start{b.add(b.add(row.input, column), channel), b.index(0)};
  if (row.wholeHeight && nest.unrollsTile(row.count, plan.pixels))
    return overKnownRows(row, start.input, columns);
  auto addRow = [&](Place at, ValueRange sums) {
    return columns.addRow(b.at(input, at.input, element), sums);
  };
  return columns.combine(overRows(row, 0, start, columns.initial(), addRow));
}

Values WindowEmitter::overKnownRows(const Row &row, Value start,
                                    const WindowColumns &columns) {
  const WindowDim &depth = nest.dims[0], &height = nest.dims[1];
  Value first = b.add(b.mul(row.depth.position, depth.pitch),
                      b.mul(row.height.position, height.pitch));
  Value base = b.at(input, b.add(start, first), element);
  std::map<int64_t, size_t> numbers;
  Values bases;
  for (int64_t y : usedColumns(height, row.count, height.kernel)) {
    numbers[y] = bases.size();
    bases.push_back(b.at(base, height.pitch * y, element));
  }
  SmallVector<SmallVector<size_t>> uses(row.count);
  for (int64_t r = 0; r < row.count; ++r)
    for (int64_t k = 0; k < height.kernel; ++k)
      uses[r].push_back(numbers[r * height.stride + k * height.dilation]);
  return columns.combineRows(bases, uses);
}
