//===- GridSample.cpp - an image read at given places ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file gathers the channels of the pixels around each place, and adds them
// up by weights. What lies outside of the image is read at a pixel inside, so
// that no index is invalid.
//===----------------------------------------------------------------------===//
#include "passes/Normalize/Signal/Signal.h"
#include "llvm/ADT/StringSwitch.h"

using namespace tenon;
using namespace tenon::normalize;

namespace {
enum class Interpolation { Nearest, Linear, Cubic };
enum class Outside { Zeros, Border, Reflection };

/// A pixel along one dimension, for some places: `[places, 1]` each.
struct Tap {
  Value index;  ///< inside of the image
  Value weight; ///< null: one
  Value inside; ///< i1, whether this pixel counts; null: always
};

class Sampler {
public:
  Sampler(NormalizeContext &ctx, const Node &node) : ctx(ctx), node(node) {}
  Value run();

private:
  bool read();
  Value sampleAll();
  Value number(double value) { return ctx.scalar(value, real); }
  Value add(Value x, double y) {
    return ctx.create<graph::AddOp>(x, number(y));
  }
  Value times(Value x, double y) {
    return ctx.create<graph::MulOp>(x, number(y));
  }
  Value clamp(Value x, Value low, Value high) {
    return ctx.create<graph::MinOp>(ctx.create<graph::MaxOp>(x, low), high);
  }

  Value coordinate(Value grid, int64_t dim);
  Value broughtInside(Value place, int64_t extent);
  Value reflected(Value place, int64_t extent);
  Value isInside(Value place, double low, double high);
  Tap tapAt(Value place, int64_t extent, Value weight);
  SmallVector<Tap> tapsOf(Value grid, int64_t dim);
  Value nearCubic(Value distance);
  Value farCubic(Value distance);
  SmallVector<Tap> allTaps(Value grid, Value number);
  Value sample(Value grid, Value number);

  NormalizeContext &ctx;
  const Node &node;
  Interpolation mode = Interpolation::Linear;
  Outside outside = Outside::Zeros;
  bool alignCorners = false;
  int64_t batch = 0, channels = 0, places = 0; ///< places of all images
  SmallVector<int64_t> image;                  ///< spatial extents
  mlir::Type real;    ///< what coordinates are computed in
  mlir::Type element; ///< what pixels are summed in
  mlir::Type index;   ///< of rows of channels
  Value rows;         ///< the channels of all pixels
};
} // namespace

bool Sampler::read() {
  auto refuse = [&](StringRef why) { return succeeded(ctx.unsupported(why)); };
  if (!ctx.isStatic(node.operand(0)) || !ctx.isStatic(node.operand(1)))
    return false;
  ArrayRef<int64_t> input = node.type(0).getShape();
  ArrayRef<int64_t> grid = node.type(1).getShape();
  int64_t rank = int64_t(input.size()) - 2;
  if (rank < 2 || rank > 3 || grid.size() != input.size() ||
      grid.back() != rank || grid.front() != input.front())
    return refuse("image and grid do not fit; 2 or 3 dimensions are supported");
  if (node.type(0).getNumElements() == 0 || node.type(1).getNumElements() == 0)
    return refuse("image or grid is empty");
  auto knownMode = llvm::StringSwitch<std::optional<Interpolation>>(
                       node.string("mode", "linear"))
                       .Case("nearest", Interpolation::Nearest)
                       .Cases({"linear", "bilinear"}, Interpolation::Linear)
                       .Cases({"cubic", "bicubic"}, Interpolation::Cubic)
                       .Default(std::nullopt);
  auto knownOutside = llvm::StringSwitch<std::optional<Outside>>(
                          node.string("padding_mode", "zeros"))
                          .Case("zeros", Outside::Zeros)
                          .Case("border", Outside::Border)
                          .Case("reflection", Outside::Reflection)
                          .Default(std::nullopt);
  if (!knownMode || !knownOutside)
    return refuse("unknown mode");
  if (*knownMode == Interpolation::Cubic && rank != 2)
    return refuse("cubic interpolation takes 2 dimensions");
  mode = *knownMode;
  outside = *knownOutside;
  alignCorners = node.flag("align_corners", false);
  batch = input[0];
  channels = input[1];
  image.assign(input.begin() + 2, input.end());
  places = node.type(1).getNumElements() / rank;
  return true;
}

//===-- Along one dimension -------------------------------------------------//

/// Where the grid points to, in pixels: it says -1 for the begin of the image
/// and 1 for its end, and names the last dimension first.
Value Sampler::coordinate(Value grid, int64_t dim) {
  int64_t rank = image.size(), extent = image[dim];
  Value place = ctx.cast(ctx.slice(grid, 1, rank - 1 - dim, 1), real);
  place = add(place, 1.0);
  if (alignCorners)
    return times(place, double(extent - 1) / 2);
  return times(add(times(place, double(extent)), -1.0), 0.5);
}

Value Sampler::isInside(Value place, double low, double high) {
  return ctx.create<graph::AndOp>(
      ctx.create<graph::GreaterEqualOp>(place, number(low)),
      ctx.create<graph::LessEqualOp>(place, number(high)));
}

/// Mirrored at the borders until inside: those of the image, or the middles of
/// its outer pixels.
Value Sampler::reflected(Value place, int64_t extent) {
  double low = alignCorners ? 0.0 : -0.5;
  double span = double(alignCorners ? extent - 1 : extent);
  if (span == 0)
    return times(place, 0.0);
  Value distance = ctx.create<graph::AbsOp>(add(place, -low));
  Value turns = ctx.create<graph::FloorOp>(times(distance, 1.0 / span));
  Value rest = ctx.create<graph::SubOp>(distance, times(turns, span));
  Value half = times(turns, 0.5);
  Value isEven =
      ctx.create<graph::EqualOp>(half, ctx.create<graph::FloorOp>(half));
  Value back = ctx.create<graph::SubOp>(number(low + span), rest);
  Value inside = ctx.create<graph::SelectOp>(isEven, add(rest, low), back);
  return ctx.create<graph::SelectOp>(isInside(place, low, low + span), place,
                                     inside);
}

/// What padding makes of a place, pixel or between.
Value Sampler::broughtInside(Value place, int64_t extent) {
  double last = double(extent - 1), low = alignCorners ? 0.0 : -0.5;
  switch (outside) {
  case Outside::Zeros:
    return place;
  case Outside::Border:
    return ctx.create<graph::SelectOp>(isInside(place, low, last - low), place,
                                       clamp(place, number(0.0), number(last)));
  case Outside::Reflection:
    return reflected(place, extent);
  }
  llvm_unreachable("unknown padding");
}

/// The pixel at a whole number.
Tap Sampler::tapAt(Value place, int64_t extent, Value weight) {
  Tap tap{Value(), weight, Value()};
  if (outside == Outside::Zeros)
    tap.inside = isInside(place, 0.0, double(extent - 1));
  if (outside == Outside::Reflection)
    place = reflected(place, extent);
  tap.index = clamp(ctx.cast(place, index), ctx.scalar(0.0, index),
                    ctx.scalar(double(extent - 1), index));
  if (weight)
    tap.weight = ctx.cast(weight, element);
  return tap;
}

static constexpr double kCubic = -0.75;

/// Keys' kernel up to a distance of 1, and from there to 2.
Value Sampler::nearCubic(Value distance) {
  Value x = add(times(distance, kCubic + 2), -(kCubic + 3));
  Value square = ctx.create<graph::MulOp>(distance, distance);
  return add(ctx.create<graph::MulOp>(x, square), 1.0);
}

Value Sampler::farCubic(Value distance) {
  Value x = add(times(distance, kCubic), -5 * kCubic);
  x = add(ctx.create<graph::MulOp>(x, distance), 8 * kCubic);
  return add(ctx.create<graph::MulOp>(x, distance), -4 * kCubic);
}

SmallVector<Tap> Sampler::tapsOf(Value grid, int64_t dim) {
  int64_t extent = image[dim];
  Value place = coordinate(grid, dim);
  if (mode == Interpolation::Nearest) {
    place = ctx.create<graph::RoundOp>(place);
    return {tapAt(broughtInside(place, extent), extent, Value())};
  }
  place = broughtInside(place, extent);
  Value first = ctx.create<graph::FloorOp>(place);
  Value behind = ctx.create<graph::SubOp>(place, first);
  Value before = ctx.create<graph::SubOp>(number(1.0), behind);
  Value second = add(first, 1.0);
  if (mode == Interpolation::Linear)
    return {tapAt(first, extent, before), tapAt(second, extent, behind)};
  return {tapAt(add(first, -1.0), extent, farCubic(add(behind, 1.0))),
          tapAt(first, extent, nearCubic(behind)),
          tapAt(second, extent, nearCubic(before)),
          tapAt(add(first, 2.0), extent, farCubic(add(before, 1.0)))};
}

//===-- Pixels --------------------------------------------------------------//

/// One of two, or both joined.
template <typename Join>
static Value merge(NormalizeContext &ctx, Value x, Value y) {
  return x && y ? ctx.create<Join>(x, y) : x ? x : y;
}

/// The taps of all dimensions so far with each of one more, which lies within
/// them.
static SmallVector<Tap> combine(NormalizeContext &ctx, ArrayRef<Tap> outer,
                                ArrayRef<Tap> inner, int64_t extent) {
  SmallVector<Tap> result;
  for (const Tap &a : outer)
    for (const Tap &b : inner) {
      Value row = ctx.create<graph::MulOp>(
          a.index, ctx.scalarLike(double(extent), a.index));
      result.push_back({ctx.create<graph::AddOp>(row, b.index),
                        merge<graph::MulOp>(ctx, a.weight, b.weight),
                        merge<graph::AndOp>(ctx, a.inside, b.inside)});
    }
  return result;
}

/// `number` says in which image each place lies; null: there is only one.
SmallVector<Tap> Sampler::allTaps(Value grid, Value number) {
  SmallVector<Tap> taps;
  if (number)
    taps.push_back({number, Value(), Value()});
  for (auto [dim, extent] : llvm::enumerate(image)) {
    SmallVector<Tap> inner = tapsOf(grid, dim);
    taps = taps.empty() ? inner : combine(ctx, taps, inner, extent);
  }
  return taps;
}

/// The places of `grid`, `[places, rank]`, as `[places, channels]`.
Value Sampler::sample(Value grid, Value number) {
  Value result;
  for (const Tap &tap : allTaps(grid, number)) {
    if (!tap.index)
      return {};
    int64_t count =
        mlir::cast<RankedTensorType>(tap.index.getType()).getNumElements();
    Value pixel =
        ctx.create<graph::GatherOp>(rows, ctx.reshape(tap.index, {count}), 0);
    if (tap.weight)
      pixel = ctx.create<graph::MulOp>(pixel, tap.weight);
    if (tap.inside)
      pixel = ctx.create<graph::SelectOp>(tap.inside, pixel,
                                          ctx.scalarLike(0.0, pixel));
    result = result ? ctx.create<graph::AddOp>(result, pixel) : pixel;
  }
  return result;
}

/// All places, in blocks: each tap's pixels are written and read again.
Value Sampler::sampleAll() {
  int64_t rank = image.size(), taps = 1;
  for (int64_t i = 0; i < rank; ++i)
    taps *= mode == Interpolation::Nearest ? 1
            : mode == Interpolation::Cubic ? 4
                                           : 2;
  Value grid = ctx.reshape(node.operand(1), {places, rank}), number;
  if (batch > 1)
    number = ctx.reshape(
        ctx.cast(ctx.indices({batch, places / batch}, 0), index), {places, 1});
  // The channels of a tap, its index and its weights.
  int64_t bytes = taps * (channels + 4) * 4;
  return inBlocks(ctx, places, bytes, 0, [&](int64_t first, int64_t size) {
    return sample(ctx.slice(grid, 0, first, size),
                  number ? ctx.slice(number, 0, first, size) : Value());
  });
}

Value Sampler::run() {
  if (!read())
    return {};
  mlir::Type type = node.type(0).getElementType();
  bool isNearest = mode == Interpolation::Nearest;
  if (!isNearest && !mlir::isa<mlir::FloatType>(type)) {
    (void)ctx.unsupported("only floats are interpolated");
    return {};
  }
  element = isNearest ? type : computeType(type);
  real = computeType(node.type(1).getElementType());
  int64_t pixels = node.type(0).getNumElements() / channels;
  index = pixels <= INT32_MAX ? ctx.builder().getI32Type()
                              : ctx.builder().getI64Type();
  SmallVector<int64_t> last = range(0, node.type(0).getRank()), first = last;
  last.erase(last.begin() + 1);
  last.push_back(1);
  first.insert(first.begin() + 1, first.pop_back_val());
  Value moved = ctx.transpose(node.operand(0), last);
  rows = ctx.cast(ctx.reshape(moved, {pixels, channels}), element);
  SmallVector<int64_t> shape(node.type(1).getShape().drop_back());
  shape.push_back(channels);
  Value result = ctx.reshape(sampleAll(), shape);
  return result ? ctx.cast(ctx.transpose(result, first), type) : Value();
}

Lowered normalize::lowerGridSample(NormalizeContext &ctx, const Node &node) {
  Value result = Sampler(ctx, node).run();
  return result ? Lowered(result) : Lowered(mlir::failure());
}
