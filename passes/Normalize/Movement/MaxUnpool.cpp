//===- MaxUnpool.cpp - maxima back to where they were ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file scatters to zeros.
//===----------------------------------------------------------------------===//
#include "passes/Normalize/Extents.h"
#include "passes/Normalize/Movement/Movement.h"
#include "passes/Normalize/Spatial.h"

using namespace tenon;
using namespace tenon::normalize;

/// The shape that was pooled, as far as kernel, strides and pads tell.
static std::optional<Dims> pooledShape(NormalizeContext &ctx,
                                       const Node &node) {
  auto spatial = readSpatial(ctx, node, node.integers("kernel_shape"));
  if (!spatial || !ctx.hasDims(node.operand(0)) ||
      !ctx.hasDims(node.operand(1)))
    return std::nullopt;
  Dims shape = dimsOf(node.type(0));
  for (int64_t i = 0; i < spatial->rank(); ++i) {
    int64_t stride = spatial->strides[i];
    mlir::Attribute &extent = shape[i + 2];
    extent = graph::affineDim(extent, stride,
                              spatial->kernel[i] - stride - spatial->pads[i] -
                                  spatial->pads[i + spatial->rank()]);
    if (!graph::isSymbolic(extent) && sizeOf(extent) < 1) {
      (void)ctx.unsupported("the pads are larger than the result");
      return std::nullopt;
    }
    auto checked = extents(ctx, numberOf(ctx, extent),
                           numberOf(ctx, graph::affineDim(extent, 1, -1)));
    if (!checked)
      return std::nullopt;
    extent = checked->front();
  }
  if (mayBeEqual(dimsOf(node.type(0)), dimsOf(node.type(1))))
    return shape;
  (void)ctx.unsupported("there is not one index for each element");
  return std::nullopt;
}

/// Puts zeros behind what was pooled, where more is asked for.
static Value extended(NormalizeContext &ctx, const Node &node, Value result,
                      const Dims &shape) {
  auto wanted = sizesOf(ctx, node.operand(2), "output_shape");
  if (!wanted)
    return {};
  if (wanted->size() != shape.size()) {
    (void)ctx.unsupported("'output_shape' does not fit the input");
    return {};
  }
  SmallVector<Value> numbers, missing;
  for (auto [size, own] : llvm::zip(*wanted, shape)) {
    mlir::Attribute width = graph::subtractDims(size, own);
    if (!graph::isSymbolic(width) && sizeOf(width) < 0) {
      (void)ctx.unsupported("'output_shape' is smaller than what was pooled");
      return {};
    }
    numbers.push_back(numberOf(ctx, size));
    missing.push_back(numberOf(ctx, width));
  }
  auto sizes = extents(ctx, numbers, missing);
  if (!sizes || *sizes == shape)
    return sizes ? result : Value();
  Dims high = llvm::map_to_vector<6>(llvm::zip(*sizes, shape), [](auto pair) {
    return graph::subtractDims(std::get<0>(pair), std::get<1>(pair));
  });
  graph::SplitDims highs = graph::splitDims(node.context(), high);
  SmallVector<int64_t> low(shape.size(), 0);
  return ctx.create<graph::PadOp>(result, ctx.scalarLike(0.0, result), low,
                                  highs.numbers, graph::PadMode::Constant,
                                  graph::DimsAttr(), highs.dims);
}

Lowered normalize::lowerMaxUnpool(NormalizeContext &ctx, const Node &node) {
  auto shape = pooledShape(ctx, node);
  if (!shape)
    return mlir::failure();
  mlir::Type element = node.type(0).getElementType();
  mlir::Attribute total = product(node.context(), *shape);
  mlir::Attribute count = product(node.context(), dimsOf(node.type(0)));
  Value places = heldTo(ctx, node.operand(1), dimsOf(node.type(0)));
  Value result = ctx.create<graph::ScatterOp>(
      ctx.splat(0.0, typeFromDims(total, element)),
      ctx.reshapeTo(places, typeFromDims(count, node.type(1).getElementType())),
      ctx.reshapeTo(node.operand(0), typeFromDims(count, element)),
      graph::ScatterKind::Replace);
  result = ctx.reshapeTo(result, typeFromDims(*shape, element));
  return node.operand(2) ? extended(ctx, node, result, *shape) : result;
}
