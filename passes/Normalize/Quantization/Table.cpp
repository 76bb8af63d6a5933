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
                          int64_t block, mlir::Attribute size) {
  Dims joined = dimsOf(value);
  if (llvm::is_contained(joined, mlir::Attribute()) || !size) {
    (void)ctx.unsupported(kUnknownShape);
    return {};
  }
  mlir::Attribute blocks = joined[axis];
  mlir::Attribute most = graph::affineDim(blocks, block, 0);
  bool isOpen = graph::isSymbolic(size) || graph::isSymbolic(blocks);
  if (!isOpen && sizeOf(size) > sizeOf(most)) {
    (void)ctx.unsupported("the blocks do not cover the tensor");
    return {};
  }
  mlir::Type element = mlir::getElementTypeOrSelf(value);
  mlir::Attribute needed = graph::affineDim(size, 1, block - 1, block);
  // The run checks that there are as many blocks as the tensor has.
  if (isOpen && needed != blocks) {
    joined[axis] = needed;
    value = ctx.reshapeTo(value, typeFromDims(joined, element));
    most = graph::affineDim(needed, block, 0);
  }
  Dims split = joined;
  split.insert(split.begin() + axis + 1, sizeDim(size.getContext(), 1));
  Dims wide = split;
  wide[axis + 1] = sizeDim(size.getContext(), block);
  joined[axis] = most;
  Value repeated =
      ctx.broadcastTo(ctx.reshapeTo(value, typeFromDims(split, element)),
                      typeFromDims(wide, element));
  return ctx.slice(ctx.reshapeTo(repeated, typeFromDims(joined, element)), axis,
                   sizeDim(size.getContext(), 0), size);
}

Value normalize::quantizationParameter(NormalizeContext &ctx, const Node &node,
                                       unsigned index) {
  Value value = node.operand(index);
  Dims data = dimsOf(node.type(0));
  RankedTensorType type = node.type(index);
  if (type.hasStaticShape() && type.getNumElements() == 1)
    return ctx.reshape(value, {});
  auto axis = ctx.axis(node.integer("axis", 1), data.size());
  int64_t block = node.integer("block_size", 0);
  if (!axis)
    return {};
  if (block > 0 && block < (1 << 30) && type.getRank() == int64_t(data.size()))
    return ctx.repeatTo(repeatBlocks(ctx, value, *axis, block, data[*axis]),
                        data);
  if (type.getRank() != 1) {
    (void)ctx.unsupported("a scale or zero point has a shape that does not "
                          "fit");
    return {};
  }
  Dims shape(data.size(), sizeDim(node.context(), 1));
  shape[*axis] = dimsOf(type).front();
  return ctx.repeatTo(
      ctx.reshapeTo(value, typeFromDims(shape, type.getElementType())), data);
}

Value normalize::column(NormalizeContext &ctx, Value vector, Value matrix) {
  if (!vector || !matrix)
    return {};
  Dims shape{dimsOf(vector).front(), sizeDim(vector.getContext(), 1)};
  mlir::Type element = mlir::getElementTypeOrSelf(vector);
  Value result = ctx.reshapeTo(vector, typeFromDims(shape, element));
  return ctx.repeatTo(result, dimsOf(matrix));
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
