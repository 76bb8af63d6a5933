//===- GridSample.cpp - an image read at given places ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file says which pixels lie around each place of a grid, and what they
// weigh.
//===----------------------------------------------------------------------===//
#include "passes/Normalize/Extents.h"
#include "passes/Normalize/Signal/Sampling.h"
#include "llvm/ADT/StringSwitch.h"

using namespace tenon;
using namespace tenon::normalize;

namespace {
enum class Interpolation { Nearest, Linear, Cubic };
enum class Outside { Zeros, Border, Reflection };

/// What a node asks for.
struct Grid {
  Interpolation mode = Interpolation::Linear;
  Outside outside = Outside::Zeros;
  bool alignCorners = false;
  mlir::Attribute batch, channels;
  mlir::Attribute perImage; ///< places of one image
  Dims image;               ///< spatial extents
  mlir::Type real, element; ///< of places and of pixels

  int64_t rank() const { return image.size(); }
  mlir::Attribute places() const {
    return graph::multiplyDims(batch, perImage);
  }
  /// How many pixels are read for each place.
  int64_t taps() const {
    int64_t each = mode == Interpolation::Nearest ? 1
                   : mode == Interpolation::Cubic ? 4
                                                  : 2;
    return rank() == 2 ? each * each : each * each * each;
  }
};

/// Places are `[places, 1]`.
class GridSampler {
public:
  GridSampler(NormalizeContext &ctx, const Node &node, const Grid &grid)
      : ctx(ctx), node(node), grid(grid),
        image(ctx, node.operand(0), grid.real, grid.element) {}
  Value run();

private:
  Value coordinate(Value points, int64_t dim);
  Value broughtInside(Value place, mlir::Attribute extent);
  Value reflected(Value place, mlir::Attribute extent);
  Tap tapAt(Value place, mlir::Attribute extent, Value weight);
  SmallVector<Tap> tapsOf(Value points, int64_t dim);
  Value nearCubic(Value distance);
  Value farCubic(Value distance);
  SmallVector<Tap> allTaps(Value points, Value number);
  Value sample(Value points, Value number);

  NormalizeContext &ctx;
  const Node &node;
  const Grid &grid;
  Sampling image;
};
} // namespace

static bool readModes(const Node &node, Grid &grid) {
  auto mode = llvm::StringSwitch<std::optional<Interpolation>>(
                  node.string("mode", "linear"))
                  .Case("nearest", Interpolation::Nearest)
                  .Cases({"linear", "bilinear"}, Interpolation::Linear)
                  .Cases({"cubic", "bicubic"}, Interpolation::Cubic)
                  .Default(std::nullopt);
  auto outside = llvm::StringSwitch<std::optional<Outside>>(
                     node.string("padding_mode", "zeros"))
                     .Case("zeros", Outside::Zeros)
                     .Case("border", Outside::Border)
                     .Case("reflection", Outside::Reflection)
                     .Default(std::nullopt);
  grid.mode = mode.value_or(grid.mode);
  grid.outside = outside.value_or(grid.outside);
  grid.alignCorners = node.flag("align_corners", false);
  return mode && outside;
}

static std::optional<Grid> readGrid(NormalizeContext &ctx, const Node &node) {
  auto refuse = [&](StringRef why) {
    (void)ctx.unsupported(why);
    return std::nullopt;
  };
  if (!ctx.hasDims(node.operand(0)) || !ctx.hasDims(node.operand(1)))
    return std::nullopt;
  Dims input = dimsOf(node.type(0)), points = dimsOf(node.type(1));
  int64_t rank = int64_t(input.size()) - 2;
  mlir::Attribute one = sizeDim(node.context(), 1);
  if (rank < 2 || rank > 3 || points.size() != input.size() ||
      !graph::mayBeEqual(points.back(), sizeDim(node.context(), rank)) ||
      !graph::mayBeEqual(points.front(), input.front()))
    return refuse("image and grid do not fit; 2 or 3 dimensions are supported");
  Grid grid;
  grid.batch = input[0];
  grid.channels = input[1];
  grid.image.assign(input.begin() + 2, input.end());
  grid.perImage = one;
  for (mlir::Attribute dim : ArrayRef(points).drop_front().drop_back())
    grid.perImage = graph::multiplyDims(grid.perImage, dim);
  bool reads = sizeOf(grid.places()) != 0 && sizeOf(grid.channels) != 0;
  if (reads && llvm::any_of(grid.image, [](mlir::Attribute extent) {
        return sizeOf(extent) == 0;
      }))
    return refuse("the image is empty");
  if (!readModes(node, grid))
    return refuse("unknown mode");
  if (grid.mode == Interpolation::Cubic && rank != 2)
    return refuse("cubic interpolation takes 2 dimensions");
  mlir::Type type = node.type(0).getElementType();
  bool isNearest = grid.mode == Interpolation::Nearest;
  if (!isNearest && !mlir::isa<mlir::FloatType>(type))
    return refuse("only floats are interpolated");
  grid.element = isNearest ? type : computeType(type);
  grid.real = computeType(node.type(1).getElementType());
  return grid;
}

//===-- Along one dimension -------------------------------------------------//

/// Where the grid points to, in pixels: it says -1 for the begin of the image
/// and 1 for its end, and names the last dimension first.
Value GridSampler::coordinate(Value points, int64_t dim) {
  mlir::Attribute extent = grid.image[dim];
  Value place =
      ctx.cast(ctx.slice(points, 1, grid.rank() - 1 - dim, 1), grid.real);
  place = image.add(place, 1.0);
  if (grid.alignCorners)
    return ctx.create<graph::MulOp>(
        place, image.times(image.number(extent, -1.0), 0.5));
  place = ctx.create<graph::MulOp>(place, image.number(extent));
  return image.times(image.add(place, -1.0), 0.5);
}

/// Mirrored at the borders until inside: those of the image, or the middles of
/// its outer pixels.
Value GridSampler::reflected(Value place, mlir::Attribute extent) {
  double low = grid.alignCorners ? 0.0 : -0.5;
  mlir::Attribute size =
      graph::affineDim(extent, 1, grid.alignCorners ? -1 : 0);
  if (sizeOf(size) == 0)
    return image.times(place, 0.0);
  Value span = image.number(size), one = image.number(1.0), turns;
  Value distance = ctx.create<graph::AbsOp>(image.add(place, -low));
  bool isOpen = graph::isSymbolic(size);
  if (isOpen)
    turns =
        ctx.create<graph::DivOp>(distance, ctx.create<graph::MaxOp>(span, one));
  else
    turns = image.times(distance, 1.0 / double(sizeOf(size)));
  turns = ctx.create<graph::FloorOp>(turns);
  Value rest =
      ctx.create<graph::SubOp>(distance, ctx.create<graph::MulOp>(turns, span));
  Value half = image.times(turns, 0.5);
  Value isEven =
      ctx.create<graph::EqualOp>(half, ctx.create<graph::FloorOp>(half));
  Value high = image.number(size, low);
  Value back = ctx.create<graph::SubOp>(high, rest);
  Value inside =
      ctx.create<graph::SelectOp>(isEven, image.add(rest, low), back);
  inside = ctx.create<graph::SelectOp>(
      image.isInside(place, image.number(low), high), place, inside);
  // Of a single pixel with aligned corners there is but one place.
  return isOpen && grid.alignCorners
             ? ctx.create<graph::MulOp>(inside,
                                        ctx.create<graph::MinOp>(span, one))
             : inside;
}

/// What padding makes of a place, pixel or between.
Value GridSampler::broughtInside(Value place, mlir::Attribute extent) {
  double low = grid.alignCorners ? 0.0 : -0.5;
  switch (grid.outside) {
  case Outside::Zeros:
    return place;
  case Outside::Border:
    return ctx.create<graph::SelectOp>(
        image.isInside(place, image.number(low),
                       image.number(extent, -1.0 - low)),
        place,
        image.clamp(place, image.number(0.0), image.number(extent, -1.0)));
  case Outside::Reflection:
    return reflected(place, extent);
  }
  llvm_unreachable("unknown padding");
}

/// The pixel at a whole number.
Tap GridSampler::tapAt(Value place, mlir::Attribute extent, Value weight) {
  if (grid.outside == Outside::Reflection)
    place = reflected(place, extent);
  return image.tapAt(place, extent, weight, grid.outside == Outside::Zeros);
}

static constexpr double kCubic = -0.75;

/// Keys' kernel up to a distance of 1, and from there to 2.
Value GridSampler::nearCubic(Value distance) {
  Value x = image.add(image.times(distance, kCubic + 2), -(kCubic + 3));
  Value square = ctx.create<graph::MulOp>(distance, distance);
  return image.add(ctx.create<graph::MulOp>(x, square), 1.0);
}

Value GridSampler::farCubic(Value distance) {
  Value x = image.add(image.times(distance, kCubic), -5 * kCubic);
  x = image.add(ctx.create<graph::MulOp>(x, distance), 8 * kCubic);
  return image.add(ctx.create<graph::MulOp>(x, distance), -4 * kCubic);
}

SmallVector<Tap> GridSampler::tapsOf(Value points, int64_t dim) {
  mlir::Attribute extent = grid.image[dim];
  Value place = coordinate(points, dim);
  if (grid.mode == Interpolation::Nearest) {
    place = ctx.create<graph::RoundOp>(place);
    return {tapAt(broughtInside(place, extent), extent, Value())};
  }
  place = broughtInside(place, extent);
  Value first = ctx.create<graph::FloorOp>(place);
  Value behind = ctx.create<graph::SubOp>(place, first);
  Value before = ctx.create<graph::SubOp>(image.number(1.0), behind);
  Value second = image.add(first, 1.0);
  if (grid.mode == Interpolation::Linear)
    return {tapAt(first, extent, before), tapAt(second, extent, behind)};
  return {
      tapAt(image.add(first, -1.0), extent, farCubic(image.add(behind, 1.0))),
      tapAt(first, extent, nearCubic(behind)),
      tapAt(second, extent, nearCubic(before)),
      tapAt(image.add(first, 2.0), extent, farCubic(image.add(before, 1.0)))};
}

//===-- Pixels --------------------------------------------------------------//

/// `number` says in which image each place lies; null: there is only one.
SmallVector<Tap> GridSampler::allTaps(Value points, Value number) {
  SmallVector<Tap> taps;
  if (number)
    taps.push_back({number, Value(), Value()});
  for (auto [dim, extent] : llvm::enumerate(grid.image))
    taps = image.combine(taps, tapsOf(points, dim), extent);
  return taps;
}

/// The places of `points`, `[places, rank]`, as `[places, channels]`.
Value GridSampler::sample(Value points, Value number) {
  Value result;
  for (const Tap &tap : allTaps(points, number)) {
    Value pixels = image.pixels(tap);
    result = result ? ctx.create<graph::AddOp>(result, pixels) : pixels;
  }
  return result;
}

/// All places, in blocks: each tap's pixels are written and read again.
Value GridSampler::run() {
  mlir::Attribute places = grid.places(), one = sizeDim(node.context(), 1);
  Dims whole = dimsOf(node.type(1));
  whole.back() = sizeDim(node.context(), grid.rank());
  auto shape =
      typeFromDims({places, whole.back()}, node.type(1).getElementType());
  Value number,
      points = ctx.reshapeTo(heldTo(ctx, node.operand(1), whole), shape);
  if (graph::isSymbolic(grid.batch) || sizeOf(grid.batch) > 1) {
    mlir::Type index = image.rowType();
    number = ctx.cast(ctx.indices({grid.batch, grid.perImage}, 0), index);
    number = ctx.reshapeTo(number, typeFromDims({places, one}, index));
  }
  // The channels of a tap, its index and its weights.
  constexpr int64_t likely = 64;
  int64_t channels =
      graph::isSymbolic(grid.channels) ? likely : sizeOf(grid.channels);
  int64_t bytes = grid.taps() * (channels + 4) * 4;
  auto some = [&](mlir::Attribute first, mlir::Attribute size) {
    return sample(ctx.slice(points, 0, first, size),
                  number ? ctx.slice(number, 0, first, size) : Value());
  };
  return inBlocks(ctx, places, bytes, 0, some);
}

Lowered normalize::lowerGridSample(NormalizeContext &ctx, const Node &node) {
  auto grid = readGrid(ctx, node);
  if (!grid)
    return mlir::failure();
  Value result = GridSampler(ctx, node, *grid).run();
  // [N, places..., C], of which the channels move to the front.
  Dims shape = dimsOf(node.type(1));
  shape.front() = grid->batch;
  shape.back() = grid->channels;
  SmallVector<int64_t> order = range(0, shape.size());
  order.insert(order.begin() + 1, order.pop_back_val());
  result = ctx.reshapeTo(result, typeFromDims(shape, grid->element));
  return result ? Lowered(ctx.cast(ctx.transpose(result, order),
                                   node.type(0).getElementType()))
                : Lowered(mlir::failure());
}
