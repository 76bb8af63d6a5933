//===- Table.cpp - quantised operators ------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file lists the family's operators and spreads their parameters.
//===----------------------------------------------------------------------===//
#include "dialects/Graph/SmallTypes.h"
#include "passes/Normalize/Quantization/Quantization.h"

using namespace tenon;
using namespace tenon::normalize;

/// Repeats each element `block` times along `axis`; what exceeds the size of
/// the quantised tensor is cut off.
static Value repeatBlocks(NormalizeContext &ctx, Value value, int64_t axis,
                          int64_t block, int64_t size) {
  auto type = mlir::cast<RankedTensorType>(value.getType());
  if (size > type.getDimSize(axis) * block) {
    (void)ctx.unsupported("the blocks do not cover the tensor");
    return {};
  }
  SmallVector<int64_t> split(type.getShape()), joined(type.getShape());
  split.insert(split.begin() + axis + 1, 1);
  SmallVector<int64_t> wide = split;
  wide[axis + 1] = block;
  joined[axis] *= block;
  Value repeated = ctx.broadcast(ctx.reshape(value, split), wide);
  return ctx.slice(ctx.reshape(repeated, joined), axis, 0, size);
}

Value normalize::quantizationParameter(NormalizeContext &ctx, const Node &node,
                                       unsigned index) {
  Value value = node.operand(index);
  RankedTensorType data = node.type(0), type = node.type(index);
  if (!ctx.isStatic(value) || !ctx.isStatic(node.operand(0)))
    return {};
  if (type.getNumElements() == 1)
    return ctx.reshape(value, {});
  auto axis = ctx.axis(node.integer("axis", 1), data.getRank());
  int64_t block = node.integer("block_size", 0);
  if (!axis)
    return {};
  if (block > 0 && block < (1 << 30) && type.getRank() == data.getRank())
    return repeatBlocks(ctx, value, *axis, block, data.getDimSize(*axis));
  SmallVector<int64_t> shape(data.getRank(), 1);
  shape[*axis] = type.getNumElements();
  if (type.getRank() == 1)
    return ctx.reshape(value, shape);
  (void)ctx.unsupported("a scale or zero point has a shape that does not fit");
  return {};
}

Value normalize::saturated(NormalizeContext &ctx, Value whole, Value zero,
                           mlir::Type element) {
  if (!whole)
    return {};
  if (zero)
    whole = ctx.create<graph::AddOp>(
        whole, ctx.cast(zero, mlir::getElementTypeOrSelf(whole)));
  auto integer = mlir::dyn_cast<mlir::IntegerType>(element);
  if (integer && graph::isSmall(element)) { // casts to these wrap
    unsigned width = integer.getWidth();
    double low = integer.isUnsigned() ? 0 : -(1 << (width - 1));
    double high = low + (1 << width) - 1;
    whole = ctx.create<graph::MaxOp>(whole, ctx.scalarLike(low, whole));
    whole = ctx.create<graph::MinOp>(whole, ctx.scalarLike(high, whole));
  }
  return ctx.cast(whole, element);
}

void normalize::populateQuantizationLowerings(LoweringTable &table) {
  table.add("ConvInteger", lowerConvInteger);
  table.add("DequantizeLinear", lowerDequantizeLinear);
  table.add("MatMulInteger", lowerMatMulInteger);
  table.add("QLinearConv", lowerQLinearConv);
  table.add("QLinearMatMul", lowerQLinearMatMul);
  table.add("QuantizeLinear", lowerQuantizeLinear);
}
