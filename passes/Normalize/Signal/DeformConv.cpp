//===- DeformConv.cpp - convolution with taps at computed places ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file reads the pixels under each tap of each window, and multiplies them
// by the filters.
//===----------------------------------------------------------------------===//
#include "passes/Normalize/Extents.h"
#include "passes/Normalize/Signal/Sampling.h"
#include "passes/Normalize/Spatial.h"

using namespace tenon;
using namespace tenon::normalize;

namespace {
/// What a node asks for; extents of two dimensions each.
struct Deformed {
  Spatial spatial;          ///< without a kernel
  int64_t groups, parts;    ///< of channels: for filters, and for offsets
  Dims image, filter;       ///< [N, C, H, W], [O, C / groups, KH, KW]
  Dims windows;             ///< how many there are
  mlir::Type element, real; ///< of pixels; all is computed in
};

/// Places are `[N, parts, KH, KW, rows, columns]`.
class DeformedProduct {
public:
  DeformedProduct(NormalizeContext &ctx, const Node &node, const Deformed &conv)
      : ctx(ctx), node(node), conv(conv),
        image(ctx, node.operand(0), conv.real, conv.real, conv.parts) {}
  Value run();

private:
  mlir::Attribute number(int64_t value) {
    return sizeDim(node.context(), value);
  }
  Value shaped(Value value, ArrayRef<mlir::Attribute> dims) {
    return value ? ctx.reshapeTo(
                       value,
                       typeFromDims(dims, mlir::getElementTypeOrSelf(value)))
                 : Value();
  }
  Dims placeDims();
  Dims maps(int64_t each);
  Value along(int64_t axis, mlir::Attribute count, int64_t step);
  SmallVector<Tap> tapsOf(int64_t dim);
  Value pixels();

  NormalizeContext &ctx;
  const Node &node;
  const Deformed &conv;
  Sampling image;
};
} // namespace

static bool readFilter(NormalizeContext &ctx, const Node &node,
                       Deformed &conv) {
  conv.groups = node.integer("group", 1);
  conv.parts = node.integer("offset_group", 1);
  mlir::Attribute channels = conv.image[1];
  auto divides = [](int64_t part, mlir::Attribute whole) {
    return part >= 1 && part < (int64_t(1) << 31) &&
           (graph::isSymbolic(whole) || sizeOf(whole) % part == 0);
  };
  SmallVector<int64_t> kernel = node.integers("kernel_shape");
  for (auto [size, dim] :
       llvm::zip(kernel, ArrayRef(conv.filter).drop_front(2)))
    if (!graph::mayBeEqual(dim, sizeDim(node.context(), size)))
      return succeeded(ctx.unsupported("'kernel_shape' is not the filter's"));
  bool fits = divides(conv.groups, channels) && divides(conv.parts, channels) &&
              divides(conv.groups, conv.filter[0]) &&
              graph::mayBeEqual(
                  graph::affineDim(conv.filter[1], conv.groups, 0), channels);
  return fits || succeeded(ctx.unsupported(
                     "'group' or 'offset_group' does not fit the channels"));
}

/// Counts windows along dimension `i`, of which one has to fit.
static mlir::Attribute countWindows(NormalizeContext &ctx, const Deformed &conv,
                                    int64_t i) {
  int64_t stride = conv.spatial.strides[i],
          dilation = conv.spatial.dilations[i];
  mlir::Attribute room = graph::addDims(
      graph::affineDim(conv.image[2 + i], 1,
                       conv.spatial.pads[i] + conv.spatial.pads[i + 2] - 1),
      graph::affineDim(conv.filter[2 + i], -dilation, dilation));
  if (!room || (!graph::isSymbolic(room) && sizeOf(room) < 0)) {
    (void)ctx.unsupported("the kernel is larger than the padded input");
    return {};
  }
  mlir::Attribute count = graph::affineDim(room, 1, stride, stride);
  return withinRange(ctx, count, 1, int64_t(1) << 40);
}

static std::optional<Deformed> readDeformed(NormalizeContext &ctx,
                                            const Node &node) {
  auto refuse = [&](StringRef why) {
    (void)ctx.unsupported(why);
    return std::nullopt;
  };
  for (unsigned index = 0; index < 5; ++index)
    if (node.operand(index) && !ctx.hasDims(node.operand(index)))
      return std::nullopt;
  Deformed conv;
  conv.image = dimsOf(node.type(0));
  conv.filter = dimsOf(node.type(1));
  conv.element = node.type(0).getElementType();
  if (conv.image.size() != 4 || conv.filter.size() != 4 ||
      node.type(2).getRank() != 4 || !mlir::isa<mlir::FloatType>(conv.element))
    return refuse("only images of floats, [N, C, H, W], are supported");
  conv.real = computeType(conv.element);
  auto spatial = readSpatial(ctx, node, {1, 1});
  if (!spatial || !readFilter(ctx, node, conv))
    return std::nullopt;
  conv.spatial = *spatial;
  for (int64_t i = 0; i < 2; ++i)
    conv.windows.push_back(countWindows(ctx, conv, i));
  if (!conv.windows[0] || !conv.windows[1])
    return std::nullopt;
  Dims offsets = dimsOf(node.type(2));
  for (int64_t i = 0; i < 2; ++i)
    if (!graph::mayBeEqual(offsets[2 + i], conv.windows[i]))
      return refuse("there is not one offset for each window");
  return conv;
}

Dims DeformedProduct::placeDims() {
  return {conv.image[0],  number(conv.parts), conv.filter[2],
          conv.filter[3], conv.windows[0],    conv.windows[1]};
}

/// Of operands that have `each` number for each place.
Dims DeformedProduct::maps(int64_t each) {
  mlir::Attribute taps = graph::multiplyDims(conv.filter[2], conv.filter[3]);
  return {conv.image[0], graph::affineDim(taps, conv.parts * each, 0),
          conv.windows[0], conv.windows[1]};
}

/// 0, step, 2 * step... along a dimension of all places.
Value DeformedProduct::along(int64_t axis, mlir::Attribute count,
                             int64_t step) {
  Dims shape(6, number(1));
  shape[axis] = count;
  return ctx.createTyped<graph::IotaOp>(typeFromDims(shape, conv.real), axis,
                                        llvm::APFloat(0.0),
                                        llvm::APFloat(double(step)));
}

/// The pixels before and behind each place; those outside count nothing.
SmallVector<Tap> DeformedProduct::tapsOf(int64_t dim) {
  Dims pairs = placeDims();
  pairs.insert(pairs.begin() + 4, number(2));
  Value offsets = shaped(heldTo(ctx, node.operand(2), maps(2)), pairs);
  offsets = ctx.cast(offsets, conv.real);
  offsets = shaped(ctx.slice(offsets, 4, dim, 1), placeDims());
  Value first = ctx.create<graph::AddOp>(
      along(4 + dim, conv.windows[dim], conv.spatial.strides[dim]),
      along(2 + dim, conv.filter[2 + dim], conv.spatial.dilations[dim]));
  first = image.add(first, -double(conv.spatial.pads[dim]));
  Value place = ctx.create<graph::AddOp>(first, offsets);
  first = ctx.create<graph::FloorOp>(place);
  Value behind = ctx.create<graph::SubOp>(place, first);
  Value before = ctx.create<graph::SubOp>(image.number(1.0), behind);
  mlir::Attribute extent = conv.image[2 + dim];
  return {image.tapAt(first, extent, before, true),
          image.tapAt(image.add(first, 1.0), extent, behind, true)};
}

/// All places times the mask: `[N * parts * KH * ..., channels of a part]`.
Value DeformedProduct::pixels() {
  SmallVector<Tap> taps{image.numbers(6, 0, conv.image[0])};
  for (int64_t dim = 0; dim < 2; ++dim)
    taps = image.combine(taps, tapsOf(dim), conv.image[2 + dim]);
  taps = image.combine(taps, image.numbers(6, 1, number(conv.parts)),
                       number(conv.parts));
  Value sum;
  for (const Tap &tap : taps) {
    Value each = image.pixels(tap);
    sum = sum ? ctx.create<graph::AddOp>(sum, each) : each;
  }
  if (!node.operand(4) || !sum)
    return sum;
  Value mask = heldTo(ctx, node.operand(4), maps(1));
  mask = shaped(ctx.cast(mask, conv.real), placeDims());
  return ctx.create<graph::MulOp>(
      sum, shaped(mask, {dimsOf(sum).front(), number(1)}));
}

Value DeformedProduct::run() {
  Dims columns = placeDims();
  mlir::Attribute part = graph::floorDivDim(conv.image[1], conv.parts);
  columns.push_back(part);
  // [N, parts, KH, KW, rows, columns, C / parts] to [N, C, KH, KW, windows]
  Value moved = ctx.transpose(shaped(pixels(), columns), {0, 1, 6, 2, 3, 4, 5});
  mlir::Attribute taps = graph::multiplyDims(conv.filter[2], conv.filter[3]);
  mlir::Attribute depth =
      graph::multiplyDims(graph::floorDivDim(conv.image[1], conv.groups), taps);
  mlir::Attribute windows =
      graph::multiplyDims(conv.windows[0], conv.windows[1]);
  mlir::Attribute filters = graph::floorDivDim(conv.filter[0], conv.groups);
  mlir::Attribute groups = number(conv.groups), one = number(1);
  moved = shaped(moved, {conv.image[0], groups, depth, windows});
  Dims filterDims = conv.filter;
  filterDims[1] = graph::floorDivDim(conv.image[1], conv.groups);
  Value filter = heldTo(ctx, node.operand(1), filterDims);
  filter = shaped(ctx.cast(filter, conv.real), {one, groups, filters, depth});
  Value maps = ctx.create<graph::MatmulOp>(filter, moved, false, false);
  maps = shaped(
      maps, {conv.image[0], conv.filter[0], conv.windows[0], conv.windows[1]});
  if (!node.operand(3))
    return maps;
  Value bias = shaped(ctx.cast(node.operand(3), conv.real),
                      {one, conv.filter[0], one, one});
  return ctx.create<graph::AddOp>(maps, bias);
}

Lowered normalize::lowerDeformConv(NormalizeContext &ctx, const Node &node) {
  auto conv = readDeformed(ctx, node);
  if (!conv)
    return mlir::failure();
  return ctx.cast(DeformedProduct(ctx, node, *conv).run(), conv->element);
}
