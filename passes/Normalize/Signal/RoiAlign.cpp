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

/// The places along one side of all bins. Rows are `[bins, 1, regions, places,
/// 1]`, columns `[1, bins, regions, 1, places]`.
struct Side {
  SmallVector<Tap> taps; ///< the pixels before and behind each place
  Value isPlace;         ///< i1; null: all are
  Value count;           ///< of places in a bin, `[1, 1, regions, 1, 1]`
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
  SmallVector<Tap> allTaps(ArrayRef<Side> sides);
  Value isPlace(ArrayRef<Side> sides);
  Value pool(ArrayRef<Tap> taps, Value isPlace, mlir::Attribute bins);
  Value mean(Value sums, ArrayRef<Side> sides);
  int64_t bytes();

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

/// `[1, 1, regions, 1, 1]`
Value RoiPool::perRegion(Value values) {
  Dims shape(5, number(1));
  shape[2] = regions.count;
  return values ? ctx.reshapeTo(
                      values,
                      typeFromDims(shape, mlir::getElementTypeOrSelf(values)))
                : Value();
}

/// Where regions begin or end, in pixels.
Value RoiPool::border(int64_t column) {
  Dims shape{dimsOf(node.type(1))[0], number(4)};
  Value rois = heldTo(ctx, node.operand(1), shape);
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
                 numbers(dim, number(regions.bins[dim]), 0.0), binSize));
  Value middle = numbers(3 + dim, places[dim], 0.5);
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

/// The pixels around all places, `[bins, places]`.
SmallVector<Tap> RoiPool::allTaps(ArrayRef<Side> sides) {
  SmallVector<Tap> taps{{images(), Value(), Value()}};
  for (int64_t dim = 0; dim < 2; ++dim)
    taps = image.combine(taps, sides[dim].taps, regions.image[2 + dim]);
  Dims shape{number(regions.bins[0] * regions.bins[1]),
             graph::multiplyDims(regions.count,
                                 graph::multiplyDims(places[0], places[1]))};
  for (Tap &tap : taps)
    for (Value *value : {&tap.index, &tap.weight, &tap.inside})
      if (*value)
        *value = ctx.reshapeTo(
            *value, typeFromDims(shape, mlir::getElementTypeOrSelf(*value)));
  return taps;
}

/// `[regions, places of a bin, 1]`; null where all are.
Value RoiPool::isPlace(ArrayRef<Side> sides) {
  if (regions.ratio > 0)
    return {};
  Dims shape{regions.count, graph::multiplyDims(places[0], places[1]),
             number(1)};
  return ctx.reshapeTo(
      ctx.create<graph::AndOp>(sides[0].isPlace, sides[1].isPlace),
      typeFromDims(shape, ctx.builder().getI1Type()));
}

/// The sum over all places, `[bins, regions, channels]`, divided by their
/// number.
Value RoiPool::mean(Value sums, ArrayRef<Side> sides) {
  Value count = ctx.create<graph::MulOp>(sides[0].count, sides[1].count);
  count = ctx.create<graph::MaxOp>(count, image.number(1.0));
  if (regions.ratio <= 0)
    count = ctx.reshapeTo(
        count, typeFromDims({regions.count, number(1)}, regions.real));
  return ctx.create<graph::DivOp>(sums, count);
}

/// The sum or the maximum over the places of some bins: `[bins, regions,
/// channels]`.
Value RoiPool::pool(ArrayRef<Tap> taps, Value isPlace, mlir::Attribute bins) {
  Value all;
  for (const Tap &tap : taps) {
    Value each = image.pixels(tap);
    if (!all)
      all = each;
    else if (regions.isMax)
      all = ctx.create<graph::MaxOp>(all, each);
    else
      all = ctx.create<graph::AddOp>(all, each);
  }
  Dims shape{bins, regions.count, graph::multiplyDims(places[0], places[1]),
             regions.channels};
  if (!all)
    return {};
  all = ctx.reshapeTo(all, typeFromDims(shape, regions.real));
  Value none = image.number(regions.isMax ? -INFINITY : 0.0);
  if (isPlace)
    all = ctx.create<graph::SelectOp>(isPlace, all, none);
  if (!regions.isMax)
    return ctx.create<graph::ReduceSumOp>(all, 2, false);
  Value most = ctx.create<graph::ReduceMaxOp>(all, 2, false);
  return isPlace ? ctx.create<graph::SelectOp>(
                       ctx.create<graph::EqualOp>(most, none),
                       image.number(0.0), most)
                 : most;
}

/// What the pixels of a bin take; of an open number, as many as is usual.
int64_t RoiPool::bytes() {
  int64_t product = 16;
  auto multiply = [&](mlir::Attribute dim, int64_t usual) {
    int64_t size = graph::isSymbolic(dim) ? usual : sizeOf(dim);
    product = std::min<int64_t>(product * std::max<int64_t>(size, 1), 1 << 30);
  };
  multiply(regions.count, 100);
  multiply(regions.channels, 256);
  multiply(places[0], 4);
  multiply(places[1], 4);
  return product;
}

/// All bins, in blocks: each tap's pixels are written and read again.
Value RoiPool::run() {
  Side sides[2] = {sideOf(0), sideOf(1)};
  if (!places[0] || !places[1])
    return {};
  SmallVector<Tap> taps = allTaps(sides);
  Value isPlace = this->isPlace(sides);
  auto some = [&](mlir::Attribute first, mlir::Attribute size) {
    SmallVector<Tap> own = taps;
    for (Tap &tap : own)
      for (Value *value : {&tap.index, &tap.weight, &tap.inside})
        if (*value)
          *value = ctx.slice(*value, 0, first, size);
    return pool(own, isPlace, size);
  };
  mlir::Attribute bins = number(regions.bins[0] * regions.bins[1]);
  Value pooled = inBlocks(ctx, bins, bytes(), 0, some);
  if (!regions.isMax)
    pooled = mean(pooled, sides);
  Dims shape{number(regions.bins[0]), number(regions.bins[1]), regions.count,
             regions.channels};
  pooled = pooled ? ctx.reshapeTo(pooled, typeFromDims(shape, regions.real))
                  : Value();
  return pooled ? ctx.transpose(pooled, {2, 3, 0, 1}) : Value();
}

Lowered normalize::lowerRoiAlign(NormalizeContext &ctx, const Node &node) {
  auto regions = readRegions(ctx, node);
  if (!regions)
    return mlir::failure();
  return ctx.cast(RoiPool(ctx, node, *regions).run(),
                  node.type(0).getElementType());
}
