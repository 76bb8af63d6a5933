//===- Roll.cpp - depthwise windows that roll down a map ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file walks a register tile down a band of rows. Each input row is loaded
// once, for all rows of results that read it: their sums stay in registers
// until the last kernel row has entered.
//
//   kernel 3, stride 2     row 1    tap 2 of a, tap 0 of b    a is stored
//                          row 2    tap 1 of b
//                          row 3    tap 2 of b, tap 0 of c    b is stored
//===----------------------------------------------------------------------===//
#include "passes/CodegenCpu/Window/Emit.h"

#include "dialects/Graph/Graph.h"
#include "lib/Tile/Rows.h"

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

/// Two bands, so that the threads that share a map by rows before and after
/// read their own here.
void codegen::planRoll(const WindowNest &nest, const tile::Target &target,
                       WindowPlan &plan) {
  int64_t outputs = std::max<int64_t>(1, nest.dims[2].output);
  auto split = tile::EvenSplit::of(outputs, rollingPixels(nest, target));
  plan.rolls = true;
  plan.pixels = split.height;
  plan.vectors = 1;
  plan.across = split.count;
  plan.block = ceilDiv(nest.channels, plan.lanes);
  plan.band = ceilDiv(nest.dims[1].output, 2);
}

//===-- Emission ----------------------------------------------------------===//

/// `sums` with what the input row `line` adds as kernel row `tap` of the first
/// row of results, and as earlier ones of the rows below it.
Values WindowEmitter::rollOver(Place at, Value line, int64_t tap,
                               const WindowTile &tile, ValueRange sums) {
  const WindowDim &height = nest.dims[1];
  auto add = [&] {
    Value from = b.add(at.input, b.mul(line, height.pitch));
    Values weights;
    for (int64_t k = tap; k >= 0; k -= height.stride)
      weights.push_back(
          b.at(filter, b.add(at.weight, k * height.tapPitch), element));
    return taps.row(b.at(input, from, element), weights, sums, tile,
                    nest.dims[2].kernel);
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
  Place at = startOf(row, channel);
  at.input = b.add(at.input, b.mul(row.depth.position, depth.pitch));
  at.input = b.add(at.input, b.mul(firstInput(2, x), width.pitch));
  auto roll = [&](Value y, int64_t tap, ValueRange sums) {
    return rollOver(at, b.add(firstInput(1, y), tap), tap, tile, sums);
  };
  Values sums(ceilDiv(shared, height.stride) * count, taps.initial());
  for (int64_t tap = 0; tap < shared; ++tap)
    sums = roll(row.first, tap, sums);
  b.loop(row.first, row.end, 1, sums, [&](Value y, ValueRange above) {
    Row to = rowAt(row, y, 1, false);
    if (plan.prefetch > 0)
      prefetchNext(to, x, channel, tile);
    Values all(above);
    all.resize(all.size() + count, taps.initial());
    for (int64_t tap = shared; tap < height.kernel; ++tap)
      all = roll(y, tap, all);
    output.store(b, resultTile(to, x, channel, tile),
                 ArrayRef(all).take_front(count));
    return Values(ArrayRef(all).drop_front(count));
  });
}
