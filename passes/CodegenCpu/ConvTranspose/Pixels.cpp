//===- Pixels.cpp - lanes along pixels ------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file is for few result channels. A block of source pixels is copied to
// the stack with contiguous pixels and zeros outside the image:
//   rows[shift of depth and height][channel][pixel]
// and all phases and channels of the results read vectors of pixels from it.
// Results that alternate in memory are interleaved in registers.
//===----------------------------------------------------------------------===//
#include "passes/CodegenCpu/ConvTranspose/Pixels.h"
#include "passes/Codegen/Bodies/Epilogue.h"
#include "passes/CodegenCpu/Contraction/MicroKernel.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::codegen;

/// Results with accumulators in registers at once.
static constexpr int64_t mostUnits = 8;

namespace {
/// One accumulated result per pixel: a phase along the width, and a channel
/// after the set's first.
struct Unit {
  int64_t phase, channel;
};

/// Results that are computed together. Those that alternate without gaps are
/// stored with whole vectors.
struct UnitSet {
  SmallVector<Unit> units;
  bool contiguous = false;
};

/// Where the loops are.
struct Place {
  Value image, group, depth, height;
  Value column;          ///< the block's first pixel
  int64_t vectors, live; ///< of the block; result columns in it
  Value firstChannel, channels;
  int64_t depthPhase = 0, heightPhase = 0;
};

class PixelLanes {
public:
  PixelLanes(Move &move, const TransposedShape &shape)
      : move(move), b(move.b), shape(shape),
        real(move.resultType().getElementType()), element(movedType(b, real)),
        work(accumulatorType(real)),
        lanes(b.target().lanes(graph::elementBytes(work))) {
    chooseUnits();
    chooseBlock();
  }

  Size run();

private:
  void chooseUnits();
  void chooseBlock();
  void row(Place at);
  void block(Place at);
  void phases(const Place &at);
  void unitSet(const Place &at, const UnitSet &set, Value channel);
  Values accumulate(const Place &at, const UnitSet &set, Value channel);
  Values step(const Place &at, const UnitSet &set, Value pixels, Value weights,
              Values sums);
  void store(const Place &at, const UnitSet &set, Value channel, Values sums);
  void storeAlternating(const Place &at, const UnitSet &set, Value to,
                        Values sums);
  void storeOne(const Place &at, Value sum, Value to, int64_t stride,
                int64_t count);

  Move &move;
  KernelBuilder &b;
  const TransposedShape &shape;
  Type real;    ///< of the tensors
  Type element; ///< as it is moved
  Type work;    ///< in registers: f32 for 16-bit floats
  int64_t lanes;
  SmallVector<UnitSet> sets;
  bool loopChannels = false; ///< sets are repeated for each result channel
  int64_t vectors = 1;       ///< of a whole block
  PixelRows rows;
  Value storage;
};
} // namespace

//===-- Choices -----------------------------------------------------------===//

void PixelLanes::chooseUnits() {
  const TransposedAxis &width = shape.width();
  int64_t phases = std::min(width.stride, width.out), each = shape.outEach();
  bool joint = shape.outChannelStride == 1 && shape.groups == 1 &&
               width.outStride == each && phases * each <= mostUnits;
  loopChannels = !joint;
  if (joint) {
    UnitSet &all = sets.emplace_back();
    all.contiguous = phases == width.stride;
    for (int64_t phase = 0; phase < phases; ++phase)
      for (int64_t channel = 0; channel < each; ++channel)
        all.units.push_back({phase, channel});
    return;
  }
  for (int64_t phase = 0; phase < phases; ++phase) {
    if (phase % mostUnits == 0)
      sets.emplace_back();
    sets.back().units.push_back({phase, 0});
  }
  sets.front().contiguous =
      sets.size() == 1 && phases == width.stride && width.outStride == 1;
}

/// As many vectors as registers allow, and as many source channels as the
/// first-level caches keep.
void PixelLanes::chooseBlock() {
  const TransposedAxis &width = shape.width();
  int64_t units = int64_t(sets.front().units.size());
  vectors = std::min<int64_t>(4, llvm::divideCeil(width.count(), lanes));
  while (vectors > 1 && units * vectors + vectors + 2 > b.target().registers)
    --vectors;
  rows.depthShifts = shape.depth().shifts();
  rows.heightShifts = shape.height().shifts();
  SmallVector<int64_t, 4> shifts = width.shifts();
  rows.firstShift = shifts.empty() ? 0 : shifts.front();
  rows.reach = shifts.empty() ? 0 : shifts.back() - shifts.front();
  rows.lanes = lanes;
  rows.pitch = llvm::alignTo(vectors * lanes + rows.reach, lanes);
  int64_t bytes = std::max<int64_t>(1, rows.count()) * rows.pitch *
                  graph::elementBytes(element);
  int64_t whole = llvm::alignTo(std::max<int64_t>(1, shape.inEach()), lanes);
  int64_t budget = b.target().l2Bytes / 16 / bytes / lanes * lanes;
  rows.channels = std::clamp<int64_t>(budget, lanes, whole);
}

//===-- Loops -------------------------------------------------------------===//

Size PixelLanes::run() {
  const TransposedAxis &width = shape.width();
  SmallVector<int64_t> extents = {shape.images, shape.groups,
                                  shape.depth().count(),
                                  shape.height().count()};
  int64_t total = shape.images * shape.groups * extents[2] * extents[3];
  RowTiles tiles(b, shape.outEach() == 0 ? 0 : total,
                 width.out * shape.outEach() * shape.inEach());
  storage = b.scratch(
      std::max<int64_t>(1, rows.count()) * rows.channels * rows.pitch, element);
  tiles.forRows(b, [&](Value number) {
    Values place = b.delinearize(number, extents);
    Place at;
    at.image = place[0];
    at.group = place[1];
    at.depth = place[2];
    at.height = place[3];
    row(at);
  });
  return tiles.tiles;
}

/// Whole blocks, whose pixels have all phases, then what is left.
void PixelLanes::row(Place at) {
  const TransposedAxis &width = shape.width();
  int64_t pixels = vectors * lanes;
  int64_t whole = width.out / width.stride / pixels * pixels;
  b.loop(b.index(0), b.index(whole), pixels, [&](Value column) {
    at.column = column;
    at.vectors = vectors;
    at.live = pixels * width.stride;
    block(at);
  });
  if (whole == width.count())
    return;
  at.column = b.index(whole);
  at.vectors = llvm::divideCeil(width.count() - whole, lanes);
  at.live = width.out - whole * width.stride;
  block(at);
}

void PixelLanes::block(Place at) {
  int64_t each = shape.inEach();
  b.loop(b.index(0), b.index(std::max<int64_t>(1, each)), rows.channels,
         [&](Value first) {
           at.firstChannel = first;
           at.channels =
               b.min(b.index(rows.channels), b.sub(b.index(each), first));
           Value channel = b.add(b.mul(at.group, each), first);
           PixelSource from{at.image,
                            channel,
                            at.depth,
                            at.height,
                            at.column,
                            at.channels,
                            at.vectors * lanes + rows.reach};
           rows.fill(move, shape, from, storage);
           phases(at);
         });
}

void PixelLanes::phases(const Place &at) {
  const TransposedAxis &depth = shape.depth(), &height = shape.height();
  auto exists = [&](const TransposedAxis &axis, Value q, int64_t phase) {
    return b.less(b.add(b.mul(q, axis.stride), phase), b.index(axis.out));
  };
  auto plane = [&](int64_t pd, int64_t ph) {
    Place inner = at;
    inner.depthPhase = pd;
    inner.heightPhase = ph;
    for (const UnitSet &set : sets)
      b.loop(b.index(0), b.index(loopChannels ? shape.outEach() : 1), 1,
             [&](Value channel) { unitSet(inner, set, channel); });
  };
  for (int64_t pd = 0; pd < std::min(depth.stride, depth.out); ++pd)
    for (int64_t ph = 0; ph < std::min(height.stride, height.out); ++ph)
      b.ifThen(exists(depth, at.depth, pd), [&] {
        b.ifThen(exists(height, at.height, ph), [&] { plane(pd, ph); });
      });
}

void PixelLanes::unitSet(const Place &at, const UnitSet &set, Value channel) {
  store(at, set, channel, accumulate(at, set, channel));
}

//===-- Sums --------------------------------------------------------------===//

Values PixelLanes::accumulate(const Place &at, const UnitSet &set,
                              Value channel) {
  ArrayRef<int64_t> filter = move.inputType(1).getStrides();
  Value first = b.add(b.mul(at.group, shape.inEach()), at.firstChannel);
  Value offset = b.add(b.mul(first, filter[0]), b.mul(channel, filter[1]));
  Value weights = b.at(move.input(1), offset, element);
  Value zero = b.constantOf(b.vectorType(work, lanes), 0);
  Values init(set.units.size() * at.vectors, zero);
  return b.loop(b.index(0), at.channels, 1, init,
                [&](Value c, ValueRange carried) {
                  Value pixels = b.at(storage, b.mul(c, rows.pitch), element);
                  Value own = b.at(weights, b.mul(c, filter[0]), element);
                  return step(at, set, pixels, own, Values(carried));
                });
}

/// One source channel: every tap of every unit.
Values PixelLanes::step(const Place &at, const UnitSet &set, Value pixels,
                        Value weights, Values sums) {
  const TransposedAxis &depth = shape.depth(), &height = shape.height(),
                       &width = shape.width();
  int64_t filterChannel = move.inputType(1).getStrides()[1];
  Type type = b.vectorType(element, lanes);
  auto tap = [&](int64_t row, int64_t plane, TransposedTap tw, size_t u) {
    int64_t offset = plane + tw.kernel * width.filterStride +
                     set.units[u].channel * filterChannel;
    Value scalar = b.load(b.at(weights, offset, element),
                          b.registerType(element), element);
    Value weight = b.splat(toSum(b, scalar, real), b.vectorType(work, lanes));
    for (int64_t v = 0; v < at.vectors; ++v) {
      int64_t pixel = row + v * lanes + tw.shift - rows.firstShift;
      Value x =
          toSum(b, b.load(b.at(pixels, pixel, element), type, element), real);
      Value &sum = sums[u * at.vectors + v];
      sum = b.fma(x, weight, sum);
    }
  };
  for (const TransposedTap &td : depth.taps(at.depthPhase))
    for (const TransposedTap &th : height.taps(at.heightPhase)) {
      int64_t row = rows.index(td.shift, th.shift) * rows.channels * rows.pitch;
      int64_t plane =
          td.kernel * depth.filterStride + th.kernel * height.filterStride;
      for (size_t u = 0; u < set.units.size(); ++u)
        for (const TransposedTap &tw : width.taps(set.units[u].phase))
          tap(row, plane, tw, u);
    }
  return sums;
}

//===-- Stores ------------------------------------------------------------===//

/// Lanes [0, count) of a result; later blocks of source channels add to it.
void PixelLanes::storeOne(const Place &at, Value sum, Value to, int64_t stride,
                          int64_t count) {
  auto old = [&] {
    Value before = toSum(
        b,
        loadLanes(b, to, b.vectorType(element, lanes), stride, count, element),
        real);
    return Values{b.plus(before, sum)};
  };
  Value total = b.select(
                     b.equal(at.firstChannel, b.index(0)),
                     [&] { return Values{sum}; }, old)
                    .front();
  storeLanes(b, fromSum(b, total, real), to, stride, count, element);
}

void PixelLanes::store(const Place &at, const UnitSet &set, Value channel,
                       Values sums) {
  const TransposedAxis &depth = shape.depth(), &height = shape.height(),
                       &width = shape.width();
  Value slice = b.add(b.mul(at.depth, depth.stride), at.depthPhase);
  Value line = b.add(b.mul(at.height, height.stride), at.heightPhase);
  Value plane = b.add(b.mul(b.add(b.mul(at.group, shape.outEach()), channel),
                            shape.outChannelStride),
                      b.mul(at.image, shape.outImageStride));
  Value offset = b.add(
      b.add(plane, b.mul(at.column, width.stride * width.outStride)),
      b.add(b.mul(slice, depth.outStride), b.mul(line, height.outStride)));
  Value to = b.at(move.result(), offset, element);
  if (set.contiguous)
    return storeAlternating(at, set, to, sums);
  int64_t step = width.stride * width.outStride;
  for (auto [u, unit] : llvm::enumerate(set.units)) {
    int64_t left = at.live <= unit.phase
                       ? 0
                       : llvm::divideCeil(at.live - unit.phase, width.stride);
    int64_t first =
        unit.phase * width.outStride + unit.channel * shape.outChannelStride;
    for (int64_t v = 0; v < at.vectors; ++v)
      if (int64_t count = std::min(lanes, left - v * lanes); count > 0)
        storeOne(at, sums[u * at.vectors + v],
                 b.at(to, first + v * lanes * step, element), step, count);
  }
}

/// Lane i of the result is lane `from[i].second` of `vectors[from[i].first]`.
static Value gatherLanes(KernelBuilder &b, ArrayRef<Value> vectors,
                         ArrayRef<std::pair<int64_t, int64_t>> from) {
  int64_t lanes = int64_t(from.size());
  SmallVector<int64_t> used;
  for (auto [vector, lane] : from)
    if (!llvm::is_contained(used, vector))
      used.push_back(vector);
  Value result = vectors[used.front()];
  auto shuffle = [&](Value other, function_ref<int64_t(int64_t)> lane) {
    result = b.permute(result, other, lanes, lane);
  };
  // The first two at once; then each takes its lanes into what is there.
  Value second = used.size() > 1 ? vectors[used[1]] : result;
  shuffle(second, [&](int64_t i) {
    return from[i].first == used.front() ? from[i].second
                                         : lanes + from[i].second;
  });
  for (int64_t vector :
       ArrayRef(used).drop_front(std::min<size_t>(2, used.size())))
    shuffle(vectors[vector], [&](int64_t i) {
      return from[i].first == vector ? lanes + from[i].second : i;
    });
  return result;
}

void PixelLanes::storeAlternating(const Place &at, const UnitSet &set, Value to,
                                  Values sums) {
  int64_t units = int64_t(set.units.size());
  int64_t left = at.live * units / shape.width().stride;
  for (int64_t v = 0; v < units * at.vectors; ++v) {
    int64_t count = std::min(lanes, left - v * lanes);
    if (count <= 0)
      return;
    SmallVector<std::pair<int64_t, int64_t>> from;
    for (int64_t i = v * lanes; i < (v + 1) * lanes; ++i) {
      int64_t pixel = i / units;
      from.push_back({i % units * at.vectors + pixel / lanes, pixel % lanes});
    }
    storeOne(at, gatherLanes(b, sums, from), b.at(to, v * lanes, element), 1,
             count);
  }
}

Size codegen::emitTransposedPixels(Move &move, const TransposedShape &shape) {
  return PixelLanes(move, shape).run();
}
