//===- OpenFilter.cpp - convolutions with filters of any size -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/Normalize/Contraction/OpenFilter.h"

#include "dialects/Graph/DerivedDims.h"
#include "passes/Normalize/Spatial.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::normalize;

namespace {
/// One spatial dimension: `begin` is what the first window leaves out, or what
/// a transposed convolution leaves out of the result.
struct Axis {
  Attribute in, out, kernel, begin;
  int64_t stride = 1, dilation = 1;
};

/// One convolution.
class OpenConv {
public:
  OpenConv(NormalizeContext &ctx, const Node &node, Value input, Value filter,
           bool isTransposed)
      : ctx(ctx), node(node), input(input), filter(filter),
        isTransposed(isTransposed), group(node.integer("group", 1)) {}

  Value build();

private:
  bool read();
  bool readTransposed(const Spatial &spatial);
  void slide(const Spatial &spatial, StringRef mode);
  Attribute number(int64_t size) { return sizeDim(node.context(), size); }
  Value unfold(Value x, int64_t dim, const Axis &axis);
  Value windows();
  Value weights();
  Value results(Value product);

  NormalizeContext &ctx;
  const Node &node;
  Value input, filter;
  bool isTransposed;
  int64_t group;
  SmallVector<Axis> axes;
  Attribute inEach, outEach; ///< channels of a group
};
} // namespace

bool normalize::hasOpenExtents(const Node &node, unsigned index) {
  return llvm::any_of(dimsOf(node.type(index)), [](Attribute dim) {
    return dim && graph::isSymbolic(dim);
  });
}

//===-- Reading -----------------------------------------------------------===//

static Attribute spanOf(Attribute kernel, int64_t dilation) {
  return graph::affineDim(kernel, dilation, 1 - dilation);
}

/// Pads and extents of windows that slide over the input.
void OpenConv::slide(const Spatial &spatial, StringRef mode) {
  bool same = mode == "SAME_UPPER" || mode == "SAME_LOWER";
  for (auto [i, axis] : llvm::enumerate(axes)) {
    Attribute span = spanOf(axis.kernel, axis.dilation);
    int64_t begin = spatial.pads[i], end = spatial.pads[i + axes.size()];
    axis.begin = number(begin);
    if (!same) {
      Attribute room =
          graph::subtractDims(graph::affineDim(axis.in, 1, begin + end), span);
      axis.out = graph::affineDim(room, 1, axis.stride, axis.stride);
      continue;
    }
    axis.out = graph::affineDim(axis.in, 1, axis.stride - 1, axis.stride);
    Attribute reach = graph::addDims(
        graph::affineDim(axis.out, axis.stride, -axis.stride), span);
    axis.begin =
        paddingBefore(graph::positivePart(graph::subtractDims(reach, axis.in)),
                      mode == "SAME_UPPER");
  }
}

bool OpenConv::readTransposed(const Spatial &spatial) {
  SmallVector<int64_t> more = node.integers("output_padding");
  SmallVector<int64_t> wanted = node.integers("output_shape");
  StringRef mode = node.string("auto_pad", "NOTSET");
  bool upper = mode == "SAME_UPPER", same = upper || mode == "SAME_LOWER";
  if (more.empty())
    more.assign(axes.size(), 0);
  if (wanted.size() > axes.size()) // some exporters repeat N and C
    wanted.erase(wanted.begin(), wanted.end() - axes.size());
  if (more.size() != axes.size() ||
      (!wanted.empty() && wanted.size() != axes.size()))
    return succeeded(
        ctx.unsupported("output_padding or output_shape does not fit"));
  for (auto [i, axis] : llvm::enumerate(axes)) {
    int64_t begin = spatial.pads[i], end = spatial.pads[i + axes.size()];
    Attribute whole = graph::addDims(
        graph::affineDim(axis.in, axis.stride, more[i] - axis.stride),
        spanOf(axis.kernel, axis.dilation));
    axis.begin = number(begin);
    axis.out = graph::affineDim(whole, 1, -begin - end);
    if (wanted.empty() && !same)
      continue;
    axis.out = wanted.empty() ? graph::affineDim(axis.in, axis.stride, 0)
                              : number(wanted[i]);
    axis.begin = paddingBefore(
        graph::positivePart(graph::subtractDims(whole, axis.out)), upper);
  }
  return true;
}

bool OpenConv::read() {
  Dims in = dimsOf(input), of = dimsOf(filter);
  if (!ctx.hasDims(input) || !ctx.hasDims(filter))
    return false;
  if (of.size() < 3 || of.size() > 5)
    return succeeded(
        ctx.unsupported("only 1 to 3 spatial dimensions are supported"));
  SmallVector<int64_t> ones(of.size() - 2, 1);
  auto spatial = readSpatial(ctx, node, ones);
  if (!spatial || group < 1)
    return false;
  for (size_t i = 0; i < ones.size(); ++i)
    axes.push_back({in[i + 2],
                    {},
                    of[i + 2],
                    {},
                    spatial->strides[i],
                    spatial->dilations[i]});
  inEach = isTransposed ? graph::floorDivDim(of[0], group) : of[1];
  outEach = isTransposed ? of[1] : graph::floorDivDim(of[0], group);
  if (isTransposed)
    return readTransposed(*spatial);
  slide(*spatial, node.string("auto_pad", "NOTSET"));
  return true;
}

//===-- Windows -----------------------------------------------------------===//

/// `count` numbers along dimension `dim` of two.
static Value along(NormalizeContext &ctx, int64_t dim, Attribute count,
                   int64_t step) {
  Dims dims(2, sizeDim(count.getContext(), 1));
  dims[dim] = count;
  Value index = ctx.indices(dims, dim);
  return ctx.create<graph::MulOp>(index, ctx.scalarLike(double(step), index));
}

/// Dimension `dim` as places by taps: what each tap reads, zero where that is
/// outside.
Value OpenConv::unfold(Value x, int64_t dim, const Axis &axis) {
  auto scalar = [&](Attribute size) {
    return ctx.sizes(size,
                     RankedTensorType::get({}, ctx.builder().getI64Type()));
  };
  Value place = along(ctx, 0, axis.out, isTransposed ? 1 : axis.stride);
  Value tap = along(ctx, 1, axis.kernel, axis.dilation);
  Value begin = scalar(axis.begin);
  Value at = isTransposed ? ctx.create<graph::SubOp>(
                                ctx.create<graph::AddOp>(place, begin), tap)
                          : ctx.create<graph::SubOp>(
                                ctx.create<graph::AddOp>(place, tap), begin);
  Value zero = ctx.scalarLike(0.0, at);
  Value exists = ctx.create<graph::GreaterEqualOp>(at, zero);
  if (isTransposed && axis.stride > 1) {
    Value stride = ctx.scalarLike(double(axis.stride), at);
    Value number = ctx.create<graph::DivOp>(at, stride);
    Value isWhole = ctx.create<graph::EqualOp>(
        ctx.create<graph::MulOp>(number, stride), at);
    exists = ctx.create<graph::AndOp>(exists, isWhole);
    at = number;
  }
  exists = ctx.create<graph::AndOp>(
      exists, ctx.create<graph::LessOp>(at, scalar(axis.in)));
  Value index = ctx.create<graph::SelectOp>(exists, at, zero);
  Value read = ctx.create<graph::GatherOp>(x, index, dim);
  if (!read)
    return {};
  Dims shape(dimsOf(read).size(), number(1));
  shape[dim] = axis.out;
  shape[dim + 1] = axis.kernel;
  exists = ctx.reshapeTo(
      exists, typeFromDims(shape, mlir::getElementTypeOrSelf(exists)));
  return ctx.create<graph::SelectOp>(exists, read, ctx.scalarLike(0.0, read));
}

/// [group, N * places, channels * taps]
Value OpenConv::windows() {
  Dims dims = dimsOf(input);
  Attribute images = dims[0];
  dims[1] = number(group);
  dims.insert(dims.begin() + 2, inEach);
  Type element = mlir::getElementTypeOrSelf(input);
  Value x = ctx.reshapeTo(input, typeFromDims(dims, element));
  for (size_t i = axes.size(); i-- > 0;)
    x = unfold(x, int64_t(i) + 3, axes[i]);
  // [N, group, channels, place, taps, place, taps...]
  SmallVector<int64_t> order{1, 0}, taps{2};
  Attribute rows = images, columns = inEach;
  for (auto [i, axis] : llvm::enumerate(axes)) {
    order.push_back(3 + 2 * int64_t(i));
    taps.push_back(4 + 2 * int64_t(i));
    rows = graph::multiplyDims(rows, axis.out);
    columns = graph::multiplyDims(columns, axis.kernel);
  }
  order.append(taps);
  return ctx.reshapeTo(ctx.transpose(x, order),
                       typeFromDims({number(group), rows, columns}, element));
}

/// [group, channels * taps, results]
Value OpenConv::weights() {
  Dims dims{number(group), isTransposed ? inEach : outEach,
            isTransposed ? outEach : inEach};
  Attribute steps = inEach;
  SmallVector<int64_t> order{0, isTransposed ? 1 : 2};
  for (auto [i, axis] : llvm::enumerate(axes)) {
    dims.push_back(axis.kernel);
    order.push_back(3 + int64_t(i));
    steps = graph::multiplyDims(steps, axis.kernel);
  }
  order.push_back(isTransposed ? 2 : 1);
  Type element = mlir::getElementTypeOrSelf(filter);
  Value split = ctx.reshapeTo(filter, typeFromDims(dims, element));
  return ctx.reshapeTo(ctx.transpose(split, order),
                       typeFromDims({number(group), steps, outEach}, element));
}

/// [group, N * places, results] to [N, group * results, places...]
Value OpenConv::results(Value product) {
  if (!product)
    return {};
  Dims split{number(group), dimsOf(input)[0]}, whole{dimsOf(input)[0]};
  SmallVector<int64_t> order{1, 0, int64_t(axes.size()) + 2};
  whole.push_back(graph::affineDim(outEach, group, 0));
  for (auto [i, axis] : llvm::enumerate(axes)) {
    split.push_back(axis.out);
    whole.push_back(axis.out);
    order.push_back(2 + int64_t(i));
  }
  split.push_back(outEach);
  Type element = mlir::getElementTypeOrSelf(product);
  Value parts = ctx.reshapeTo(product, typeFromDims(split, element));
  return ctx.reshapeTo(ctx.transpose(parts, order),
                       typeFromDims(whole, element));
}

Value OpenConv::build() {
  if (!input || !filter || !read())
    return {};
  return results(
      ctx.create<graph::MatmulOp>(windows(), weights(), false, false));
}

Value normalize::convolveOpen(NormalizeContext &ctx, const Node &node,
                              Value input, Value filter) {
  return OpenConv(ctx, node, input, filter, /*isTransposed=*/false).build();
}

Value normalize::convolveOpenTransposed(NormalizeContext &ctx, const Node &node,
                                        Value input, Value filter) {
  return OpenConv(ctx, node, input, filter, /*isTransposed=*/true).build();
}
