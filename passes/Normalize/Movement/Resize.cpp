//===- Resize.cpp - interpolation -----------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file derives scales from sizes or sizes from scales, for all dimensions.
//===----------------------------------------------------------------------===//
#include "passes/Normalize/Extents.h"
#include "passes/Normalize/Movement/Movement.h"
#include "llvm/ADT/StringSwitch.h"

#include <cmath>

using namespace tenon;
using namespace tenon::normalize;

namespace {
/// Scale, size and region of interest of every dimension.
struct Target {
  SmallVector<int64_t> axes;
  SmallVector<float> scales;
  SmallVector<int64_t> sizes; ///< kDynamic for symbols
  Dims dims;                  ///< the same as dimensions
  SmallVector<float> roi;     ///< starts, then ends
};
} // namespace

static std::optional<graph::CoordinateMode> coordinateMode(StringRef name) {
  using graph::CoordinateMode;
  return llvm::StringSwitch<std::optional<CoordinateMode>>(name)
      .Case("half_pixel", CoordinateMode::HalfPixel)
      .Case("half_pixel_symmetric", CoordinateMode::HalfPixelSymmetric)
      .Case("pytorch_half_pixel", CoordinateMode::PytorchHalfPixel)
      .Case("align_corners", CoordinateMode::AlignCorners)
      .Case("asymmetric", CoordinateMode::Asymmetric)
      .Case("tf_crop_and_resize", CoordinateMode::TfCropAndResize)
      .Default(std::nullopt);
}

static std::optional<graph::ResizeMode> resizeMode(StringRef name) {
  return llvm::StringSwitch<std::optional<graph::ResizeMode>>(name)
      .Case("nearest", graph::ResizeMode::Nearest)
      .Case("linear", graph::ResizeMode::Linear)
      .Case("cubic", graph::ResizeMode::Cubic)
      .Default(std::nullopt);
}

static std::optional<graph::NearestMode> nearestMode(StringRef name) {
  using graph::NearestMode;
  return llvm::StringSwitch<std::optional<NearestMode>>(name)
      .Case("round_prefer_floor", NearestMode::RoundPreferFloor)
      .Case("round_prefer_ceil", NearestMode::RoundPreferCeil)
      .Case("floor", NearestMode::Floor)
      .Case("ceil", NearestMode::Ceil)
      .Default(std::nullopt);
}

static bool readAxes(NormalizeContext &ctx, const Node &node, Target &target) {
  int64_t rank = node.type(0).getRank();
  target.axes = node.has("axes") ? node.integers("axes") : range(0, rank);
  SmallVector<bool> seen(rank);
  for (int64_t &axis : target.axes) {
    auto checked = ctx.axis(axis, rank);
    if (!checked)
      return false;
    axis = *checked;
    if (seen[axis])
      return succeeded(ctx.unsupported("an axis is named twice"));
    seen[axis] = true;
  }
  return true;
}

/// The region matters in one mode only; elsewhere models carry arbitrary junk.
static bool readRoi(NormalizeContext &ctx, const Node &node, Target &target) {
  int64_t rank = node.type(0).getRank();
  if (node.string("coordinate_transformation_mode", "") != "tf_crop_and_resize")
    return true;
  auto roi = ctx.constantReals(node.operand(1));
  if (!roi || roi->size() != 2 * target.axes.size())
    return succeeded(ctx.unsupported("'roi' is unknown or does not fit"));
  target.roi.assign(2 * rank, 0.0f);
  std::fill(target.roi.begin() + rank, target.roi.end(), 1.0f);
  for (auto [index, axis] : llvm::enumerate(target.axes)) {
    target.roi[axis] = float((*roi)[index]);
    target.roi[axis + rank] = float((*roi)[index + target.axes.size()]);
  }
  return true;
}

/// A symbol times a scale, rounded down, where that is a small number over a
/// power of two: then products in single precision are exact.
static mlir::Attribute scaledDim(mlir::Attribute dim, float scale) {
  constexpr int64_t most = 1 << 10;
  for (int64_t divisor = 1; divisor <= most; divisor *= 2) {
    float factor = scale * float(divisor);
    if (factor >= 1.0f && factor <= float(most) && factor == std::floor(factor))
      return graph::affineDim(dim, int64_t(factor), 0, divisor);
  }
  return {};
}

static bool fromScales(NormalizeContext &ctx, const Node &node,
                       ArrayRef<double> scales, Target &target) {
  int64_t rank = node.type(0).getRank();
  if (scales.size() != target.axes.size())
    return succeeded(ctx.unsupported("'scales' does not fit"));
  for (auto [scale, axis] : llvm::zip(scales, target.axes)) {
    if (graph::isSymbolic(target.dims[axis])) {
      target.scales[axis] = float(scale);
      target.dims[axis] = scaledDim(target.dims[axis], float(scale));
      if (!target.dims[axis])
        return succeeded(ctx.unsupported(kUnknownShape));
      continue;
    }
    double share =
        target.roi.empty() ? 1.0 : target.roi[axis + rank] - target.roi[axis];
    // ONNX multiplies in single precision.
    float size = float(target.sizes[axis]) * float(share) * float(scale);
    if (!(scale > 0.0) || !(size >= 1.0f) || size > 0x1p31f)
      return succeeded(ctx.unsupported("a scale is out of range"));
    target.scales[axis] = float(scale);
    target.sizes[axis] = int64_t(std::floor(size));
    target.dims[axis] = sizeDim(node.context(), target.sizes[axis]);
  }
  return true;
}

/// Element `place` of a vector of floats, from where it is put together.
static Value elementAt(NormalizeContext &ctx, Value vector, int64_t place) {
  if (auto parts = vector.getDefiningOp<graph::ConcatOp>())
    for (Value part : parts.getInputs()) {
      auto type = mlir::cast<RankedTensorType>(part.getType());
      if (!type.hasStaticShape())
        break;
      if (place < type.getDimSize(0))
        return elementAt(ctx, part, place);
      place -= type.getDimSize(0);
    }
  return ctx.slice(vector, 0, place, 1);
}

/// The size that a computed scale gives. Coordinates are computed with the
/// ratio of the sizes, so the run refuses scales that are less than that.
static mlir::Attribute scaledByData(NormalizeContext &ctx, mlir::Attribute in,
                                    Value scale) {
  mlir::Type f32 = ctx.builder().getF32Type();
  Value exact =
      ctx.create<graph::MulOp>(ctx.cast(numberOf(ctx, in), f32), scale);
  Value whole = ctx.create<graph::FloorOp>(exact);
  Value lost = ctx.create<graph::SubOp>(exact, whole);
  // A thousandth of a pixel at the far end.
  Value fits = ctx.create<graph::LessEqualOp>(
      lost, ctx.create<graph::MulOp>(scale, ctx.scalarLike(1e-3, scale)));
  Value size = ctx.create<graph::SelectOp>(
      fits, ctx.cast(whole, ctx.builder().getI64Type()),
      numberOf(ctx, int64_t(-1)));
  auto dims = extents(ctx, size);
  return dims ? dims->front() : mlir::Attribute();
}

static bool fromComputedScales(NormalizeContext &ctx, const Node &node,
                               Target &target) {
  if (node.type(2).getShape() != ArrayRef<int64_t>{int64_t(target.axes.size())})
    return succeeded(ctx.unsupported("'scales' does not fit"));
  for (auto [index, axis] : llvm::enumerate(target.axes)) {
    Value scale = elementAt(ctx, node.operand(2), int64_t(index));
    auto known = ctx.constantReals(scale);
    if (known && known->front() == 1.0)
      continue;
    mlir::Attribute in = target.dims[axis];
    target.dims[axis] = scaledByData(ctx, in, scale);
    if (!target.dims[axis])
      return false;
    target.scales[axis] = 0.0f;
  }
  return true;
}

/// out / in; 0 where only the run knows.
static float scaleOf(mlir::Attribute in, mlir::Attribute out) {
  if (!graph::isSymbolic(in) && !graph::isSymbolic(out))
    return float(sizeOf(out)) / float(sizeOf(in));
  mlir::Attribute ratio = graph::divideDims(out, in);
  return ratio && !graph::isSymbolic(ratio) ? float(sizeOf(ratio)) : 0.0f;
}

static bool fromSizes(NormalizeContext &ctx, const Node &node,
                      const Dims &wanted, Target &target) {
  bool keeps = node.string("keep_aspect_ratio_policy", "stretch") != "stretch";
  if (wanted.size() != target.axes.size() || keeps)
    return succeeded(
        ctx.unsupported(keeps ? kUnknownShape : "'sizes' does not fit"));
  for (auto [size, axis] : llvm::zip(wanted, target.axes)) {
    mlir::Attribute one = sizeDim(node.context(), 1);
    if (size != target.dims[axis] && failed(ctx.demandAtLeast(size, one)))
      return false;
    target.scales[axis] = scaleOf(target.dims[axis], size);
    target.dims[axis] = size;
  }
  return true;
}

/// Sizes with keep_aspect_ratio_policy: one scale for all axes, the smallest
/// (or largest) of those that the sizes ask for.
static void keepAspect(bool larger, ArrayRef<int64_t> wanted, Target &target) {
  float scale = 0.0f;
  for (auto [index, axis] : llvm::enumerate(target.axes)) {
    float own = float(wanted[index]) / float(target.sizes[axis]);
    scale = index == 0 ? own
            : larger   ? std::max(scale, own)
                       : std::min(scale, own);
  }
  for (int64_t axis : target.axes) {
    target.scales[axis] = scale;
    float exact = scale * float(target.sizes[axis]);
    target.sizes[axis] = int64_t(std::floor(exact + 0.5f));
  }
}

static bool fromSizes(NormalizeContext &ctx, const Node &node,
                      ArrayRef<int64_t> wanted, Target &target) {
  auto isBad = [](int64_t size) { return size < 1 || size > INT32_MAX; };
  if (wanted.size() != target.axes.size() || llvm::any_of(wanted, isBad))
    return succeeded(ctx.unsupported("'sizes' does not fit"));
  StringRef policy = node.string("keep_aspect_ratio_policy", "stretch");
  if (policy == "not_larger" || policy == "not_smaller") {
    keepAspect(policy == "not_smaller", wanted, target);
    return true;
  }
  if (policy != "stretch")
    return succeeded(ctx.unsupported("unknown keep_aspect_ratio_policy"));
  for (auto [size, axis] : llvm::zip(wanted, target.axes)) {
    target.scales[axis] = float(size) / float(target.sizes[axis]);
    target.sizes[axis] = size;
  }
  return true;
}

static bool readSizes(NormalizeContext &ctx, const Node &node, Target &target) {
  auto sizes = ctx.contents(node.operand(3));
  if (!sizes)
    sizes = sizesOf(ctx, node.operand(3), "sizes");
  if (!sizes)
    return false;
  if (llvm::any_of(*sizes, graph::isSymbolic) ||
      llvm::any_of(target.dims, graph::isSymbolic))
    return fromSizes(ctx, node, *sizes, target);
  auto numbers = llvm::map_to_vector(*sizes, sizeOf);
  bool read = fromSizes(ctx, node, ArrayRef<int64_t>(numbers), target);
  for (auto [dim, size] : llvm::zip(target.dims, target.sizes))
    dim = sizeDim(node.context(), size);
  return read;
}

static std::optional<Target> readTarget(NormalizeContext &ctx,
                                        const Node &node) {
  Target target;
  RankedTensorType type = node.type(0);
  if (!readAxes(ctx, node, target) || !readRoi(ctx, node, target))
    return std::nullopt;
  target.scales.assign(type.getRank(), 1.0f);
  target.sizes.assign(type.getShape().begin(), type.getShape().end());
  target.dims = dimsOf(type);
  if (llvm::is_contained(target.sizes, 0)) {
    (void)ctx.unsupported("the input is empty");
    return std::nullopt;
  }
  // An empty tensor counts as absent, as older models write it.
  auto isGiven = [&](unsigned index) {
    return node.operand(index) && (!node.type(index).hasStaticShape() ||
                                   node.type(index).getNumElements() > 0);
  };
  bool needsSizes =
      !target.roi.empty() || llvm::is_contained(target.dims, mlir::Attribute());
  if (needsSizes && !ctx.isStatic(node.operand(0)))
    return std::nullopt;
  bool read = false;
  if (isGiven(3)) {
    read = readSizes(ctx, node, target);
  } else if (isGiven(2)) {
    if (auto scales = ctx.constantReals(node.operand(2)))
      read = fromScales(ctx, node, *scales, target);
    else
      read = fromComputedScales(ctx, node, target);
  }
  if (!read)
    (void)ctx.unsupported(kUnknownShape);
  return read ? std::optional(target) : std::nullopt;
}

Lowered normalize::lowerResize(NormalizeContext &ctx, const Node &node) {
  auto coordinates = coordinateMode(
      node.string("coordinate_transformation_mode", "half_pixel"));
  auto mode = resizeMode(node.string("mode", "nearest"));
  auto nearest = nearestMode(node.string("nearest_mode", "round_prefer_floor"));
  if (!coordinates || !mode || !nearest)
    return ctx.unsupported("unknown mode");
  auto target = readTarget(ctx, node);
  if (!target)
    return mlir::failure();
  bool isSame = target->dims == dimsOf(node.type(0)) &&
                llvm::all_of(target->scales, [](float s) { return s == 1.0f; });
  if (isSame && target->roi.empty())
    return node.operand(0);
  return ctx.createTyped<graph::ResizeOp>(
      typeFromDims(target->dims, node.type(0).getElementType()),
      node.operand(0), target->scales, *mode, *coordinates, *nearest,
      llvm::APFloat(node.real("cubic_coeff_a", -0.75f)),
      node.flag("exclude_outside", false),
      llvm::APFloat(node.real("extrapolation_value", 0.0f)),
      node.flag("antialias", false), target->roi);
}
