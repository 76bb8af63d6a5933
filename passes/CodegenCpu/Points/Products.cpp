//===- Products.cpp - products and convolutions, element by element -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/CodegenCpu/Points/Points.h"

#include "dialects/Graph/Graph.h"
#include "passes/Codegen/Builder/VectorMath.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::codegen;

static Value zero(const PointAnchor &anchor) {
  return anchor.b.constantOf(anchor.b.registerType(anchor.sumType()), 0);
}

//===-- Products ----------------------------------------------------------===//

/// The matrix of an operand that the batch of `place` multiplies: as if it had
/// these two dimensions only.
static PointTensor matrixAt(const PointAnchor &anchor, unsigned operand,
                            ValueRange place) {
  KernelBuilder &b = anchor.b;
  PointTensor tensor = anchor.operands[operand];
  size_t batches = tensor.shape.size() - 2;
  size_t ahead = anchor.result.size() - tensor.shape.size();
  Value offset = b.index(0);
  for (size_t i = 0; i < batches; ++i) {
    Size stride = graph::broadcastStride(
        tensor.shape[i], anchor.result[ahead + i], tensor.strides[i]);
    offset = b.add(offset, b.mul(place[ahead + i], stride));
  }
  tensor.start = b.at(tensor.start, offset, tensor.element);
  tensor.shape.erase(tensor.shape.begin(), tensor.shape.begin() + batches);
  tensor.strides.erase(tensor.strides.begin(),
                       tensor.strides.begin() + batches);
  return tensor;
}

Value codegen::productAt(const PointAnchor &anchor, ValueRange place) {
  KernelBuilder &b = anchor.b;
  auto op = cast<graph::MatmulOp>(anchor.op);
  PointAnchor matrices = anchor;
  matrices.operands = {matrixAt(anchor, 0, place), matrixAt(anchor, 1, place)};
  auto in = [](bool isTurned, Value row, Value column) {
    return isTurned ? Values{column, row} : Values{row, column};
  };
  Value row = place.drop_back().back(), column = place.back();
  const Size &depth = matrices.operands[0].shape[op.getTransposeLhs() ? 0 : 1];
  auto step = [&](Value k, ValueRange sum) {
    Value x = matrices.load(0, in(op.getTransposeLhs(), row, k));
    Value y = matrices.load(1, in(op.getTransposeRhs(), k, column));
    return Values{b.fma(x, y, sum[0])};
  };
  return b.loop(b.index(0), b.index(depth), 1, {zero(anchor)}, step)[0];
}

//===-- Convolutions ------------------------------------------------------===//

namespace {
/// What both kinds of convolution have.
struct Window {
  bool lastChannel;
  size_t rank;
  ArrayRef<int64_t> strides, pads, dilations;
  int64_t group;

  template <typename Op>
  explicit Window(Op op)
      : lastChannel(op.getLayout() == graph::Layout::NHWC),
        rank(op.getStrides().size()), strides(op.getStrides()),
        pads(op.getPads()), dilations(op.getDilations()),
        group(int64_t(op.getGroup())) {}

  size_t channelDim() const { return lastChannel ? rank + 1 : 1; }
  size_t dimOf(size_t i) const { return i + (lastChannel ? 1 : 2); }
};
} // namespace

/// Sums over channels and taps: `find` says which input element a tap takes,
/// and whether it exists.
static Value
sumOverTaps(const PointAnchor &anchor, const Window &window, ValueRange place,
            const Size &channels, Value firstChannel,
            function_ref<Value(size_t dim, Value tap, Value &at)> find,
            function_ref<Values(Value channel, ValueRange taps)> filterIndex) {
  KernelBuilder &b = anchor.b;
  ArrayRef<Size> kernel = ArrayRef(anchor.operands[1].shape).drop_front(2);
  auto accumulate = [&](ValueRange taps, ValueRange sums) {
    Values index(place.begin(), place.end());
    Value exists;
    for (auto [dim, tap] : llvm::enumerate(taps)) {
      Value here = find(dim, tap, index[window.dimOf(dim)]);
      exists = exists ? andOf(b, exists, here) : here;
    }
    auto overChannels = [&] {
      return b.loop(b.index(0), b.index(channels), 1, sums,
                    [&](Value c, ValueRange sum) {
                      index[window.channelDim()] = b.add(firstChannel, c);
                      Value x = anchor.load(0, index);
                      Value w = anchor.load(1, filterIndex(c, taps));
                      return Values{b.fma(x, w, sum[0])};
                    });
    };
    return b.select(exists, overChannels, [&] { return Values(sums); });
  };
  return overBox(b, kernel, {zero(anchor)}, accumulate)[0];
}

Value codegen::convolutionAt(const PointAnchor &anchor, ValueRange place) {
  KernelBuilder &b = anchor.b;
  Window window(cast<graph::ConvOp>(anchor.op));
  const PointTensor &input = anchor.operands[0], &filter = anchor.operands[1];
  Value channel = place[window.channelDim()];
  Size each = filter.shape[0].floorDiv(window.group);
  Value first = b.index(0);
  if (window.group > 1)
    first = b.mul(b.div(channel, b.index(each)), filter.shape[1]);
  auto find = [&](size_t dim, Value tap, Value &at) {
    at = b.add(b.mul(at, window.strides[dim]),
               b.add(b.mul(tap, window.dilations[dim]), -window.pads[dim]));
    return b.inside(at, input.shape[window.dimOf(dim)]);
  };
  auto filterIndex = [&](Value c, ValueRange taps) {
    Values index{channel, c};
    llvm::append_range(index, taps);
    return index;
  };
  return sumOverTaps(anchor, window, place, filter.shape[1], first, find,
                     filterIndex);
}

/// A tap reaches a place if it lies a whole number of strides away.
Value codegen::transposedAt(const PointAnchor &anchor, ValueRange place) {
  KernelBuilder &b = anchor.b;
  Window window(cast<graph::ConvTransposeOp>(anchor.op));
  const PointTensor &input = anchor.operands[0], &filter = anchor.operands[1];
  Value channel = place[window.channelDim()];
  Size each = filter.shape[0].floorDiv(window.group);
  Value group = b.div(channel, b.index(filter.shape[1]));
  Value first = b.mul(group, each);
  Value within = b.rem(channel, b.index(filter.shape[1]));
  auto find = [&](size_t dim, Value tap, Value &at) {
    Value distance =
        b.sub(b.add(at, window.pads[dim]), b.mul(tap, window.dilations[dim]));
    Value positive = b.max(distance, b.index(0));
    at = b.div(positive, window.strides[dim]);
    Value isWhole = b.equal(b.mul(at, window.strides[dim]), distance);
    return andOf(b, isWhole, b.inside(at, input.shape[window.dimOf(dim)]));
  };
  auto filterIndex = [&](Value c, ValueRange taps) {
    Values index{b.add(first, c), within};
    llvm::append_range(index, taps);
    return index;
  };
  return sumOverTaps(anchor, window, place, each, first, find, filterIndex);
}
