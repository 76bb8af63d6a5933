//===- Spatial.cpp - attributes of convolutions and windows ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file follows the formulas of ONNX's Conv, MaxPool and AveragePool.
//===----------------------------------------------------------------------===//
#include "passes/Normalize/Spatial.h"
#include "dialects/Graph/Bounds.h"
#include "dialects/Graph/DerivedDims.h"
#include "passes/Normalize/Shapes.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::normalize;

/// Larger strides, kernels and pads are refused: products of them must not
/// overflow.
static constexpr int64_t kMaxExtent = int64_t(1) << 31;

/// A list attribute of `rank` entries from `least` up, all 1 when absent.
static bool readList(NormalizeContext &ctx, const Node &node, StringRef name,
                     int64_t rank, SmallVector<int64_t> &list) {
  list = node.integers(name);
  if (list.empty())
    list.assign(rank, 1);
  bool fits = int64_t(list.size()) == rank && llvm::all_of(list, [](int64_t v) {
                return v >= 1 && v < kMaxExtent;
              });
  return fits || succeeded(ctx.unsupported("'" + name + "' does not fit"));
}

static bool readPads(NormalizeContext &ctx, const Node &node, int64_t rank,
                     SmallVector<int64_t> &pads) {
  pads = node.integers("pads");
  if (pads.empty() || node.string("auto_pad", "NOTSET") != "NOTSET")
    pads.assign(2 * rank, 0);
  bool fits =
      int64_t(pads.size()) == 2 * rank &&
      llvm::all_of(pads, [](int64_t v) { return v >= 0 && v < kMaxExtent; });
  return fits || succeeded(ctx.unsupported("'pads' does not fit"));
}

std::optional<Spatial> normalize::readSpatial(NormalizeContext &ctx,
                                              const Node &node,
                                              ArrayRef<int64_t> kernel) {
  Spatial spatial;
  int64_t rank = kernel.size();
  if (node.type(0).getRank() != rank + 2 || rank < 1) {
    (void)ctx.unsupported("the kernel's rank does not fit the input's");
    return std::nullopt;
  }
  spatial.kernel.assign(kernel.begin(), kernel.end());
  bool fits =
      llvm::all_of(kernel, [](int64_t v) { return v >= 1 && v < kMaxExtent; });
  if (!fits) {
    (void)ctx.unsupported("the kernel's shape is empty or unknown");
    return std::nullopt;
  }
  if (!readList(ctx, node, "strides", rank, spatial.strides) ||
      !readList(ctx, node, "dilations", rank, spatial.dilations) ||
      !readPads(ctx, node, rank, spatial.pads))
    return std::nullopt;
  return spatial;
}

/// SAME: the result has ceil(in / stride) elements; the odd element of padding
/// goes to the end (SAME_UPPER) or to the begin.
static void padSame(Spatial &spatial, int64_t i, int64_t in, bool upper) {
  int64_t out = llvm::divideCeilSigned(in, spatial.strides[i]);
  int64_t total = (out - 1) * spatial.strides[i] + spatial.span(i) - in;
  total = std::max<int64_t>(total, 0);
  int64_t begin = upper ? total / 2 : total - total / 2;
  spatial.pads[i] = begin;
  spatial.pads[i + spatial.rank()] = total - begin;
  spatial.extents[i] = out;
}

Attribute normalize::paddingBefore(Attribute total, bool upper) {
  Attribute half = graph::floorDivDim(total, 2);
  return upper ? half : graph::subtractDims(total, half);
}

/// The same of a symbol. No more than a window less an element is padded.
static void padSame(Spatial &spatial, int64_t i, Attribute in, bool upper) {
  MLIRContext *context = in.getContext();
  int64_t stride = spatial.strides[i], span = spatial.span(i);
  Attribute out = graph::affineDim(in, 1, stride - 1, stride);
  Attribute reach = graph::affineDim(out, stride, span - stride);
  Attribute total = graph::subtractDims(reach, in);
  // Windows with gaps between them may end before the input does.
  if (span < stride)
    total = graph::positivePart(total);
  OpenPadding &open = spatial.open[i];
  open.margin = span - 1;
  open.start = graph::subtractDims(sizeDim(context, open.margin),
                                   paddingBefore(total, upper));
  open.size = reach;
  spatial.pads[i] = spatial.pads[i + spatial.rank()] = 0;
  spatial.dims[i] = out;
}

Value normalize::padOpen(NormalizeContext &ctx, const Spatial &spatial,
                         Value input, double fill) {
  if (!input || llvm::none_of(spatial.open, [](const OpenPadding &open) {
        return bool(open.start);
      }))
    return input;
  Dims sizes = dimsOf(input);
  SmallVector<int64_t> widths(sizes.size(), 0), steps(sizes.size(), 1);
  Dims starts(sizes.size(), sizeDim(input.getContext(), 0));
  for (auto [i, open] : llvm::enumerate(spatial.open))
    if (open.start) {
      widths[i + 2] = open.margin;
      starts[i + 2] = open.start;
      sizes[i + 2] = open.size;
    }
  Value wide = ctx.create<graph::PadOp>(input, ctx.scalarLike(fill, input),
                                        widths, widths);
  return ctx.slice(wide, starts, sizes, steps);
}

static int64_t slide(const Spatial &spatial, int64_t i, int64_t in,
                     bool ceilMode) {
  int64_t begin = spatial.pads[i], end = spatial.pads[i + spatial.rank()];
  int64_t room = in + begin + end - spatial.span(i);
  if (room < 0)
    return 0;
  if (!ceilMode)
    return room / spatial.strides[i] + 1;
  int64_t out = llvm::divideCeilSigned(room, spatial.strides[i]) + 1;
  bool startsInside = (out - 1) * spatial.strides[i] < in + begin;
  return startsInside ? out : out - 1;
}

/// The same for a symbol. In ceil mode the last window starts inside unless the
/// padding at the end has room for the whole window that follows.
static Attribute slide(const Spatial &spatial, int64_t i, Attribute in,
                       bool ceilMode) {
  int64_t begin = spatial.pads[i], end = spatial.pads[i + spatial.rank()];
  int64_t stride = spatial.strides[i];
  int64_t windows = begin + end - spatial.span(i) + stride;
  if (!ceilMode)
    return graph::affineDim(in, 1, windows, stride);
  return graph::affineDim(in, 1, std::min(windows, begin) + stride - 1, stride);
}

/// A window has to fit: where that can be said of the symbol, plans are made
/// for such sizes, too.
static Attribute slideOpen(NormalizeContext &ctx, const Spatial &spatial,
                           int64_t i, Attribute in, bool ceilMode) {
  int64_t room =
      spatial.pads[i] + spatial.pads[i + spatial.rank()] - spatial.span(i);
  (void)graph::demandNotNegative(graph::affineDim(in, 1, room), ctx.symbols());
  return slide(spatial, i, in, ceilMode);
}

bool normalize::resolveWindows(NormalizeContext &ctx, const Node &node,
                               Spatial &spatial, bool ceilMode) {
  StringRef mode = node.string("auto_pad", "NOTSET");
  bool same = mode == "SAME_UPPER" || mode == "SAME_LOWER";
  if (!same && mode != "NOTSET" && mode != "VALID")
    return succeeded(ctx.unsupported("unknown auto_pad " + mode));
  Dims dims = dimsOf(node.type(0));
  spatial.dims.assign(dims.begin() + 2, dims.end());
  spatial.extents.assign(spatial.rank(), ShapedType::kDynamic);
  spatial.open.assign(spatial.rank(), OpenPadding());
  for (auto [i, dim] : llvm::enumerate(spatial.dims)) {
    int64_t in = sizeOf(dim);
    if (ShapedType::isDynamic(in)) {
      if (!dim)
        return succeeded(ctx.unsupported(kUnknownShape));
      // With a stride, the padding depends on the size.
      if (same && spatial.strides[i] != 1)
        padSame(spatial, i, dim, mode == "SAME_UPPER");
      else if (same)
        padSame(spatial, i, spatial.span(i), mode == "SAME_UPPER");
      else
        dim = slideOpen(ctx, spatial, i, dim, ceilMode);
      spatial.extents[i] = ShapedType::kDynamic;
      continue;
    }
    if (same)
      padSame(spatial, i, in, mode == "SAME_UPPER");
    else
      spatial.extents[i] = slide(spatial, i, in, ceilMode);
    if (spatial.extents[i] <= 0)
      return succeeded(
          ctx.unsupported("the kernel is larger than the padded input"));
    dim = sizeDim(node.context(), spatial.extents[i]);
  }
  return true;
}
