//===- Resize.cpp - interpolation -----------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file derives scales from sizes or sizes from scales, for all dimensions.
// What only the run knows of them is left to ResizeAxis.h.
//===----------------------------------------------------------------------===//
#include "passes/Normalize/Extents.h"
#include "passes/Normalize/Movement/Movement.h"
#include "passes/Normalize/Movement/ResizeAxis.h"
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

  /// Where data say them, per dimension; null: as above. Scales are of f32,
  /// regions of f64.
  SmallVector<Value> scaleData, starts, ends;

  /// How much of dimension `axis` is resized: all without a region.
  float share(int64_t axis) const {
    return roi.empty() ? 1.0f : roi[axis + sizes.size()] - roi[axis];
  }
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

/// Operand `index`, a list of `count` numbers; null after a refusal.
static Value listOf(NormalizeContext &ctx, const Node &node, unsigned index,
                    int64_t count, StringRef name) {
  Dims length = dimsOf(node.type(index));
  if (length.size() == 1 &&
      (graph::isSymbolic(length[0]) || sizeOf(length[0]) == count))
    return ctx.reshape(node.operand(index), {count});
  (void)ctx.unsupported("'" + name + "' does not fit");
  return {};
}

/// A region that data say.
static bool readOpenRoi(NormalizeContext &ctx, const Node &node,
                        Target &target) {
  auto count = int64_t(target.axes.size());
  Value list =
      node.operand(1) ? listOf(ctx, node, 1, 2 * count, "roi") : Value();
  if (!list)
    return succeeded(ctx.unsupported("'roi' is missing"));
  auto scalar = [&](int64_t place) {
    return ctx.reshape(
        ctx.cast(elementAt(ctx, list, place), ctx.builder().getF64Type()), {});
  };
  for (auto [index, axis] : llvm::enumerate(target.axes)) {
    target.starts[axis] = scalar(int64_t(index));
    target.ends[axis] = scalar(int64_t(index) + count);
  }
  return true;
}

/// The region matters in one mode only; elsewhere models carry arbitrary junk.
static bool readRoi(NormalizeContext &ctx, const Node &node, Target &target) {
  int64_t rank = node.type(0).getRank();
  if (node.string("coordinate_transformation_mode", "") != "tf_crop_and_resize")
    return true;
  target.roi.assign(2 * rank, 0.0f);
  std::fill(target.roi.begin() + rank, target.roi.end(), 1.0f);
  auto roi = ctx.constantReals(node.operand(1));
  if (!roi)
    return readOpenRoi(ctx, node, target);
  if (roi->size() != 2 * target.axes.size())
    return succeeded(ctx.unsupported("'roi' does not fit"));
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

/// The size that a scale, of f32, gives: ONNX multiplies in single precision.
static mlir::Attribute scaledByData(NormalizeContext &ctx, const Target &target,
                                    int64_t axis, Value scale) {
  mlir::Type f32 = ctx.builder().getF32Type();
  Value size = ctx.cast(numberOf(ctx, target.dims[axis]), f32);
  if (target.starts[axis]) {
    Value part =
        ctx.create<graph::SubOp>(target.ends[axis], target.starts[axis]);
    size = ctx.create<graph::MulOp>(size, ctx.cast(part, f32));
  } else if (target.share(axis) != 1.0f) {
    size = ctx.create<graph::MulOp>(size, ctx.scalar(target.share(axis), f32));
  }
  size = ctx.create<graph::FloorOp>(ctx.create<graph::MulOp>(size, scale));
  auto dims = extents(
      ctx, ctx.reshape(ctx.cast(size, ctx.builder().getI64Type()), {1}));
  return dims ? dims->front() : mlir::Attribute();
}

static bool fromScales(NormalizeContext &ctx, const Node &node,
                       ArrayRef<double> scales, Target &target) {
  if (scales.size() != target.axes.size())
    return succeeded(ctx.unsupported("'scales' does not fit"));
  for (auto [scale, axis] : llvm::zip(scales, target.axes)) {
    if (!(scale > 0.0))
      return succeeded(ctx.unsupported("a scale is out of range"));
    target.scales[axis] = float(scale);
    bool isOpen = graph::isSymbolic(target.dims[axis]);
    if (isOpen || target.starts[axis]) {
      mlir::Attribute size = isOpen && target.roi.empty()
                                 ? scaledDim(target.dims[axis], float(scale))
                                 : mlir::Attribute();
      mlir::Type f32 = ctx.builder().getF32Type();
      target.dims[axis] =
          size ? size : scaledByData(ctx, target, axis, ctx.scalar(scale, f32));
      if (!target.dims[axis])
        return false;
      continue;
    }
    float size = float(target.sizes[axis]) * target.share(axis) * float(scale);
    if (!(size >= 1.0f) || size > 0x1p31f)
      return succeeded(ctx.unsupported("a scale is out of range"));
    target.sizes[axis] = int64_t(std::floor(size));
    target.dims[axis] = sizeDim(node.context(), target.sizes[axis]);
  }
  return true;
}

static bool fromComputedScales(NormalizeContext &ctx, const Node &node,
                               Target &target) {
  Value scales = listOf(ctx, node, 2, int64_t(target.axes.size()), "scales");
  if (!scales)
    return false;
  for (auto [index, axis] : llvm::enumerate(target.axes)) {
    Value scale = elementAt(ctx, scales, int64_t(index));
    auto known = ctx.constantReals(scale);
    if (known && known->front() == 1.0)
      continue;
    scale = ctx.reshape(ctx.cast(scale, ctx.builder().getF32Type()), {});
    mlir::Attribute size = scaledByData(ctx, target, axis, scale);
    if (!size)
      return false;
    target.dims[axis] = size;
    target.scaleData[axis] = scale;
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

/// keep_aspect_ratio_policy where the run knows sizes.
static bool keepOpenAspect(NormalizeContext &ctx, bool larger,
                           const Dims &wanted, Target &target) {
  mlir::Type f32 = ctx.builder().getF32Type();
  auto real = [&](mlir::Attribute dim) {
    return ctx.reshape(ctx.cast(numberOf(ctx, dim), f32), {});
  };
  Value scale;
  for (auto [size, axis] : llvm::zip(wanted, target.axes)) {
    Value own = ctx.create<graph::DivOp>(real(size), real(target.dims[axis]));
    scale = !scale   ? own
            : larger ? ctx.create<graph::MaxOp>(scale, own)
                     : ctx.create<graph::MinOp>(scale, own);
  }
  for (int64_t axis : target.axes) {
    Value exact = ctx.create<graph::MulOp>(scale, real(target.dims[axis]));
    Value size = ctx.create<graph::FloorOp>(
        ctx.create<graph::AddOp>(exact, ctx.scalar(0.5, f32)));
    auto dims = extents(
        ctx, ctx.reshape(ctx.cast(size, ctx.builder().getI64Type()), {1}));
    if (!dims)
      return false;
    target.dims[axis] = dims->front();
    target.scaleData[axis] = scale;
  }
  return true;
}

static bool fromSizes(NormalizeContext &ctx, const Node &node,
                      const Dims &wanted, Target &target) {
  if (wanted.size() != target.axes.size())
    return succeeded(ctx.unsupported("'sizes' does not fit"));
  StringRef policy = node.string("keep_aspect_ratio_policy", "stretch");
  if (policy == "not_larger" || policy == "not_smaller")
    return keepOpenAspect(ctx, policy == "not_smaller", wanted, target);
  if (policy != "stretch")
    return succeeded(ctx.unsupported("unknown keep_aspect_ratio_policy"));
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
  target.scales.assign(type.getRank(), 1.0f);
  target.sizes.assign(type.getShape().begin(), type.getShape().end());
  target.dims = dimsOf(type);
  for (SmallVector<Value> *list :
       {&target.scaleData, &target.starts, &target.ends})
    list->assign(type.getRank(), Value());
  if (!readAxes(ctx, node, target) || !readRoi(ctx, node, target))
    return std::nullopt;
  if (llvm::is_contained(target.sizes, 0)) {
    (void)ctx.unsupported("the input is empty");
    return std::nullopt;
  }
  // An empty tensor counts as absent, as older models write it.
  auto isGiven = [&](unsigned index) {
    return node.operand(index) && (!node.type(index).hasStaticShape() ||
                                   node.type(index).getNumElements() > 0);
  };
  if (!ctx.hasDims(node.operand(0)))
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

/// Whether each element would be a sum of more terms than one kernel has.
static bool hasManyTerms(const Target &target, const Dims &in,
                         const ResizeRule &rule) {
  if (rule.mode == graph::ResizeMode::Nearest)
    return false;
  size_t resized = 0;
  for (int64_t axis : target.axes)
    resized += in[axis] != target.dims[axis] || target.scales[axis] != 1.0f;
  return resized > (rule.mode == graph::ResizeMode::Cubic ? 3 : 6);
}

/// Whether `graph.resize`, which is told numbers, could not say it.
static bool needsAxes(const Target &target, const Dims &in,
                      const ResizeRule &rule) {
  auto isGiven = [](Value value) { return bool(value); };
  if (llvm::any_of(target.scaleData, isGiven) ||
      llvm::any_of(target.starts, isGiven) || hasManyTerms(target, in, rule))
    return true;
  bool isOpen = llvm::any_of(in, graph::isSymbolic) ||
                llvm::any_of(target.dims, graph::isSymbolic);
  if (!isOpen)
    return false;
  auto isWide = [](float scale) { return !(scale > 1.0f / 32); };
  return !target.roi.empty() ||
         (rule.antialias && llvm::any_of(target.scales, isWide));
}

/// The axis, in numbers of the graph where they are known now.
static ResizedAxis axisOf(NormalizeContext &ctx, const Target &target,
                          const Dims &in, int64_t axis) {
  mlir::Type f64 = ctx.builder().getF64Type(), f32 = ctx.builder().getF32Type();
  ResizedAxis result{axis,
                     in[axis],
                     target.dims[axis],
                     {},
                     target.starts[axis],
                     target.ends[axis]};
  if (!target.roi.empty() && !result.start) {
    result.start = ctx.scalar(target.roi[axis], f64);
    result.end = ctx.scalar(target.roi[axis + in.size()], f64);
  }
  Value scale = target.scaleData[axis];
  if (!scale && target.scales[axis] > 0)
    scale = ctx.scalar(target.scales[axis], f32);
  if (!scale)
    return result;
  // Scales are rounded to f32; the exact ratio of the extents is meant.
  auto real = [&](mlir::Attribute dim) {
    return ctx.reshape(ctx.cast(numberOf(ctx, dim), f64), {});
  };
  Value ratio = ctx.create<graph::DivOp>(real(result.out), real(result.in));
  Value isRatio = ctx.create<graph::EqualOp>(ctx.cast(ratio, f32), scale);
  result.scale =
      ctx.create<graph::SelectOp>(isRatio, ratio, ctx.cast(scale, f64));
  return result;
}

/// One dimension after the other.
static Lowered resizeAxes(NormalizeContext &ctx, const Node &node,
                          const Target &target, const ResizeRule &rule) {
  Dims in = dimsOf(node.type(0));
  mlir::Type element = node.type(0).getElementType();
  bool isNearest = rule.mode == graph::ResizeMode::Nearest;
  Value value = node.operand(0);
  if (!isNearest)
    value = ctx.cast(value, ctx.builder().getF64Type());
  for (int64_t axis : target.axes) {
    bool isKept = in[axis] == target.dims[axis] && target.roi.empty() &&
                  !target.scaleData[axis] && target.scales[axis] == 1.0f;
    if (!isKept)
      value = resizeAxis(ctx, value, axisOf(ctx, target, in, axis), rule);
  }
  if (!isNearest && !mlir::isa<mlir::FloatType>(element))
    value = ctx.create<graph::RoundOp>(value);
  value = ctx.cast(value, element);
  return value ? Lowered(value) : Lowered(mlir::failure());
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
  ResizeRule rule{*mode,
                  *coordinates,
                  *nearest,
                  node.real("cubic_coeff_a", -0.75f),
                  node.real("extrapolation_value", 0.0f),
                  node.flag("exclude_outside", false),
                  node.flag("antialias", false)};
  if (needsAxes(*target, dimsOf(node.type(0)), rule))
    return resizeAxes(ctx, node, *target, rule);
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
