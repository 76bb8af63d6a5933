//===- ReverseSequence.cpp - the heads of sequences turned around ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file numbers the rows, one for each step of each sequence, that the
// result is gathered from.
//===----------------------------------------------------------------------===//
#include "passes/Normalize/Movement/Movement.h"

using namespace tenon;
using namespace tenon::normalize;

/// Along the time dimension of [times, batch] or [batch, times]: which step
/// stands there.
static Value stepsOf(NormalizeContext &ctx, const Node &node, int64_t time) {
  Dims shape = dimsOf(node.type(0));
  mlir::Attribute one = sizeDim(node.context(), 1);
  Dims lengthShape{shape[0], shape[1]};
  lengthShape[time] = one;
  mlir::Type i64 = ctx.builder().getI64Type();
  Value lengths = ctx.reshapeTo(ctx.cast(node.operand(1), i64),
                                typeFromDims(lengthShape, i64));
  Value step = steps(ctx, 2, time, shape[time], one);
  Value last = ctx.create<graph::SubOp>(lengths, ctx.scalarLike(1.0, step));
  return ctx.create<graph::SelectOp>(ctx.create<graph::LessOp>(step, lengths),
                                     ctx.create<graph::SubOp>(last, step),
                                     step);
}

Lowered normalize::lowerReverseSequence(NormalizeContext &ctx,
                                        const Node &node) {
  int64_t batch = node.integer("batch_axis", 1);
  int64_t time = node.integer("time_axis", 0);
  if (!ctx.hasDims(node.operand(0)) || !ctx.hasDims(node.operand(1)))
    return mlir::failure();
  Dims shape = dimsOf(node.type(0)), lengths = dimsOf(node.type(1));
  bool fits = shape.size() >= 2 && std::min(batch, time) == 0 &&
              std::max(batch, time) == 1 && lengths.size() == 1 &&
              graph::mayBeEqual(lengths[0], shape[batch]);
  if (!fits)
    return ctx.unsupported("'batch_axis', 'time_axis' and the lengths do not "
                           "fit the input");
  mlir::Attribute one = sizeDim(node.context(), 1);
  mlir::Attribute count = graph::multiplyDims(shape[0], shape[1]);
  Value linear = linearIndex(
      ctx,
      IndexPart{stepsOf(ctx, node, time), shape[time],
                time == 0 ? shape[1] : one},
      steps(ctx, 2, batch, shape[batch], time == 0 ? one : shape[1]), count);
  Dims rows{count};
  rows.append(shape.begin() + 2, shape.end());
  mlir::Type element = node.type(0).getElementType();
  Value gathered = ctx.create<graph::GatherOp>(
      ctx.reshapeTo(node.operand(0), typeFromDims(rows, element)),
      ctx.reshapeTo(linear, typeFromDims(count, ctx.builder().getI64Type())),
      0);
  return ctx.reshapeTo(gathered, node.type(0));
}
