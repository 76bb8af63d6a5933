//===- Channels.cpp - lanes along result channels -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/CodegenCpu/Contraction/MicroKernel.h"
#include "passes/CodegenCpu/ConvTranspose/ConvTranspose.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::codegen;

/// Result pixels computed together.
static constexpr int64_t pixelBlock = 4;

namespace {
/// The addresses of a block of source pixels for one set of taps.
struct Sources {
  Values pointers, valid; ///< valid: null where always inside
};

/// The pixels of one phase: index per axis and phase per axis.
struct PhasePlace {
  Value image, depth, height;
  int64_t depthPhase, heightPhase, widthPhase;
};

class ChannelLanes {
public:
  ChannelLanes(Move &move, const TransposedShape &shape)
      : move(move), b(move.b), shape(shape),
        real(move.resultType().getElementType()), element(movedType(b, real)),
        work(accumulatorType(real)) {
    chooseVectors();
  }

  Size run();

private:
  void chooseVectors();
  void row(Value image, Value qd, Value qh);
  void columns(const PhasePlace &at);
  void block(const PhasePlace &at, Value qw, int64_t pixels);
  Values panel(Value panelIndex, const PhasePlace &at, Value qw,
               int64_t pixels);
  Sources sources(const PhasePlace &at, int64_t depthShift, int64_t heightShift,
                  int64_t widthShift, Value qw, int64_t pixels, Value channel);
  Values accumulate(Values sums, const Sources &from, Value panelIndex,
                    int64_t tap);
  Value filterAt(Value panelIndex, Value c, int64_t tap, int64_t v);
  Value pixelAt(Value pointer, Value panelIndex);
  void storePixels(ArrayRef<Value> sums, Value panelIndex, const PhasePlace &at,
                   Value qw, int64_t pixels);
  void storeVector(Value sum, Value pointer, Value first);

  Move &move;
  KernelBuilder &b;
  const TransposedShape &shape;
  Type real;    ///< of the tensors
  Type element; ///< as it is moved
  Type work;    ///< in registers: f32 for 16-bit floats
  int64_t lanes = 1, vectors = 1, panels = 1;
};
} // namespace

/// Unpacked filters are read with strides, in vectors that divide the channels
/// of a group.
void ChannelLanes::chooseVectors() {
  if (shape.packed) {
    int64_t panel = move.inputType(1).getShape().back();
    lanes = std::min<int64_t>(b.target().lanes(4), panel);
    vectors = panel / lanes;
    panels = llvm::divideCeil(shape.outChannels, panel);
    return;
  }
  lanes = b.target().lanes(graph::elementBytes(work));
  int64_t channels = shape.depthwise ? shape.outChannels : shape.outEach();
  while (channels % lanes != 0)
    lanes /= 2;
  panels = shape.outChannels / lanes;
}

//===-- Loops -------------------------------------------------------------===//

Size ChannelLanes::run() {
  SmallVector<int64_t> extents = {shape.images, shape.depth().count(),
                                  shape.height().count()};
  RowTiles tiles(b, extents[0] * extents[1] * extents[2],
                 shape.width().out * shape.outChannels * shape.inEach());
  tiles.forRows(b, [&](Value number) {
    Values place = b.delinearize(number, extents);
    row(place[0], place[1], place[2]);
  });
  return tiles.tiles;
}

void ChannelLanes::row(Value image, Value qd, Value qh) {
  const TransposedAxis &depth = shape.depth(), &height = shape.height();
  auto exists = [&](const TransposedAxis &axis, Value q, int64_t phase) {
    return b.less(b.add(b.mul(q, axis.stride), phase), b.index(axis.out));
  };
  for (int64_t pd = 0; pd < std::min(depth.stride, depth.out); ++pd)
    b.ifThen(exists(depth, qd, pd), [&] {
      for (int64_t ph = 0; ph < std::min(height.stride, height.out); ++ph)
        b.ifThen(exists(height, qh, ph), [&] {
          const TransposedAxis &width = shape.width();
          for (int64_t pw = 0; pw < std::min(width.stride, width.out); ++pw)
            columns({image, qd, qh, pd, ph, pw});
        });
    });
}

void ChannelLanes::columns(const PhasePlace &at) {
  int64_t count = shape.width().count(at.widthPhase);
  int64_t whole = count / pixelBlock * pixelBlock;
  b.loop(b.index(0), b.index(whole), pixelBlock,
         [&](Value qw) { block(at, qw, pixelBlock); });
  b.loop(b.index(whole), b.index(count), 1,
         [&](Value qw) { block(at, qw, 1); });
}

void ChannelLanes::block(const PhasePlace &at, Value qw, int64_t pixels) {
  b.loop(b.index(0), b.index(panels), 1, [&](Value p) {
    storePixels(panel(p, at, qw, pixels), p, at, qw, pixels);
  });
}

Values ChannelLanes::panel(Value p, const PhasePlace &at, Value qw,
                           int64_t pixels) {
  const TransposedAxis &depth = shape.depth(), &height = shape.height(),
                       &width = shape.width();
  Values sums(pixels * vectors, b.constantOf(b.vectorType(work, lanes), 0));
  Value channel =
      b.mul(b.div(b.mul(p, lanes * vectors), shape.outEach()), shape.inEach());
  auto slice = [&](Values current, TransposedTap td, TransposedTap th) {
    for (const TransposedTap &tw : width.taps(at.widthPhase)) {
      int64_t tap = td.kernel * depth.filterStride +
                    th.kernel * height.filterStride +
                    tw.kernel * width.filterStride;
      current = accumulate(
          current,
          sources(at, td.shift, th.shift, tw.shift, qw, pixels, channel), p,
          tap);
    }
    return current;
  };
  for (const TransposedTap &td : depth.taps(at.depthPhase))
    for (const TransposedTap &th : height.taps(at.heightPhase)) {
      Value valid = bothOf(
          b,
          insideOf(b, at.depth, td.shift, depth.count(at.depthPhase), depth.in),
          insideOf(b, at.height, th.shift, height.count(at.heightPhase),
                   height.in));
      sums = valid ? b.select(
                         valid, [&] { return slice(sums, td, th); },
                         [&] { return sums; })
                   : slice(sums, td, th);
    }
  return sums;
}

Sources ChannelLanes::sources(const PhasePlace &at, int64_t depthShift,
                              int64_t heightShift, int64_t widthShift, Value qw,
                              int64_t pixels, Value channel) {
  const TransposedAxis &width = shape.width();
  Sources result;
  Value row =
      b.add(b.mul(b.add(at.depth, depthShift), shape.depth().inStride),
            b.mul(b.add(at.height, heightShift), shape.height().inStride));
  Value base = b.add(b.mul(at.image, shape.inImageStride),
                     b.add(row, b.mul(channel, shape.inChannelStride)));
  for (int64_t i = 0; i < pixels; ++i) {
    Value pixel = b.add(qw, i);
    Value valid = insideOf(b, pixel, widthShift, width.count(), width.in);
    Value iw = b.add(pixel, widthShift);
    if (valid)
      iw = b.min(b.max(iw, b.index(0)), b.index(width.in - 1));
    Value offset = b.add(base, b.mul(iw, width.inStride));
    result.pointers.push_back(b.at(move.input(0), offset, element));
    result.valid.push_back(valid);
  }
  return result;
}

Value ChannelLanes::filterAt(Value p, Value c, int64_t tap, int64_t v) {
  memory::BufferType filter = move.inputType(1);
  Type type = b.vectorType(element, lanes);
  if (shape.packed) {
    size_t rank = filter.getShape().size();
    Value offset = b.add(b.mul(p, filter.getStrides()[rank - 3]),
                         b.mul(c, filter.getStrides()[rank - 2]));
    Value pointer = b.at(move.input(1), tap + v * lanes, element);
    return toSum(b, b.load(b.at(pointer, offset, element), type, element),
                 real);
  }
  Value first = b.mul(p, lanes);
  Value channel =
      b.add(b.mul(b.div(first, shape.outEach()), shape.inEach()), c);
  Value offset =
      b.add(b.mul(channel, filter.getStrides()[0]),
            b.mul(b.rem(first, shape.outEach()), filter.getStrides()[1]));
  Value pointer = b.at(b.at(move.input(1), tap, element), offset, element);
  int64_t stride = filter.getStrides()[shape.depthwise ? 0 : 1];
  return toSum(b, b.loadStrided(pointer, type, stride, element), real);
}

/// One source channel in all lanes, or one for each.
Value ChannelLanes::pixelAt(Value pointer, Value p) {
  Type type = b.vectorType(element, lanes);
  int64_t stride = shape.inChannelStride;
  if (!shape.depthwise)
    return toSum(b, b.loadBroadcast(pointer, type, element), real);
  if (shape.outChannels % lanes == 0)
    return toSum(b, b.loadStrided(pointer, type, stride, element), real);
  Value live = b.sub(b.index(shape.outChannels), b.mul(p, lanes));
  return toSum(
      b, b.loadPart(pointer, type, b.min(live, b.index(lanes)), element), real);
}

Values ChannelLanes::accumulate(Values sums, const Sources &from, Value p,
                                int64_t tap) {
  Type type = b.vectorType(work, lanes);
  return b.loop(
      b.index(0), b.index(shape.inEach()), 1, sums,
      [&](Value c, ValueRange carried) {
        Values next(carried), filter;
        for (int64_t v = 0; v < vectors; ++v)
          filter.push_back(filterAt(p, c, tap, v));
        for (size_t i = 0; i < from.pointers.size(); ++i) {
          Value pointer =
              b.at(from.pointers[i], b.mul(c, shape.inChannelStride), element);
          Value x = pixelAt(pointer, p);
          if (from.valid[i])
            x = arith::SelectOp::create(b.builder(), b.loc(), from.valid[i], x,
                                        b.constantOf(type, 0));
          for (int64_t v = 0; v < vectors; ++v)
            next[i * vectors + v] = b.fma(x, filter[v], next[i * vectors + v]);
        }
        return next;
      });
}

//===-- Stores ------------------------------------------------------------===//

/// Lane by lane, while the channel exists.
static void storeTail(KernelBuilder &b, Value sum, Value pointer,
                      int64_t stride, Value live, Type element) {
  auto type = dyn_cast<VectorType>(sum.getType());
  for (int64_t lane = 0; type && lane < type.getNumElements(); ++lane)
    b.ifThen(b.less(b.index(lane), live), [&] {
      b.store(b.lane(sum, lane), b.at(pointer, lane * stride, element),
              element);
    });
}

/// Result channels from `first` on.
void ChannelLanes::storeVector(Value sum, Value pointer, Value first) {
  sum = fromSum(b, sum, real);
  if (shape.outChannels % (lanes * vectors) == 0)
    return b.storeStrided(sum, pointer, shape.outChannelStride, element);
  Value live = b.sub(b.index(shape.outChannels), first);
  if (shape.outChannelStride != 1)
    return storeTail(b, sum, pointer, shape.outChannelStride, live, element);
  live = b.max(b.min(live, b.index(lanes)), b.index(0));
  b.storePart(sum, pointer, live, element);
}

void ChannelLanes::storePixels(ArrayRef<Value> sums, Value p,
                               const PhasePlace &at, Value qw, int64_t pixels) {
  const TransposedAxis &depth = shape.depth(), &height = shape.height(),
                       &width = shape.width();
  Value slice = b.add(b.mul(at.depth, depth.stride), at.depthPhase);
  Value row = b.add(b.mul(at.height, height.stride), at.heightPhase);
  Value base =
      b.add(b.mul(at.image, shape.outImageStride),
            b.add(b.mul(slice, depth.outStride), b.mul(row, height.outStride)));
  for (int64_t i = 0; i < pixels; ++i) {
    Value column = b.add(b.mul(b.add(qw, i), width.stride), at.widthPhase);
    Value offset = b.add(base, b.mul(column, width.outStride));
    for (int64_t v = 0; v < vectors; ++v) {
      Value first = b.add(b.mul(p, lanes * vectors), v * lanes);
      Value pointer =
          b.at(move.result(),
               b.add(offset, b.mul(first, shape.outChannelStride)), element);
      storeVector(sums[i * vectors + v], pointer, first);
    }
  }
}

Size codegen::emitTransposedChannels(Move &move, const TransposedShape &shape) {
  return ChannelLanes(move, shape).run();
}
