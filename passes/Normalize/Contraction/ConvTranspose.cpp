//===- ConvTranspose.cpp - transposed convolution -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file resolves output_shape and auto_pad to explicit padding.
//===----------------------------------------------------------------------===//
#include "passes/Normalize/Contraction/Contraction.h"
#include "passes/Normalize/Contraction/OpenFilter.h"

using namespace tenon;
using namespace tenon::normalize;

namespace {
struct Transposed {
  Spatial spatial;
  SmallVector<int64_t> outputPadding;
};
} // namespace

/// Chooses pads so that dimension `i` has `wanted` elements. What padding
/// cannot take away is added behind.
static void padTo(Transposed &conv, int64_t i, int64_t in, int64_t wanted,
                  bool upper) {
  Spatial &s = conv.spatial;
  int64_t total =
      s.strides[i] * (in - 1) + conv.outputPadding[i] + s.span(i) - wanted;
  if (total < 0)
    conv.outputPadding[i] -= total;
  total = std::max<int64_t>(total, 0);
  int64_t begin = upper ? total / 2 : total - total / 2;
  s.pads[i] = begin;
  s.pads[i + s.rank()] = total - begin;
}

static bool resolve(NormalizeContext &ctx, const Node &node, Transposed &conv) {
  int64_t rank = conv.spatial.rank();
  conv.outputPadding = node.integers("output_padding");
  if (conv.outputPadding.empty())
    conv.outputPadding.assign(rank, 0);
  SmallVector<int64_t> wanted = node.integers("output_shape");
  if (int64_t(wanted.size()) > rank) // some exporters repeat N and C
    wanted.erase(wanted.begin(), wanted.end() - rank);
  StringRef mode = node.string("auto_pad", "NOTSET");
  bool same = mode == "SAME_UPPER" || mode == "SAME_LOWER";
  if (int64_t(conv.outputPadding.size()) != rank ||
      (!wanted.empty() && int64_t(wanted.size()) != rank))
    return succeeded(ctx.unsupported("output_padding or output_shape does "
                                     "not fit"));
  if (!same && wanted.empty())
    return true;
  ArrayRef<int64_t> in = node.type(0).getShape().drop_front(2);
  for (int64_t i = 0; i < rank; ++i) {
    // SAME takes away the same of any input.
    int64_t size = mlir::ShapedType::isDynamic(in[i]) ? 1 : in[i];
    padTo(conv, i, size,
          wanted.empty() ? size * conv.spatial.strides[i] : wanted[i],
          mode == "SAME_UPPER");
  }
  return true;
}

static Value convolve(NormalizeContext &ctx, const Node &node) {
  // A stated result takes pads that depend on the input.
  bool isStated = !node.integers("output_shape").empty();
  if (hasOpenExtents(node, 1) || (isStated && hasOpenExtents(node, 0)))
    return convolveOpenTransposed(ctx, node, node.operand(0), node.operand(1));
  ArrayRef<int64_t> filter = node.type(1).getShape();
  if (filter.size() < 3 || filter.size() > 5) {
    (void)ctx.unsupported("only 1 to 3 spatial dimensions are supported");
    return {};
  }
  auto spatial = readSpatial(ctx, node, filter.drop_front(2));
  if (!spatial)
    return {};
  Transposed conv{*spatial, {}};
  if (!resolve(ctx, node, conv))
    return {};
  return ctx.create<graph::ConvTransposeOp>(
      node.operand(0), node.operand(1), conv.spatial.strides, conv.spatial.pads,
      conv.spatial.dilations, conv.outputPadding, node.integer("group", 1));
}

Lowered normalize::lowerConvTranspose(NormalizeContext &ctx, const Node &node) {
  Value result = convolve(ctx, node);
  if (!result)
    return mlir::failure();
  if (Value bias = node.operand(2))
    result = ctx.create<graph::AddOp>(result, ctx.perChannel(bias, result));
  return result;
}
