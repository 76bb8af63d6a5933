//===- EpilogueTile.cpp - storing a register tile -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/CodegenCpu/Contraction/EpilogueTile.h"

#include "lib/Tile/Join.h"
#include "passes/Codegen/Builder/Alternate.h"
#include "passes/Codegen/Builder/ElementwiseOps.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::codegen;

/// More instructions than this and the epilogue becomes a loop over the tile.
static constexpr int64_t inlineBudget = 160;

//===-- Where lanes lie ---------------------------------------------------===//

static SmallVector<tile::LaneRun, 2> runsOf(const EpilogueTile &tile,
                                            int64_t first, int64_t count) {
  return tile::laneRuns(tile.memberColumns, tile.first + first, count);
}

static int64_t displacementOf(const EpilogueTile &tile,
                              const tile::LaneRun &run, unsigned tensor) {
  return run.member * strideOf(tile.member, tensor).fixed() +
         run.column * strideOf(tile.column, tensor).fixed();
}

/// What follows the first run, from its first element on.
static SmallVector<SegmentPart> partsOf(const EpilogueTile &tile,
                                        ArrayRef<tile::LaneRun> runs,
                                        size_t tensors) {
  SmallVector<SegmentPart> parts;
  for (const tile::LaneRun &run : runs.drop_front()) {
    SegmentPart part{run.lane, run.count, {}};
    for (size_t t = 0; t < tensors; ++t)
      part.displacements.push_back(displacementOf(tile, run, t) -
                                   displacementOf(tile, runs.front(), t));
    parts.push_back(std::move(part));
  }
  return parts;
}

//===-- Storing -----------------------------------------------------------===//

void TileStore::apply(KernelBuilder &b, const EpilogueTile &tile, int64_t row,
                      int64_t j, Value sum,
                      function_ref<Value(unsigned, int64_t)> address) {
  int64_t count = j == tile.vectors - 1 ? tile.last : tile.lanes;
  auto runs = runsOf(tile, j * tile.lanes, count);
  SmallVector<SegmentPart> parts = partsOf(tile, runs, tensors().size());
  auto pointer = [&](unsigned t) {
    return address(t, displacementOf(tile, runs.front(), t));
  };
  // Of rows, vectors that begin at the same column add the same bias.
  int64_t vector = tile.areRows ? runs.front().column : j;
  Segment segment{tile.lanes, count,   row * tile.members + runs.front().member,
                  vector,     pointer, parts};
  if (tile.live)
    segment.live = b.sub(tile.live, b.index(j * tile.lanes));
  Value value = isa<FloatType>(result) ? narrowFloat(b, sum, result) : sum;
  if (mlir::failed(epilogue.apply(b, value, segment)))
    broken = true;
}

void TileStore::prefetch(KernelBuilder &b, const EpilogueTile &tile) const {
  int64_t columns = (tile.vectors - 1) * tile.lanes + tile.last;
  auto runs = runsOf(tile, 0, columns);
  for (auto [t, tensor] : llvm::enumerate(tensors())) {
    int64_t outer = strideOf(tile.outer, t).fixed();
    int64_t inner = strideOf(tile.inner, t).fixed();
    bool hasRows = outer || inner || !strideOf(tile.member, t).is(0);
    if (!strideOf(tile.column, t).is(1) || !hasRows)
      continue;
    Value start = b.at(b.buffer(tensor.buffer), tile.base[t], tensor.element);
    auto adjoining = runs;
    if (strideOf(tile.member, t).is(tile.memberColumns)) {
      adjoining.resize(1);
      adjoining.front().count = columns;
    }
    for (int64_t i = 0; i < tile.height * tile.width; ++i) {
      int64_t row = i / tile.width * outer + i % tile.width * inner;
      for (const tile::LaneRun &run : adjoining)
        b.prefetchLines(
            b.at(start, row + displacementOf(tile, run, t), tensor.element),
            run.count, tensor.element, /*locality=*/3);
    }
  }
}

void TileStore::store(KernelBuilder &b, const EpilogueTile &tile,
                      ValueRange sums) {
  epilogue.clearLoads();
  if (epilogue.cost() * capacity <= inlineBudget)
    storeInline(b, tile, sums);
  else
    storeLooped(b, tile, sums);
  epilogue.clearLoads();
}

/// `offset` elements behind what is `count` strides away.
static Value besides(KernelBuilder &b, Value pointer, int64_t count,
                     const Size &stride, int64_t offset, Type element) {
  if (stride.isFixed())
    return b.at(pointer, count * stride.fixed() + offset, element);
  return b.at(atSteps(b, pointer, count, stride, element), offset, element);
}

/// An element of row `i` of a tile that starts at `start`.
static Value rowAt(KernelBuilder &b, const EpilogueTile &tile, size_t tensor,
                   int64_t i, Value start, int64_t offset, Type element) {
  Size outer = strideOf(tile.outer, tensor);
  Size inner = strideOf(tile.inner, tensor);
  int64_t y = i / tile.width, x = i % tile.width;
  if (outer.isFixed())
    return besides(b, start, x, inner, y * outer.fixed() + offset, element);
  return besides(b, atSteps(b, start, y, outer, element), x, inner, offset,
                 element);
}

void TileStore::storeInline(KernelBuilder &b, const EpilogueTile &tile,
                            ValueRange sums) {
  Values start;
  for (auto [tensor, index] : llvm::zip_equal(tensors(), tile.base))
    start.push_back(b.at(b.buffer(tensor.buffer), index, tensor.element));
  for (int64_t j = 0; j < tile.vectors; ++j)
    for (int64_t i = 0; i < tile.height * tile.width; ++i) {
      auto address = [&](unsigned t, int64_t offset) {
        return rowAt(b, tile, t, i, start[t], offset, tensors()[t].element);
      };
      apply(b, tile, i, j, sums[i * tile.vectors + j], address);
    }
}

void TileStore::storeLooped(KernelBuilder &b, const EpilogueTile &tile,
                            ValueRange sums) {
  Type vector = sums.front().getType();
  Type element = getElementTypeOrSelf(vector);
  if (!waiting)
    waiting = b.scratch(capacity * tile.lanes, element);
  for (auto [i, sum] : llvm::enumerate(sums))
    b.store(sum, b.at(waiting, int64_t(i) * tile.lanes, element), element);
  int64_t together =
      std::clamp<int64_t>(chainsTogether / tile.vectors, 1, tile.width);
  int64_t whole = tile.width / together * together;
  b.loop(b.index(0), b.index(tile.height), 1, [&](Value y) {
    b.loop(b.index(0), b.index(whole), together,
           [&](Value x) { storeWaiting(b, tile, vector, y, x, together); });
    if (whole < tile.width)
      storeWaiting(b, tile, vector, y, b.index(whole), tile.width - whole);
  });
}

/// `rows` neighbours from row x on.
void TileStore::storeWaiting(KernelBuilder &b, const EpilogueTile &tile,
                             Type vector, Value y, Value x, int64_t rows) {
  Type element = getElementTypeOrSelf(vector);
  Values start;
  for (auto [t, tensor] : llvm::enumerate(tensors())) {
    Value index = b.add(b.add(tile.base[t], b.mul(y, strideOf(tile.outer, t))),
                        b.mul(x, strideOf(tile.inner, t)));
    start.push_back(b.at(b.buffer(tensor.buffer), index, tensor.element));
  }
  epilogue.clearLoads();
  Value first =
      b.mul(b.add(b.mul(y, tile.width), x), tile.vectors * tile.lanes);
  alternate(b, rows * tile.vectors, [&](int64_t number) {
    int64_t i = number / tile.vectors, j = number % tile.vectors;
    auto address = [&](unsigned t, int64_t offset) {
      return besides(b, start[t], i, strideOf(tile.inner, t), offset,
                     tensors()[t].element);
    };
    Value from = b.at(waiting, b.add(first, number * tile.lanes), element);
    apply(b, tile, i, j, b.load(from, vector), address);
  });
}
