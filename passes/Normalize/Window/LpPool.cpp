//===- LpPool.cpp - pooling by a norm -------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file sums powers by average pooling, and takes the root.
//===----------------------------------------------------------------------===//
#include "passes/Normalize/Window/Window.h"

using namespace tenon;
using namespace tenon::normalize;

/// |x|^p
static Value power(NormalizeContext &ctx, Value x, int64_t p) {
  if (p == 2)
    return ctx.create<graph::MulOp>(x, x);
  Value absolute = ctx.create<graph::AbsOp>(x);
  return p == 1
             ? absolute
             : ctx.create<graph::PowOp>(absolute, ctx.scalarLike(double(p), x));
}

/// x^(1/p)
static Value root(NormalizeContext &ctx, Value x, int64_t p) {
  if (p == 2)
    return ctx.create<graph::SqrtOp>(x);
  return p == 1
             ? x
             : ctx.create<graph::PowOp>(x, ctx.scalarLike(1.0 / double(p), x));
}

Lowered normalize::lowerGlobalLpPool(NormalizeContext &ctx, const Node &node) {
  int64_t rank = node.type(0).getRank(), p = node.integer("p", 2);
  if (rank < 3 || p < 1)
    return ctx.unsupported("p or the input's rank is out of range");
  Value sum = ctx.create<graph::ReduceSumOp>(power(ctx, node.operand(0), p),
                                             range(2, rank), true);
  return root(ctx, sum, p);
}

Lowered normalize::lowerLpPool(NormalizeContext &ctx, const Node &node) {
  int64_t p = node.integer("p", 2);
  if (p < 1)
    return ctx.unsupported("p is out of range");
  auto pool = readPool(ctx, node);
  if (!pool)
    return mlir::failure();
  // Counting the padding makes the mean a constant share of the sum, but a
  // window that hangs over the padded input has fewer elements.
  const Spatial &s = pool->spatial;
  if (node.flag("ceil_mode", false))
    return ctx.unsupported("ceil_mode is not supported");
  double count = 1.0;
  for (int64_t extent : s.kernel)
    count *= double(extent);
  Value mean = average(ctx, *pool, power(ctx, node.operand(0), p),
                       /*countsPadding=*/true);
  return root(ctx, ctx.create<graph::MulOp>(mean, ctx.scalarLike(count, mean)),
              p);
}
