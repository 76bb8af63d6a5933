//===- ConvTranspose.cpp - transposed convolution -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file emits `graph.conv_transpose` by output phase: the results at
// distance `stride` from each other use the same filter taps, so they gather
//   result[q * s + p] += input[q + c(tap)] * filter[tap]
// with lanes along the result channels and a block of pixels in registers.
//===----------------------------------------------------------------------===//
#include "dialects/Graph/Graph.h"
#include "passes/CodegenCpu/MoveOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::codegen;

/// Result pixels computed together.
static constexpr int64_t pixelBlock = 4;

namespace {
/// One spatial dimension; a missing one has extent 1.
struct Axis {
  int64_t in = 1, out = 1, kernel = 1, stride = 1, dilation = 1, pad = 0;
  int64_t inStride = 0, outStride = 0, filterStride = 0;
};

/// A filter position and the source pixel relative to the phase's index.
struct Tap {
  int64_t kernel, shift;
};

/// The addresses of a block of source pixels for one pair of taps.
struct Sources {
  Values pointers, valid; ///< valid: null where always inside
};

class Transposed {
public:
  explicit Transposed(Move &move)
      : move(move), b(move.b), op(cast<graph::ConvTransposeOp>(move.op)),
        element(move.resultType().getElementType()) {}

  FailureOr<int64_t> run();

private:
  LogicalResult readShape();
  void readAxis(Axis &axis, int64_t dim);
  void chooseVectors();
  SmallVector<Tap> tapsOf(const Axis &axis, int64_t phase);
  void rowPhase(Value image, Value qh, int64_t ph);
  void columns(Value image, Value qh, int64_t ph, int64_t pw);
  void block(Value image, Value qh, Value qw, int64_t ph, int64_t pw,
             int64_t pixels);
  Values panel(Value panelIndex, Value image, Value qh, Value qw, int64_t ph,
               int64_t pw, int64_t pixels);
  Sources sources(Value image, Value ih, Value qw, int64_t shift,
                  int64_t pixels, Value channel);
  Values accumulate(Values sums, const Sources &from, Value panelIndex,
                    int64_t kh, int64_t kw);
  Value filterAt(Value panelIndex, Value c, int64_t kh, int64_t kw, int64_t v);
  Value inside(Value index, int64_t shift, int64_t count, int64_t extent);
  void storePixels(ArrayRef<Value> sums, Value panelIndex, Value image,
                   Value qh, Value qw, int64_t ph, int64_t pw, int64_t pixels);

  Move &move;
  KernelBuilder &b;
  graph::ConvTransposeOp op;
  Type element;
  Axis height, width;
  int64_t inChannels = 0, outChannels = 0, groups = 1, images = 1;
  int64_t inChannelStride = 0, outChannelStride = 0;
  int64_t lanes = 1, vectors = 1, panels = 1;
  bool packed = false;
};
} // namespace

static RankedTensorType filterType(graph::ConvTransposeOp op) {
  return cast<RankedTensorType>(op.getFilter().getType());
}

static int64_t panelOf(int64_t channels, const tile::Target &target) {
  int64_t lanes =
      std::min<int64_t>(target.lanes(4), llvm::PowerOf2Ceil(channels));
  return channels > lanes ? 2 * lanes : lanes;
}

DictionaryAttr codegen::convTransposePack(Operation *operation,
                                          const tile::Target &target) {
  auto op = dyn_cast<graph::ConvTransposeOp>(operation);
  if (!op || op.getGroup() != 1 || !filterType(op).getElementType().isF32())
    return {};
  auto argument = cast<BlockArgument>(op.getFilter());
  auto group = cast<kernel::GroupOp>(op->getParentOp());
  if (!group->getOperand(argument.getArgNumber())
           .getDefiningOp<graph::ConstantOp>())
    return {};
  Builder b(op.getContext());
  SmallVector<int64_t> spatial;
  for (int64_t dim = 2; dim < filterType(op).getRank(); ++dim)
    spatial.push_back(dim);
  int64_t panel = panelOf(filterType(op).getDimSize(1), target);
  return b.getDictionaryAttr(
      {b.getNamedAttr("batch_dims", b.getDenseI64ArrayAttr(spatial)),
       b.getNamedAttr("k_dims", b.getDenseI64ArrayAttr({0})),
       b.getNamedAttr("n_dims", b.getDenseI64ArrayAttr({1})),
       b.getNamedAttr("panel", b.getI64IntegerAttr(panel))});
}

//===-- Shape
//---------------------------------------------------------------===//

void Transposed::readAxis(Axis &axis, int64_t dim) {
  bool last = op.getLayout() == graph::Layout::NHWC;
  int64_t position = dim + (last ? 1 : 2);
  memory::BufferType in = move.inputType(0), out = move.resultType();
  axis.in = in.getShape()[position];
  axis.out = out.getShape()[position];
  axis.inStride = in.getStrides()[position];
  axis.outStride = out.getStrides()[position];
  axis.kernel = filterType(op).getDimSize(dim + 2);
  axis.stride = op.getStrides()[dim];
  axis.dilation = op.getDilations()[dim];
  axis.pad = op.getPads()[dim];
  axis.filterStride = move.inputType(1).getStrides()[packed ? dim : dim + 2];
}

LogicalResult Transposed::readShape() {
  int64_t spatial = filterType(op).getRank() - 2;
  if (spatial < 1 || spatial > 2 || !isa<FloatType>(element) ||
      element.getIntOrFloatBitWidth() < 32)
    return op.emitError() << "'graph.conv_transpose' has a kernel for one or "
                             "two spatial dimensions of f32 or f64";
  packed = move.inputType(1).getTensor() != filterType(op);
  readAxis(width, spatial - 1);
  if (spatial == 2)
    readAxis(height, 0);
  bool last = op.getLayout() == graph::Layout::NHWC;
  int64_t channel = last ? spatial + 1 : 1;
  groups = op.getGroup();
  images = move.inputType(0).getShape()[0];
  inChannels = move.inputType(0).getShape()[channel];
  outChannels = move.resultType().getShape()[channel];
  inChannelStride = move.inputType(0).getStrides()[channel];
  outChannelStride = move.resultType().getStrides()[channel];
  chooseVectors();
  return success();
}

/// Unpacked filters are read with strides, in vectors that divide the channels
/// of a group.
void Transposed::chooseVectors() {
  int64_t each = outChannels / groups;
  if (packed) {
    int64_t panel = move.inputType(1).getShape().back();
    lanes = std::min<int64_t>(b.target().lanes(4), panel);
    vectors = panel / lanes;
    panels = llvm::divideCeil(outChannels, panel);
    return;
  }
  lanes = b.target().lanes(graph::elementBytes(element));
  while (each % lanes != 0)
    lanes /= 2;
  panels = outChannels / lanes;
}

SmallVector<Tap> Transposed::tapsOf(const Axis &axis, int64_t phase) {
  SmallVector<Tap> taps;
  for (int64_t k = 0; k < axis.kernel; ++k) {
    int64_t distance = phase + axis.pad - k * axis.dilation;
    if (distance % axis.stride == 0)
      taps.push_back({k, distance / axis.stride});
  }
  return taps;
}

//===-- Loops
//---------------------------------------------------------------===//

FailureOr<int64_t> Transposed::run() {
  if (failed(readShape()))
    return failure();
  int64_t rows = llvm::divideCeil(height.out, height.stride);
  RowTiles tiles(images * rows, width.out * outChannels * inChannels / groups);
  tiles.forRows(b, [&](Value number) {
    Values place = b.delinearize(number, {images, rows});
    for (int64_t ph = 0; ph < height.stride; ++ph) {
      Value row = b.add(b.mul(place[1], height.stride), ph);
      b.ifThen(b.less(row, b.index(height.out)),
               [&] { rowPhase(place[0], place[1], ph); });
    }
  });
  return tiles.tiles;
}

void Transposed::rowPhase(Value image, Value qh, int64_t ph) {
  for (int64_t pw = 0; pw < std::min(width.stride, width.out); ++pw)
    columns(image, qh, ph, pw);
}

void Transposed::columns(Value image, Value qh, int64_t ph, int64_t pw) {
  int64_t count = llvm::divideCeil(width.out - pw, width.stride);
  int64_t whole = count / pixelBlock * pixelBlock;
  b.loop(b.index(0), b.index(whole), pixelBlock,
         [&](Value qw) { block(image, qh, qw, ph, pw, pixelBlock); });
  b.loop(b.index(whole), b.index(count), 1,
         [&](Value qw) { block(image, qh, qw, ph, pw, 1); });
}

void Transposed::block(Value image, Value qh, Value qw, int64_t ph, int64_t pw,
                       int64_t pixels) {
  b.loop(b.index(0), b.index(panels), 1, [&](Value p) {
    Values sums = panel(p, image, qh, qw, ph, pw, pixels);
    storePixels(sums, p, image, qh, qw, ph, pw, pixels);
  });
}

/// Whether index + shift is in [0, extent) for an index in [0, count); null
/// when it always is.
Value Transposed::inside(Value index, int64_t shift, int64_t count,
                         int64_t extent) {
  if (shift >= 0 && count - 1 + shift < extent)
    return Value();
  Value place = b.add(index, shift);
  return arith::CmpIOp::create(b.builder(), b.loc(), arith::CmpIPredicate::ult,
                               place, b.index(extent));
}

Values Transposed::panel(Value p, Value image, Value qh, Value qw, int64_t ph,
                         int64_t pw, int64_t pixels) {
  Type type = b.vectorType(element, lanes);
  Values sums(pixels * vectors, b.constantOf(type, 0));
  int64_t each = inChannels / groups;
  Value channel =
      b.mul(b.div(b.mul(p, lanes * vectors), outChannels / groups), each);
  int64_t rows = llvm::divideCeil(height.out - ph, height.stride);
  for (const Tap &th : tapsOf(height, ph)) {
    Value ih = b.add(qh, th.shift);
    auto row = [&](Values current) {
      for (const Tap &tw : tapsOf(width, pw))
        current = accumulate(current,
                             sources(image, ih, qw, tw.shift, pixels, channel),
                             p, th.kernel, tw.kernel);
      return current;
    };
    Value valid = inside(qh, th.shift, rows, height.in);
    sums = valid ? b.select(
                       valid, [&] { return row(sums); }, [&] { return sums; })
                 : row(sums);
  }
  return sums;
}

Sources Transposed::sources(Value image, Value ih, Value qw, int64_t shift,
                            int64_t pixels, Value channel) {
  Sources result;
  memory::BufferType in = move.inputType(0);
  Value base =
      b.add(b.mul(image, in.getStrides()[0]),
            b.add(b.mul(ih, height.inStride), b.mul(channel, inChannelStride)));
  int64_t count = llvm::divideCeil(width.out, width.stride);
  for (int64_t i = 0; i < pixels; ++i) {
    Value pixel = b.add(qw, i);
    Value valid = inside(pixel, shift, count, width.in);
    Value iw = b.add(pixel, shift);
    if (valid)
      iw = b.min(b.max(iw, b.index(0)), b.index(width.in - 1));
    Value offset = b.add(base, b.mul(iw, width.inStride));
    result.pointers.push_back(b.at(move.input(0), offset, element));
    result.valid.push_back(valid);
  }
  return result;
}

Value Transposed::filterAt(Value p, Value c, int64_t kh, int64_t kw,
                           int64_t v) {
  memory::BufferType filter = move.inputType(1);
  Type type = b.vectorType(element, lanes);
  int64_t tap = kh * height.filterStride + kw * width.filterStride;
  if (packed) {
    size_t rank = filter.getShape().size();
    Value offset = b.add(b.mul(p, filter.getStrides()[rank - 3]),
                         b.mul(c, filter.getStrides()[rank - 2]));
    Value pointer = b.at(move.input(1), tap + v * lanes, element);
    return b.load(b.at(pointer, offset, element), type, element);
  }
  int64_t each = outChannels / groups;
  Value first = b.mul(p, lanes);
  Value channel = b.add(b.mul(b.div(first, each), inChannels / groups), c);
  Value offset = b.add(b.mul(channel, filter.getStrides()[0]),
                       b.mul(b.rem(first, each), filter.getStrides()[1]));
  Value pointer = b.at(b.at(move.input(1), tap, element), offset, element);
  return b.loadStrided(pointer, type, filter.getStrides()[1], element);
}

Values Transposed::accumulate(Values sums, const Sources &from, Value p,
                              int64_t kh, int64_t kw) {
  Type type = b.vectorType(element, lanes);
  return b.loop(
      b.index(0), b.index(inChannels / groups), 1, sums,
      [&](Value c, ValueRange carried) {
        Values next(carried), filter;
        for (int64_t v = 0; v < vectors; ++v)
          filter.push_back(filterAt(p, c, kh, kw, v));
        for (size_t i = 0; i < from.pointers.size(); ++i) {
          Value pointer =
              b.at(from.pointers[i], b.mul(c, inChannelStride), element);
          Value x = b.load(pointer, element, element);
          if (from.valid[i])
            x = arith::SelectOp::create(b.builder(), b.loc(), from.valid[i], x,
                                        b.constantOf(element, 0));
          x = b.splat(x, type);
          for (int64_t v = 0; v < vectors; ++v)
            next[i * vectors + v] = b.fma(x, filter[v], next[i * vectors + v]);
        }
        return next;
      });
}

/// Lane by lane, while the channel exists.
static void storeTail(KernelBuilder &b, Value sum, Value pointer,
                      int64_t stride, Value live, Type element) {
  auto type = dyn_cast<VectorType>(sum.getType());
  for (int64_t lane = 0; type && lane < type.getNumElements(); ++lane)
    b.ifThen(b.less(b.index(lane), live), [&] {
      Value one = vector::ExtractOp::create(b.builder(), b.loc(), sum,
                                            ArrayRef<int64_t>{lane});
      b.store(one, b.at(pointer, lane * stride, element), element);
    });
}

void Transposed::storePixels(ArrayRef<Value> sums, Value p, Value image,
                             Value qh, Value qw, int64_t ph, int64_t pw,
                             int64_t pixels) {
  memory::BufferType out = move.resultType();
  Value row = b.add(b.mul(qh, height.stride), ph);
  Value base =
      b.add(b.mul(image, out.getStrides()[0]), b.mul(row, height.outStride));
  for (int64_t i = 0; i < pixels; ++i) {
    Value column = b.add(b.mul(b.add(qw, i), width.stride), pw);
    Value offset = b.add(base, b.mul(column, width.outStride));
    for (int64_t v = 0; v < vectors; ++v) {
      Value first = b.add(b.mul(p, lanes * vectors), v * lanes);
      Value pointer =
          b.at(move.result(), b.add(offset, b.mul(first, outChannelStride)),
               element);
      Value sum = sums[i * vectors + v];
      if (outChannels % (lanes * vectors) == 0) {
        b.storeStrided(sum, pointer, outChannelStride, element);
      } else if (outChannelStride == 1) {
        Value live = b.min(b.sub(b.index(outChannels), first), b.index(lanes));
        b.storePart(sum, pointer, b.max(live, b.index(0)), element);
      } else {
        storeTail(b, sum, pointer, outChannelStride,
                  b.sub(b.index(outChannels), first), element);
      }
    }
  }
}

FailureOr<int64_t> codegen::emitConvTranspose(Move &move) {
  return Transposed(move).run();
}
