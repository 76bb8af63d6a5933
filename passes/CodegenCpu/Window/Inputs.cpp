//===- Inputs.cpp - what a window tile reads ------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/CodegenCpu/Window/Emit.h"

#include "dialects/Graph/Graph.h"
#include "lib/Tile/Rows.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::codegen;

//===-- Ranges -----------------------------------------------------------===//

Value WindowEmitter::firstInput(size_t i, Value output) {
  const WindowDim &dim = nest.dims[i];
  return b.sub(b.mul(output, dim.stride), b.index(dim.padBefore));
}

WindowEmitter::TapRange WindowEmitter::range(const WindowDim &dim,
                                             Value position, bool clip) {
  TapRange taps;
  taps.position = position;
  taps.begin = b.index(0);
  taps.end = taps.counted = b.index(dim.kernel);
  if (!clip)
    return taps;
  Value zero = b.index(0);
  if (dim.padBefore > 0)
    taps.begin = b.divUp(b.sub(zero, position), dim.dilation);
  Value room = b.sub(b.index(dim.input), position);
  taps.end = b.min(taps.end, b.divUp(room, dim.dilation));
  taps.counted = b.sub(taps.end, taps.begin);
  if (nest.countsPadding)
    taps.counted = b.min(b.index(dim.kernel),
                         b.divUp(b.add(room, dim.padAfter), dim.dilation));
  return taps;
}

WindowEmitter::TapRange WindowEmitter::rangeAt(size_t i, Value output,
                                               bool clip) {
  return range(nest.dims[i], firstInput(i, output), clip);
}

//===-- Taps --------------------------------------------------------------===//

/// Runs `body` for every kernel row, with the sums carried from one to the
/// next.
Values WindowEmitter::overRows(const Row &row, size_t i, Place at,
                               ValueRange init, RowBody body) {
  if (i == 2)
    return body(at, init);
  const WindowDim &dim = nest.dims[i];
  const TapRange &range = i == 0 ? row.depth : row.height;
  Value base = b.add(at.input, b.mul(range.position, dim.pitch));
  return overTaps(i, range, init, [&](Value k, ValueRange carried) {
    Place next{b.add(base, b.mul(k, dim.pitch * dim.dilation)),
               b.add(at.weight, b.mul(k, dim.tapPitch)), k};
    return overRows(row, i + 1, next, carried, body);
  });
}

/// Taps that one sum takes in the loops from dimension `i` on. Columns have
/// sums of their own.
int64_t WindowEmitter::termsFrom(size_t i) const {
  int64_t terms = 1;
  for (size_t k = i; k < (combines ? 2 : 3); ++k)
    terms *= nest.dims[k].kernel;
  return terms;
}

/// A loop over the taps of a dimension, in blocks where an average is long. Of
/// windows up to 16x16 there would be two, which gain little and cost AVX2 4 %.
Values WindowEmitter::overTaps(size_t i, const TapRange &range, ValueRange init,
                               function_ref<Values(Value, ValueRange)> body) {
  SumRange taps = {range.begin, range.end, 1, nest.dims[i].kernel,
                   termsFrom(i + 1)};
  if (nest.kind != WindowKind::Average || !isa<FloatType>(element) ||
      termsFrom(0) <= 2 * longestInOrder)
    return b.loop(taps.low, taps.high, 1, init, body);
  auto isSum = [](size_t) { return true; };
  return sumLoop(b, taps, init, isSum, body);
}

/// The taps of a kernel row, unrolled when they are known and few.
Values WindowEmitter::tapRow(const TapRange &width, Place at, ValueRange init,
                             const WindowTile &tile) {
  const WindowDim &dim = nest.dims[2];
  Value base = b.add(at.input, b.mul(width.position, dim.pitch));
  auto some = [&](Value k, int64_t count, ValueRange sums) {
    Value from = b.add(base, b.mul(k, dim.pitch * dim.dilation));
    Value weight = b.add(at.weight, b.mul(k, dim.tapPitch));
    return taps.row(b.at(input, from, element),
                    filter ? b.at(filter, weight, element) : Value(), sums,
                    tile, count);
  };
  auto begin = b.constant(width.begin), end = b.constant(width.end);
  if (begin && end && *begin < *end && nest.unrollsRow())
    return some(width.begin, *end - *begin, init);
  return overTaps(2, width, init,
                  [&](Value k, ValueRange sums) { return some(k, 1, sums); });
}

Value WindowEmitter::inputChannel(Value channel) {
  return nest.multiplier == 1 ? channel : b.div(channel, nest.multiplier);
}

WindowEmitter::Place WindowEmitter::startOf(const Row &row, Value channel) {
  return {b.add(row.input, inputChannel(channel)),
          b.add(b.mul(channel, nest.filterChannel), nest.filterOffset)};
}

Values WindowEmitter::accumulate(const Row &row, Value x, Value channel,
                                 const WindowTile &tile) {
  TapRange width = range(nest.dims[2], firstInput(2, x), tile.edge);
  Values sums(tile.pixels * tile.vectors, taps.initial());
  bool asks = plan.prefetch > 0 && spreadsAsking() && !tile.edge;
  return overRows(row, 0, startOf(row, channel), sums,
                  [&](Place at, ValueRange carried) {
                    if (asks)
                      prefetchNext(row, x, channel, tile, at.tapRow);
                    return tapRow(width, at, carried, tile);
                  });
}

//===-- Prefetching -------------------------------------------------------===//

void codegen::prefetchPixels(KernelBuilder &b, Value pointer, Type element,
                             int64_t pixels, int64_t pitch, int64_t lanes) {
  int64_t line = tile::lineBytes / graph::elementBytes(element);
  int64_t step = std::max<int64_t>(1, line / std::max<int64_t>(1, pitch));
  for (int64_t p = 0; p < pixels; p += step)
    b.prefetchLines(b.at(pointer, p * pitch, element), lanes, element,
                    /*locality=*/2);
}

/// Asks for what the next rows of results read first, and by plan for where
/// they are stored: all of it, or the share of a kernel row, every so manyth
/// column. Vectors that have a line together share its columns, too.
void WindowEmitter::prefetchNext(const Row &row, Value x, Value channel,
                                 const WindowTile &tile, Value tapRow) {
  const WindowDim &width = nest.dims[2], &height = nest.dims[1];
  int64_t apart = tapRow ? height.kernel : 1;
  Value first = tapRow ? tapRow : b.index(0);
  int64_t lanes = tile.vectors * plan.lanes;
  int64_t inLine = std::min(tile::lineBytes /
                                (lanes * int64_t(graph::elementBytes(element))),
                            tile::ceilDiv(nest.channels, lanes));
  if (tapRow && inLine > 1) {
    Value member = b.rem(b.div(channel, lanes), inLine);
    first = b.add(first, b.mul(member, apart));
    apart *= inLine;
  }
  auto ask = [&](Value pointer, Type element, int64_t pixels, int64_t pitch) {
    prefetchPixels(b, pointer, element, tile::ceilDiv(pixels, apart),
                   pitch * apart, lanes);
  };
  Value y =
      b.add(row.height.position, (row.count - 1) * height.stride +
                                     (height.kernel - 1) * height.dilation + 1);
  Value column = b.add(b.mul(x, width.stride), first);
  Value from = b.add(b.add(row.input, inputChannel(channel)),
                     b.add(b.mul(y, height.pitch), b.mul(column, width.pitch)));
  for (int64_t i = 0; i < row.count * height.stride; ++i)
    ask(b.at(input, b.add(from, height.pitch * i), element), element,
        tile.pixels * width.stride, width.pitch.fixed());
  if (!plan.asksResults)
    return;
  const IndexedTensor &result = output.tensors().front();
  Value to = b.add(row.result.front(),
                   b.add(b.mul(b.add(x, first), width.result.front()),
                         b.mul(channel, nest.channelResult.front())));
  for (int64_t i = row.count; i < 2 * row.count; ++i)
    ask(b.at(b.buffer(result.buffer), b.add(to, height.result.front() * i),
             result.element),
        result.element, tile.pixels, width.result.front().fixed());
}
