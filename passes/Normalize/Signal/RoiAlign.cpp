//===- RoiAlign.cpp - regions of an image, pooled -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file reads a grid of places in each bin of each region, as many as ONNX
// Runtime does, and takes their mean or maximum. How many that are may depend
// on the region: then there are as many as the largest one needs, and others
// leave some out.
//===----------------------------------------------------------------------===//
#include "passes/Normalize/Extents.h"
#include "passes/Normalize/Signal/Sampling.h"

using namespace tenon;
using namespace tenon::normalize;

namespace {
/// What a node asks for.
struct Regions {
  bool isMax = false, halfPixel = true;
  int64_t ratio = 0; ///< places along each side of a bin; 0: of its size
  double scale = 1.0;
  int64_t bins[2] = {1, 1};        ///< rows and columns
  mlir::Attribute count, channels; ///< of regions
  Dims image;                      ///< [N, C, height, width]
  mlir::Type real;                 ///< all is computed in
};

/// The places along one side of all bins: `[regions, bins, places, 1, 1]` of
/// rows, `[regions, 1, 1, bins, places]` of columns.
struct Side {
  SmallVector<Tap> taps; ///< the pixels before and behind each place
  Value isPlace;         ///< i1; null: all are
  Value count;           ///< of places in a bin, `[regions, 1, 1, 1, 1]`
};

class RoiPool {
public:
  RoiPool(NormalizeContext &ctx, const Node &node, const Regions &regions)
      : ctx(ctx), node(node), regions(regions),
        image(ctx, node.operand(0), regions.real, regions.real) {}
  Value run();

private:
  mlir::Attribute number(int64_t value) {
    return sizeDim(node.context(), value);
  }
  Value perRegion(Value values);
  Value border(int64_t column);
  Value numbers(int64_t axis, mlir::Attribute count, double start);
  mlir::Attribute countPlaces(Side &side, Value binSize);
  Side sideOf(int64_t dim);
  void addTaps(Side &side, Value place, mlir::Attribute extent);
  Value images();
  Value pool(ArrayRef<Value> pixels, ArrayRef<Side> sides);
  Value mean(Value sums, ArrayRef<Side> sides);

  NormalizeContext &ctx;
  const Node &node;
  const Regions &regions;
  Sampling image;
  mlir::Attribute places[2]; ///< along each side of a bin
};
} // namespace

static bool readAttributes(NormalizeContext &ctx, const Node &node,
                           Regions &regions) {
  StringRef mode = node.string("mode", "avg");
  StringRef coordinates =
      node.string("coordinate_transformation_mode", "half_pixel");
  regions.isMax = mode == "max";
  regions.halfPixel = coordinates == "half_pixel";
  regions.ratio = node.integer("sampling_ratio", 0);
  regions.scale = node.real("spatial_scale", 1.0f);
  regions.bins[0] = node.integer("output_height", 1);
  regions.bins[1] = node.integer("output_width", 1);
  if ((!regions.isMax && mode != "avg") ||
      (!regions.halfPixel && coordinates != "output_half_pixel"))
    return succeeded(ctx.unsupported("unknown mode"));
  auto isHuge = [](int64_t value) { return value >> 16 != 0; };
  if (isHuge(regions.ratio) || isHuge(regions.bins[0] - 1) ||
      isHuge(regions.bins[1] - 1))
    return succeeded(ctx.unsupported(
        "'sampling_ratio' or the extents of the output are out of range"));
  return true;
}

static std::optional<Regions> readRegions(NormalizeContext &ctx,
                                          const Node &node) {
  Regions regions;
  for (unsigned index = 0; index < 3; ++index)
    if (!ctx.hasDims(node.operand(index)))
      return std::nullopt;
  regions.image = dimsOf(node.type(0));
  Dims rois = dimsOf(node.type(1)), indices = dimsOf(node.type(2));
  bool fits = regions.image.size() == 4 && rois.size() == 2 &&
              indices.size() == 1 && graph::mayBeEqual(rois[0], indices[0]) &&
              graph::mayBeEqual(rois[1], sizeDim(node.context(), 4)) &&
              mlir::isa<mlir::FloatType>(node.type(0).getElementType());
  if (!fits) {
    (void)ctx.unsupported("it needs an image [N, C, H, W], regions [count, 4] "
                          "and the number of an image for each");
    return std::nullopt;
  }
  regions.count = graph::unify(rois[0], indices[0]);
  regions.channels = regions.image[1];
  regions.real = computeType(node.type(0).getElementType());
  return readAttributes(ctx, node, regions) ? std::optional(regions)
                                            : std::nullopt;
}

//===-- Places --------------------------------------------------------------//

/// `[regions, 1, 1, 1, 1]`
Value RoiPool::perRegion(Value values) {
  Dims shape(5, number(1));
  shape[0] = regions.count;
  return values ? ctx.reshapeTo(
                      values,
                      typeFromDims(shape, mlir::getElementTypeOrSelf(values)))
                : Value();
}

/// Where regions begin or end, in pixels.
Value RoiPool::border(int64_t column) {
  mlir::Type type = node.type(1).getElementType();
  Value rois = ctx.reshapeTo(node.operand(1),
                             typeFromDims({regions.count, number(4)}, type));
  Value edge = perRegion(ctx.cast(ctx.slice(rois, 1, column, 1), regions.real));
  edge = image.times(edge, regions.scale);
  return regions.halfPixel ? image.add(edge, -0.5) : edge;
}

/// start, start + 1... along a dimension of all places.
Value RoiPool::numbers(int64_t axis, mlir::Attribute count, double start) {
  Dims shape(5, number(1));
  shape[axis] = count;
  return ctx.createTyped<graph::IotaOp>(typeFromDims(shape, regions.real), axis,
                                        llvm::APFloat(start),
                                        llvm::APFloat(1.0));
}

/// As many as the largest region needs. None of a region of no size, which
/// says so by a count from 0 down.
mlir::Attribute RoiPool::countPlaces(Side &side, Value binSize) {
  mlir::Type i64 = ctx.builder().getI64Type();
  if (regions.ratio > 0) {
    side.count = image.number(double(regions.ratio));
    return number(regions.ratio);
  }
  side.count = ctx.create<graph::CeilOp>(binSize);
  Value flat = ctx.reshapeTo(ctx.cast(side.count, i64),
                             typeFromDims({number(1), regions.count}, i64));
  Value none = ctx.reshapeTo(ctx.vector(int64_t(0)),
                             typeFromDims({number(1), number(1)}, i64));
  Value all = ctx.create<graph::ConcatOp>(SmallVector<Value>{flat, none}, 1);
  auto most = extents(ctx, ctx.create<graph::ReduceMaxOp>(all, 1, false));
  return most ? most->front() : mlir::Attribute();
}

/// The pixels before and behind each place. A place may lie one pixel outside,
/// and is moved to the border; what lies further counts nothing.
void RoiPool::addTaps(Side &side, Value place, mlir::Attribute extent) {
  Value none = image.number(0.0), last = image.number(extent, -1.0);
  Value inside =
      image.isInside(place, image.number(-1.0), image.number(extent));
  place = image.clamp(place, none, last);
  Value first = ctx.create<graph::FloorOp>(place);
  Value behind = ctx.create<graph::SubOp>(place, first);
  Value before = ctx.create<graph::SubOp>(image.number(1.0), behind);
  for (auto [pixel, weight] :
       {std::pair(first, before), std::pair(image.add(first, 1.0), behind)}) {
    Tap tap = image.tapAt(pixel, extent, weight, /*zeros=*/false);
    tap.inside = inside;
    side.taps.push_back(tap);
  }
}

Side RoiPool::sideOf(int64_t dim) {
  Side side;
  int64_t binAxis = dim == 0 ? 1 : 3;
  Value begin = border(1 - dim),
        size = ctx.create<graph::SubOp>(border(3 - dim), begin);
  if (!regions.halfPixel)
    size = ctx.create<graph::MaxOp>(size, image.number(1.0));
  Value binSize =
      ctx.create<graph::DivOp>(size, image.number(double(regions.bins[dim])));
  places[dim] = countPlaces(side, binSize);
  if (!places[dim])
    return side;
  Value bin = ctx.create<graph::AddOp>(
      begin, ctx.create<graph::MulOp>(
                 numbers(binAxis, number(regions.bins[dim]), 0.0), binSize));
  Value middle = numbers(binAxis + 1, places[dim], 0.5);
  Value place = ctx.create<graph::AddOp>(
      bin, ctx.create<graph::DivOp>(ctx.create<graph::MulOp>(middle, binSize),
                                    side.count));
  if (regions.ratio <= 0)
    side.isPlace = ctx.create<graph::LessOp>(middle, side.count);
  addTaps(side, place, regions.image[2 + dim]);
  return side;
}

//===-- Pixels --------------------------------------------------------------//

/// The number of each region's image. One below zero is no number from the end.
Value RoiPool::images() {
  mlir::Type type = image.rowType();
  Value numbers = perRegion(ctx.cast(node.operand(2), type));
  Value isInside =
      ctx.create<graph::GreaterEqualOp>(numbers, ctx.scalarLike(0.0, numbers));
  return ctx.create<graph::SelectOp>(
      isInside, numbers,
      ctx.sizes(regions.image[0], RankedTensorType::get({}, type)));
}

/// The sum over all places, divided by their number.
Value RoiPool::mean(Value sums, ArrayRef<Side> sides) {
  Value count = ctx.create<graph::MulOp>(sides[0].count, sides[1].count);
  count = ctx.create<graph::MaxOp>(count, image.number(1.0));
  if (regions.ratio <= 0)
    count = ctx.reshapeTo(
        count, typeFromDims({regions.count, number(1), number(1), number(1)},
                            regions.real));
  return ctx.create<graph::DivOp>(sums, count);
}

/// Of what each tap adds to each place, `[places, channels]`, to
/// `[regions, rows, columns, channels]`.
Value RoiPool::pool(ArrayRef<Value> pixels, ArrayRef<Side> sides) {
  Value all;
  for (Value each : pixels) {
    if (!all)
      all = each;
    else if (regions.isMax)
      all = ctx.create<graph::MaxOp>(all, each);
    else
      all = ctx.create<graph::AddOp>(all, each);
  }
  Dims shape{regions.count, number(regions.bins[0]),
             places[0],     number(regions.bins[1]),
             places[1],     regions.channels};
  all = ctx.reshapeTo(all, typeFromDims(shape, regions.real));
  Value isPlace;
  if (regions.ratio <= 0) {
    shape[1] = shape[3] = shape.back() = number(1);
    isPlace = ctx.create<graph::AndOp>(sides[0].isPlace, sides[1].isPlace);
    isPlace =
        ctx.reshapeTo(isPlace, typeFromDims(shape, ctx.builder().getI1Type()));
  }
  SmallVector<int64_t> axes{2, 4};
  if (!regions.isMax) {
    if (isPlace)
      all = ctx.create<graph::SelectOp>(isPlace, all, image.number(0.0));
    return mean(ctx.create<graph::ReduceSumOp>(all, axes, false), sides);
  }
  Value lowest = image.number(-INFINITY);
  if (isPlace)
    all = ctx.create<graph::SelectOp>(isPlace, all, lowest);
  Value most = ctx.create<graph::ReduceMaxOp>(all, axes, false);
  if (!isPlace)
    return most;
  Value isEmpty = ctx.create<graph::EqualOp>(most, lowest);
  return ctx.create<graph::SelectOp>(isEmpty, image.number(0.0), most);
}

Value RoiPool::run() {
  Side sides[2] = {sideOf(0), sideOf(1)};
  if (!places[0] || !places[1])
    return {};
  SmallVector<Tap> taps{{images(), Value(), Value()}};
  for (int64_t dim = 0; dim < 2; ++dim)
    taps = image.combine(taps, sides[dim].taps, regions.image[2 + dim]);
  SmallVector<Value> pixels;
  for (const Tap &tap : taps)
    pixels.push_back(image.pixels(tap));
  Value pooled = pool(pixels, sides);
  return pooled ? ctx.transpose(pooled, {0, 3, 1, 2}) : Value();
}

Lowered normalize::lowerRoiAlign(NormalizeContext &ctx, const Node &node) {
  auto regions = readRegions(ctx, node);
  if (!regions)
    return mlir::failure();
  return ctx.cast(RoiPool(ctx, node, *regions).run(),
                  node.type(0).getElementType());
}
