//===- Windows.cpp - pools and LRN, element by element --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/CodegenCpu/Points/Points.h"

#include "dialects/Graph/Graph.h"
#include "passes/Codegen/Bodies/Lrn.h"
#include "passes/Codegen/Bodies/WindowTaps.h"
#include "passes/Codegen/Builder/ElementwiseOps.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::codegen;

//===-- Pools -------------------------------------------------------------===//

namespace {
/// A pool's attributes, whichever it is.
struct PoolWindow {
  ArrayRef<int64_t> kernel, strides, pads, dilations;
  bool lastChannel;
  bool countsPadding = false;

  template <typename Op>
  explicit PoolWindow(Op op)
      : kernel(op.getKernel()), strides(op.getStrides()), pads(op.getPads()),
        dilations(op.getDilations()),
        lastChannel(op.getLayout() == graph::Layout::NHWC) {}

  size_t dimOf(size_t i) const { return i + (lastChannel ? 1 : 2); }
};
} // namespace

static PoolWindow poolOf(Operation *op) {
  if (auto maximum = dyn_cast<graph::MaxPoolOp>(op))
    return PoolWindow(maximum);
  auto average = cast<graph::AvgPoolOp>(op);
  PoolWindow window(average);
  window.countsPadding = average.getCountIncludePad();
  return window;
}

/// Sums and how many elements they count; of a maximum, the largest one. The
/// arithmetic is that of strategy `pool`.
Value codegen::poolAt(const PointAnchor &anchor, ValueRange place) {
  KernelBuilder &b = anchor.b;
  PoolWindow window = poolOf(anchor.op);
  const PointTensor &input = anchor.operands[0];
  WindowNest nest;
  nest.kind =
      isa<graph::MaxPoolOp>(anchor.op) ? WindowKind::Max : WindowKind::Average;
  WindowTaps taps(b, nest, 1, input.element);
  Values initial{taps.initial(), b.index(0)};
  auto visit = [&](ValueRange tap, ValueRange carried) {
    Values index(place.begin(), place.end());
    Value exists, counts;
    size_t rank = window.kernel.size();
    for (size_t dim = 0; dim < rank; ++dim) {
      Value &at = index[window.dimOf(dim)];
      const Size &extent = input.shape[window.dimOf(dim)];
      at = b.add(
          b.mul(at, window.strides[dim]),
          b.add(b.mul(tap[dim], window.dilations[dim]), -window.pads[dim]));
      Value here = b.inside(at, extent);
      Value padded = b.less(at, b.index(extent + window.pads[dim + rank]));
      exists = exists ? andOf(b, exists, here) : here;
      counts = counts ? andOf(b, counts, padded) : padded;
    }
    if (!window.countsPadding)
      counts = exists;
    Value sum = b.select(
        exists,
        [&] {
          Value x = taps.loadInput(input.address(b, index), 0, 1);
          return Values{taps.combine(carried[0], x)};
        },
        [&] { return Values{carried[0]}; })[0];
    Value more = b.add(carried[1], 1);
    return Values{sum, b.choose(counts, more, carried[1])};
  };
  Sizes kernel(window.kernel.begin(), window.kernel.end());
  Values result = overBox(b, kernel, initial, visit);
  if (nest.kind == WindowKind::Average)
    taps.average(MutableArrayRef(result).take_front(1),
                 b.max(result[1], b.index(1)));
  return result[0];
}

//===-- LRN ---------------------------------------------------------------===//

Value codegen::lrnAt(const PointAnchor &anchor, ValueRange place) {
  KernelBuilder &b = anchor.b;
  auto lrn = cast<graph::LrnOp>(anchor.op);
  size_t dim = lrn.getLayout() == graph::Layout::NHWC ? place.size() - 1 : 1;
  int64_t before = (int64_t(lrn.getSize()) - 1) / 2;
  Values index(place.begin(), place.end());
  Value first = b.max(b.add(place[dim], -before), b.index(0));
  Value end = b.min(b.add(place[dim], int64_t(lrn.getSize()) - before),
                    b.index(anchor.operands[0].shape[dim]));
  Value zero = b.constantOf(anchor.sumType(), 0);
  Value squares = b.loop(first, end, 1, {zero}, [&](Value c, ValueRange sum) {
    index[dim] = c;
    Value x = anchor.load(0, index);
    return Values{b.fma(x, x, sum[0])};
  })[0];
  Num x(b, anchor.load(0, place));
  return (x * lrnFactor(lrn, Num(b, squares))).get();
}
