//===- Roll.cpp - windows that roll down a map ----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file walks a register tile down a band of rows. Each input row is loaded
// once, for all rows of results that read it: their sums stay in registers
// until the last kernel row has entered.
//
//   kernel 3, stride 2     row 1    tap 2 of a, tap 0 of b    a is stored
//                          row 2    tap 1 of b
//                          row 3    tap 2 of b, tap 0 of c    b is stored
//
// A pool adds up what the windows have of an input row once, for all of them.
//===----------------------------------------------------------------------===//
#include "passes/CodegenCpu/Window/Emit.h"

#include "dialects/Graph/Graph.h"
#include "lib/Tile/Rows.h"
#include "passes/CodegenCpu/Layout/Pixels.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::codegen;
using tile::ceilDiv;

//===-- Planning ----------------------------------------------------------===//

/// Pixels of a tile: the sums of all rows of results that read one input row
/// take five eighths of the registers, weights and inputs the rest.
static int64_t rollingPixels(const WindowNest &nest,
                             const tile::Target &target) {
  const WindowDim &height = nest.dims[1];
  return target.registers * 5 / 8 / ceilDiv(height.kernel, height.stride);
}

/// Pixels of a pool's tile: sums as above, beside a few columns of the input
/// row at hand.
static int64_t rollingColumns(const WindowNest &nest,
                              const tile::Target &target) {
  const WindowDim &height = nest.dims[1];
  return target.registers * 7 / 8 / ceilDiv(height.kernel, height.stride);
}

/// Whether the multiply-adds of a tile hide what it reads: two cycles a line,
/// and where pixels are no whole lines, each line twice.
static bool hidesLines(const WindowNest &nest, Type element) {
  const WindowDim &height = nest.dims[1], &width = nest.dims[2];
  int64_t pitch = width.pitch * graph::elementBytes(element);
  int64_t lines = height.stride * width.stride * (pitch % 64 == 0 ? 1 : 2);
  return 2 * lines <= nest.taps();
}

/// Tiles roll down maps that come from the third-level cache: those in the
/// second-level cache are walked row by row as fast. Cores that load two lines
/// in a cycle walk row by row as fast in any case. With stride 1 nearly all
/// of what a row reads is in the first-level cache. More than three rows of
/// results leave too few pixels, and a band begins with the rows that windows
/// share.
bool codegen::canRoll(const WindowNest &nest, Type element,
                      const tile::Target &target) {
  const WindowDim &height = nest.dims[1], &width = nest.dims[2];
  int64_t shared = height.kernel - height.stride;
  bool isPlain = nest.isFlat() && nest.unrollsRow() && height.dilation == 1;
  bool isShared = height.stride > 1 && width.stride > 1 && shared > 0 &&
                  height.kernel <= 3 * height.stride &&
                  height.output >= 6 * shared;
  return isPlain && isShared && !target.isWide() &&
         rollingPixels(nest, target) >= 6 && hidesLines(nest, element) &&
         nest.mapBytes(element) > target.l2Bytes;
}

/// Pools roll down maps in the second-level cache; where tiles of columns load
/// each input row twice and more, also those that are a little larger, if asked
/// for. From further away tiles of columns read in longer runs. Pixels are whole
/// lines, so that none is loaded twice, in all sets of the cache.
bool codegen::canRollColumns(const WindowNest &nest, Type element,
                             const tile::Target &target, int64_t met) {
  const WindowDim &height = nest.dims[1], &width = nest.dims[2];
  int64_t rows = ceilDiv(height.kernel, height.stride);
  bool isPlain = nest.isFlat() && height.dilation == 1 && height.output > 1;
  bool isShared = height.kernel > height.stride && rows <= 3;
  int64_t pitch = width.pitch * graph::elementBytes(element);
  bool isEven = pitch % 64 == 0 && !meetsFewSets(pitch);
  return isPlain && isShared && isEven && !target.isWide() &&
         target.registers >= 32 &&
         met <= (rows > 2 ? 3 * target.l2Bytes : target.l2Bytes);
}

/// Two bands, so that the threads that share a map by rows before and after
/// read their own here.
void codegen::planRoll(const WindowNest &nest, const tile::Target &target,
                       WindowPlan &plan) {
  int64_t outputs = std::max<int64_t>(1, nest.dims[2].output);
  int64_t most = plan.columns ? rollingColumns(nest, target)
                              : rollingPixels(nest, target);
  auto split = tile::EvenSplit::of(outputs, most);
  plan.rolls = true;
  plan.pixels = split.height;
  plan.vectors = 1;
  plan.across = split.count;
  plan.block = ceilDiv(nest.channels, plan.lanes);
  plan.band = ceilDiv(nest.dims[1].output, 2);
}

//===-- Emission ----------------------------------------------------------===//

/// The input row that begins at `start` as kernel row `tap` of the first row of
/// results and as earlier ones of the rows below it. A pool's tile asks for the
/// channels that come next: they are as far apart as a band is high.
Values WindowEmitter::addLine(Place at, Value start, int64_t tap,
                              const WindowTile &tile, ValueRange sums) {
  const WindowDim &height = nest.dims[1];
  Value base = b.at(input, start, element);
  if (!plan.columns) {
    Values weights;
    for (int64_t k = tap; k >= 0; k -= height.stride)
      weights.push_back(
          b.at(filter, b.add(at.weight, k * height.tapPitch), element));
    return taps.row(base, weights, sums, tile, nest.dims[2].kernel);
  }
  WindowColumns columns(nest, taps, tile);
  if (plan.prefetch > 0)
    prefetchPixels(b, b.at(base, plan.lanes, element), element,
                   countUsed(nest.dims[2], tile.pixels), nest.dims[2].pitch, 1);
  Values line = columns.combineRows({base}, {{0}}), next(sums);
  for (auto [i, sum] : llvm::enumerate(next)) {
    int64_t row = int64_t(i) / tile.pixels;
    // What begins with this line is the line itself.
    bool isFirst = row * height.stride == tap;
    if (row * height.stride <= tap)
      sum = isFirst ? line[i % tile.pixels]
                    : taps.combine(sum, line[i % tile.pixels]);
  }
  return next;
}

/// `sums` with what the input row `line` adds, if there is one.
Values WindowEmitter::rollOver(Place at, Value line, int64_t tap,
                               const WindowTile &tile, ValueRange sums) {
  const WindowDim &height = nest.dims[1];
  auto add = [&] {
    Value start = b.add(at.input, b.mul(line, height.pitch));
    return addLine(at, start, tap, tile, sums);
  };
  if (!clips(1))
    return add();
  return b.select(b.inside(line, height.input), add,
                  [&] { return Values(sums); });
}

void WindowEmitter::emitDown(const Row &row, Value x, Value channel,
                             const WindowTile &tile) {
  const auto &[depth, height, width] = nest.dims;
  int64_t shared = height.kernel - height.stride;
  int64_t count = tile.pixels * tile.vectors;
  Value position = firstInput(2, x), column = position;
  if (plan.columns)
    column = b.add(column, WindowColumns(nest, taps, tile).origin());
  Place at = startOf(row, channel);
  at.input = b.add(at.input, b.mul(row.depth.position, depth.pitch));
  at.input = b.add(at.input, b.mul(column, width.pitch));
  auto roll = [&](Value y, int64_t tap, ValueRange sums) {
    return rollOver(at, b.add(firstInput(1, y), tap), tap, tile, sums);
  };
  Values sums(ceilDiv(shared, height.stride) * count, taps.initial());
  for (int64_t tap = 0; tap < shared; ++tap)
    sums = roll(row.first, tap, sums);
  b.loop(row.first, row.end, 1, sums, [&](Value y, ValueRange above) {
    bool counts = nest.kind == WindowKind::Average && clips(1);
    Row to = rowAt(row, y, 1, counts);
    if (plan.prefetch > 0 && !plan.columns)
      prefetchNext(to, x, channel, tile);
    Values all(above);
    all.resize(all.size() + count, taps.initial());
    for (int64_t tap = shared; tap < height.kernel; ++tap)
      all = roll(y, tap, all);
    Values done(ArrayRef(all).take_front(count));
    if (nest.kind == WindowKind::Average)
      average(to, position, tile, done);
    output.store(b, resultTile(to, x, channel, tile), done);
    return Values(ArrayRef(all).drop_front(count));
  });
}
