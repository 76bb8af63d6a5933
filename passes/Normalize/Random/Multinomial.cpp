//===- Multinomial.cpp - classes by their probability ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file counts the running sums of probabilities that a number from [0, 1)
// lies above: that is the number of the class.
//===----------------------------------------------------------------------===//
#include "dialects/Onnx/Onnx.h"
#include "passes/Normalize/Random/Random.h"

using namespace tenon;
using namespace tenon::normalize;

/// Running sums along classes of probabilities of which the logarithms, up to
/// a number that is common to a row, are given.
static Value runningSums(NormalizeContext &ctx, Value logarithms) {
  Value most = ctx.create<graph::ReduceMaxOp>(logarithms, 1, true);
  Value parts =
      ctx.create<graph::ExpOp>(ctx.create<graph::SubOp>(logarithms, most));
  return ctx.create<graph::PrefixOp>(parts, 1, /*product=*/false,
                                     /*reverse=*/false, /*exclusive=*/false);
}

Lowered normalize::lowerMultinomial(NormalizeContext &ctx, const Node &node) {
  if (!ctx.hasDims(node.operand(0)))
    return mlir::failure();
  Dims dims = dimsOf(node.type(0));
  int64_t samples = node.integer("sample_size", 1);
  mlir::Type element =
      onnx::elementType(node.integer("dtype", 6), node.context());
  if (dims.size() != 2 || samples < 0)
    return ctx.unsupported("it needs logarithms [batch, classes] and a number "
                           "of samples");
  if (!mlir::isa_and_nonnull<mlir::IntegerType>(element))
    return ctx.unsupported("'dtype' names no type of integers");
  mlir::Type real = computeType(node.type(0).getElementType());
  mlir::Attribute one = sizeDim(node.context(), 1),
                  drawn = sizeDim(node.context(), samples);
  Value sums = runningSums(ctx, ctx.cast(node.operand(0), real));
  Value all = ctx.slice(sums, 1, graph::subtractDims(dims[1], one), one);
  Value level = ctx.create<graph::MulOp>(
      Draws(ctx, node, real).uniform(Dims{dims[0], drawn}), all);
  Value isAbove = ctx.create<graph::GreaterEqualOp>(
      ctx.reshapeTo(level, typeFromDims({dims[0], drawn, one}, real)),
      ctx.reshapeTo(sums, typeFromDims({dims[0], one, dims[1]}, real)));
  return ctx.create<graph::ReduceSumOp>(ctx.cast(isAbove, element), 2, false);
}
