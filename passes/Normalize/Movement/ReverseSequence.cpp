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
  ArrayRef<int64_t> shape = node.type(0).getShape();
  SmallVector<int64_t> lengthShape{shape[0], shape[1]};
  lengthShape[time] = 1;
  Value lengths = ctx.reshape(
      ctx.cast(node.operand(1), ctx.builder().getI64Type()), lengthShape);
  mlir::Attribute times = sizeDim(node.context(), shape[time]);
  Value step = steps(ctx, 2, time, times, sizeDim(node.context(), 1));
  Value last = ctx.create<graph::SubOp>(lengths, ctx.scalarLike(1.0, step));
  return ctx.create<graph::SelectOp>(ctx.create<graph::LessOp>(step, lengths),
                                     ctx.create<graph::SubOp>(last, step),
                                     step);
}

Lowered normalize::lowerReverseSequence(NormalizeContext &ctx,
                                        const Node &node) {
  int64_t batch = node.integer("batch_axis", 1);
  int64_t time = node.integer("time_axis", 0);
  if (!ctx.isStatic(node.operand(0)))
    return mlir::failure();
  ArrayRef<int64_t> shape = node.type(0).getShape();
  bool fits = shape.size() >= 2 && std::min(batch, time) == 0 &&
              std::max(batch, time) == 1 &&
              node.type(1).getShape() == ArrayRef<int64_t>{shape[batch]};
  if (!fits)
    return ctx.unsupported("'batch_axis', 'time_axis' and the lengths do not "
                           "fit the input");
  int64_t count = shape[0] * shape[1];
  Dims dims = dimsOf(node.type(0));
  mlir::Attribute one = sizeDim(node.context(), 1);
  Value linear =
      linearIndex(ctx,
                  IndexPart{stepsOf(ctx, node, time), dims[time],
                            time == 0 ? dims[1] : one},
                  steps(ctx, 2, batch, dims[batch], time == 0 ? one : dims[1]),
                  sizeDim(node.context(), count));
  SmallVector<int64_t> rows{count};
  llvm::append_range(rows, shape.drop_front(2));
  Value gathered = ctx.create<graph::GatherOp>(
      ctx.reshape(node.operand(0), rows), ctx.reshape(linear, {count}), 0);
  return ctx.reshape(gathered, shape);
}
