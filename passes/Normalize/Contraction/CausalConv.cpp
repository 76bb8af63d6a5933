//===- CausalConv.cpp - a convolution over what came before ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file puts the state, or zeros, before the input and convolves each
// channel by itself: as `graph.conv` where the filters have a size, else as
// sums of gathered windows.
//===----------------------------------------------------------------------===//
#include "passes/Normalize/Contraction/Contraction.h"
#include "passes/Normalize/Contraction/OpenFilter.h"

using namespace tenon;
using namespace tenon::normalize;

namespace {
/// `input [batch, channels, length]`, `filter [channels, 1, taps]`.
struct CausalConv {
  NormalizeContext &ctx;
  const Node &node;
  Dims input, filter;

  mlir::Attribute number(int64_t size) const {
    return sizeDim(node.context(), size);
  }
  mlir::Attribute before() const { return graph::affineDim(filter[2], 1, -1); }
  Value padded() const;
  Value convolved(Value padded) const;
  Value windows(Value padded) const;
};
} // namespace

Value CausalConv::padded() const {
  Dims dims = input;
  dims[2] = before();
  mlir::Type element = node.type(0).getElementType();
  RankedTensorType type = typeFromDims(dims, element);
  Value state = node.operand(3)
                    ? ctx.reshapeTo(node.operand(3), type)
                    : ctx.broadcastTo(ctx.scalar(0.0, element), type);
  if (sizeOf(before()) == 0)
    return node.operand(0);
  return ctx.create<graph::ConcatOp>(mlir::ValueRange{state, node.operand(0)},
                                     int64_t(2));
}

/// Filters of any number of channels and taps.
Value CausalConv::windows(Value padded) const {
  mlir::Type element = node.type(0).getElementType();
  mlir::Type wide = element.isF64() ? element : ctx.builder().getF32Type();
  Value place =
      ctx.create<graph::AddOp>(ctx.indices({input[2], number(1)}, 0),
                               ctx.indices({number(1), filter[2]}, 1));
  Value read = ctx.create<graph::GatherOp>(ctx.cast(padded, wide), place, 2);
  Value weights = ctx.cast(node.operand(1), wide);
  weights = ctx.reshapeTo(weights,
                          typeFromDims({input[1], number(1), filter[2]}, wide));
  Value sum = ctx.create<graph::ReduceSumOp>(
      ctx.create<graph::MulOp>(read, weights), ArrayRef<int64_t>{3}, false);
  return ctx.cast(sum, element);
}

Value CausalConv::convolved(Value padded) const {
  // graph.conv has no windows of nothing: the state may be shorter than taps.
  bool isEmpty = sizeOf(input[2]) == 0;
  if (hasOpenExtents(node, 1) || graph::isSymbolic(input[1]) || isEmpty)
    return windows(padded);
  return ctx.create<graph::ConvOp>(
      padded, node.operand(1), SmallVector<int64_t>{1},
      SmallVector<int64_t>{0, 0}, SmallVector<int64_t>{1}, sizeOf(input[1]));
}

/// In f32, as the operator's text has it.
static Value activated(NormalizeContext &ctx, Value x, StringRef name) {
  if (name == "none" || !x)
    return x;
  Value wide = ctx.cast(x, ctx.builder().getF32Type());
  Value result =
      ctx.create<graph::MulOp>(wide, ctx.create<graph::SigmoidOp>(wide));
  return ctx.cast(result, mlir::getElementTypeOrSelf(x));
}

Lowered normalize::lowerCausalConvWithState(NormalizeContext &ctx,
                                            const Node &node) {
  CausalConv conv{ctx, node, dimsOf(node.type(0)), dimsOf(node.type(1))};
  StringRef activation = node.string("activation", "none");
  if (activation != "none" && activation != "silu" && activation != "swish")
    return ctx.unsupported("unknown activation '" + activation + "'");
  auto isUnknown = [](const Dims &dims) {
    return dims.size() != 3 || llvm::is_contained(dims, mlir::Attribute());
  };
  if (isUnknown(conv.input) || isUnknown(conv.filter))
    return ctx.unsupported("input and weight are not of rank 3");
  if (!graph::mayBeEqual(conv.filter[0], conv.input[1]) ||
      sizeOf(conv.filter[2]) == 0)
    return ctx.unsupported("there is not one filter for each channel");
  Value padded = conv.padded(), result = conv.convolved(padded);
  if (Value bias = node.operand(2); bias && result)
    result = ctx.create<graph::AddOp>(result, ctx.perChannel(bias, result));
  SmallVector<Value> results{activated(ctx, result, activation), Value()};
  if (node.resultUsed(1))
    results[1] = ctx.slice(padded, 2, conv.input[2], conv.before());
  results.resize(node.numResults());
  return results;
}
