//===- Roll.cpp - pools that roll down a map ------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file walks a pool's register tile down a band of rows. Each input row is
// loaded once and combined along the row once, for all rows of results that
// read it: what they have of it waits in registers until the last kernel row
// has entered.
//
//   kernel 3, stride 1     row 1    last of a, second of b, first of c
//                          row 2    last of b, second of c, first of d
//===----------------------------------------------------------------------===//
#include "passes/CodegenCpu/Window/Emit.h"

#include "dialects/Graph/Graph.h"
#include "lib/Tile/Rows.h"
#include "passes/Codegen/Layout/Pixels.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::codegen;
using tile::ceilDiv;

//===-- Planning ----------------------------------------------------------===//

/// Rows of results that read one input row, at most.
static int64_t openRows(const WindowNest &nest) {
  return ceilDiv(nest.dims[1].kernel, nest.dims[1].stride);
}

/// Tiles roll down maps in the second-level cache; where tiles of columns load
/// each input row twice and more, also those that are a little larger, if asked
/// for. From further away tiles of columns read in longer runs. Pixels are
/// whole lines, so that none is loaded twice, in all sets of the cache.
bool codegen::canRoll(const WindowNest &nest, Type element,
                      const tile::Target &target, int64_t met) {
  const WindowDim &height = nest.dims[1], &width = nest.dims[2];
  bool isPlain = nest.isFlat() && height.dilation == 1 &&
                 height.output.fixed() > 1 && height.kernel <= longestInOrder;
  bool isShared = height.kernel > height.stride && openRows(nest) <= 3;
  int64_t pitch = width.pitch.fixed() * graph::elementBytes(element);
  bool isEven = pitch % tile::lineBytes == 0 && !meetsFewSets(pitch);
  int64_t near = openRows(nest) > 2 ? 3 * target.l2Bytes : target.l2Bytes;
  return isPlain && isShared && isEven && !target.readsTwoLines() &&
         target.registers >= 32 && met <= near;
}

/// What open rows have takes seven eighths of the registers, columns of the row
/// at hand the rest. There are two bands, so that the threads that share a map
/// by rows before and after read their own here.
void codegen::planRoll(const WindowNest &nest, const tile::Target &target,
                       WindowPlan &plan) {
  int64_t outputs = std::max<int64_t>(1, nest.dims[2].output.fixed());
  int64_t most = target.registers * 7 / 8 / openRows(nest);
  auto split = tile::EvenSplit::of(outputs, most);
  plan.rolls = true;
  plan.pixels = split.height;
  plan.vectors = 1;
  plan.across = split.count;
  plan.block = ceilDiv(nest.channels, plan.lanes);
  plan.band = ceilDiv(nest.dims[1].output.fixed(), 2);
}

//===-- Emission ----------------------------------------------------------===//

/// `open` rows of results after the input row at `base`, which is kernel row
/// `tap` of the first of them, an earlier one of the next. Also asks for the
/// channels that come next: they are as far away as a band is high.
Values WindowEmitter::enterLine(Value base, int64_t tap, const WindowTile &tile,
                                ValueRange open) {
  const WindowDim &height = nest.dims[1], &width = nest.dims[2];
  if (plan.prefetch > 0)
    prefetchPixels(b, b.at(base, plan.lanes, element), element,
                   countUsed(width, tile.pixels), width.pitch.fixed(), 1);
  WindowColumns columns(nest, taps, tile);
  Values line = columns.combineRows({base}, {{0}}), next(open);
  for (auto [i, sum] : llvm::enumerate(next)) {
    int64_t begins = int64_t(i) / tile.pixels * height.stride;
    Value mine = line[i % tile.pixels];
    if (begins <= tap)
      sum = begins == tap ? mine : taps.combine(sum, mine);
  }
  return next;
}

void WindowEmitter::emitDown(const Row &row, Value x, Value channel,
                             const WindowTile &tile) {
  const auto &[depth, height, width] = nest.dims;
  int64_t shared = height.kernel - height.stride;
  Value position = firstInput(2, x);
  Value column = b.add(position, WindowColumns(nest, taps, tile).origin());
  Value start = b.add(startOf(row, channel).input,
                      b.add(b.mul(row.depth.position, depth.pitch),
                            b.mul(column, width.pitch)));
  auto enter = [&](Value y, int64_t tap, ValueRange open) {
    Value line = b.add(firstInput(1, y), tap);
    auto add = [&] {
      Value at = b.add(start, b.mul(line, height.pitch));
      return enterLine(b.at(input, at, element), tap, tile, open);
    };
    if (!clips(1))
      return add();
    return b.select(b.inside(line, height.input), add,
                    [&] { return Values(open); });
  };
  Values open(ceilDiv(shared, height.stride) * tile.pixels, taps.initial());
  for (int64_t tap = 0; tap < shared; ++tap)
    open = enter(row.first, tap, open);
  b.loop(row.first, row.end, 1, open, [&](Value y, ValueRange above) {
    Values all(above);
    all.resize(all.size() + tile.pixels, taps.initial());
    for (int64_t tap = shared; tap < height.kernel; ++tap)
      all = enter(y, tap, all);
    Values done(ArrayRef(all).take_front(tile.pixels));
    // Only averages ask how many taps there are.
    Row to = rowAt(row, y, 1, clips(1));
    if (nest.kind == WindowKind::Average)
      average(to, position, tile, done);
    output.store(b, resultTile(to, x, channel, tile), done);
    return Values(ArrayRef(all).drop_front(tile.pixels));
  });
}
