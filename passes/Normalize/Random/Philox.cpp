//===- Philox.cpp - random numbers by their position ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/Normalize/Random/Philox.h"

#include <array>

using namespace tenon;
using namespace tenon::normalize;

namespace {
/// Arithmetic on i64 that holds 32 bits.
struct Words {
  NormalizeContext &ctx;

  Value number(uint64_t value) const {
    return ctx.scalar(double(value), ctx.builder().getI64Type());
  }
  Value low(Value a) const {
    return ctx.create<graph::AndOp>(a, number(0xffffffff));
  }
  Value high(Value a) const {
    return ctx.create<graph::ShiftRightOp>(a, number(32));
  }
  Value times(Value a, uint64_t factor) const {
    return ctx.create<graph::MulOp>(a, number(factor));
  }
  Value exclusiveOr(Value a, Value b) const {
    return ctx.create<graph::XorOp>(a, b);
  }
};

using Counter = std::array<Value, 4>;
} // namespace

/// One of the ten rounds. Both products have up to 64 bits.
static Counter round(const Words &w, const Counter &c, uint64_t key0,
                     uint64_t key1) {
  Value first = w.times(c[0], 0xd2511f53), second = w.times(c[2], 0xcd9e8d57);
  return {w.exclusiveOr(w.exclusiveOr(w.high(second), c[1]), w.number(key0)),
          w.low(second),
          w.exclusiveOr(w.exclusiveOr(w.high(first), c[3]), w.number(key1)),
          w.low(first)};
}

static Counter philox(const Words &w, Counter c, uint64_t seed) {
  constexpr uint64_t mask = 0xffffffff;
  uint64_t key0 = seed & mask, key1 = seed >> 32;
  for (int i = 0; i < 10; ++i) {
    c = round(w, c, key0, key1);
    key0 = (key0 + 0x9e3779b9) & mask;
    key1 = (key1 + 0xbb67ae85) & mask;
  }
  return c;
}

/// A size as a number, i64 of rank 0.
static Value numberOf(NormalizeContext &ctx, mlir::Attribute dim) {
  return ctx.reshape(ctx.sizes(dim), {});
}

/// The number of each element, row-major. The sign of the step, which is 0,
/// keeps it from being folded into a constant as large as the tensor.
static Value positions(NormalizeContext &ctx, const Words &w, Value step,
                       ArrayRef<mlir::Attribute> dims) {
  Value sum = ctx.create<graph::ShiftRightOp>(step, w.number(63));
  mlir::Attribute unit = sizeDim(ctx.builder().getContext(), 1), stride = unit;
  for (int64_t axis = dims.size(); axis-- > 0;) {
    Dims one(dims.size(), unit);
    one[axis] = dims[axis];
    Value before =
        ctx.create<graph::MulOp>(ctx.indices(one, axis), numberOf(ctx, stride));
    sum = ctx.create<graph::AddOp>(before, sum);
    stride = graph::multiplyDims(stride, dims[axis]);
  }
  return sum;
}

Value normalize::randomBits(NormalizeContext &ctx, const RandomSource &source,
                            ArrayRef<mlir::Attribute> dims) {
  Words w{ctx};
  Value position = positions(ctx, w, source.step, dims);
  Value index = ctx.create<graph::ShiftRightOp>(position, w.number(2));
  Value word = ctx.create<graph::AndOp>(position, w.number(3));
  Counter made = philox(
      w,
      {w.low(index), w.high(index), w.low(source.step), w.number(source.node)},
      source.seed);
  Value bits = made[3];
  for (int i = 3; i-- > 0;) {
    Value isIt = ctx.create<graph::EqualOp>(word, w.number(i));
    bits = ctx.create<graph::SelectOp>(isIt, made[i], bits);
  }
  return bits;
}
