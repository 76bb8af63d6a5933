//===- Fill.cpp - tensors of random numbers -------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file reads the shape and the type of what is drawn, and spreads it.
//===----------------------------------------------------------------------===//
#include "dialects/Onnx/Onnx.h"
#include "passes/Normalize/Random/Random.h"

using namespace tenon;
using namespace tenon::normalize;

namespace {
/// `mean` or `low`, and how far from it what is drawn lies.
struct Spread {
  double from, by;
};
} // namespace

/// The tensor to fill, after its operand or the attribute `shape`; null after a
/// refusal.
static RankedTensorType filledType(NormalizeContext &ctx, const Node &node) {
  mlir::Type element = ctx.builder().getF32Type();
  Dims dims;
  if (node.operand(0)) {
    if (!ctx.hasDims(node.operand(0)))
      return {};
    dims = dimsOf(node.type(0));
    element = node.type(0).getElementType();
  }
  SmallVector<int64_t> shape = node.integers("shape");
  if (node.has("dtype"))
    element = onnx::elementType(node.integer("dtype", 0), node.context());
  if (!mlir::isa_and_nonnull<mlir::FloatType>(element)) {
    (void)ctx.unsupported("'dtype' names no type of real numbers");
    return {};
  }
  if (llvm::any_of(shape, [](int64_t n) { return n < 0; })) {
    (void)ctx.unsupported("'shape' has a negative size");
    return {};
  }
  for (int64_t size : shape)
    dims.push_back(sizeDim(node.context(), size));
  return typeFromDims(dims, element);
}

template <typename Draw>
static Lowered fill(NormalizeContext &ctx, const Node &node,
                    const Spread &spread, Draw draw) {
  RankedTensorType type = filledType(ctx, node);
  if (!type)
    return mlir::failure();
  Draws draws(ctx, node, computeType(type.getElementType()));
  Value drawn = draw(draws, dimsOf(type));
  Value moved = ctx.create<graph::AddOp>(
      ctx.create<graph::MulOp>(drawn, draws.number(spread.by)),
      draws.number(spread.from));
  return ctx.cast(moved, type.getElementType());
}

static Lowered lowerUniform(NormalizeContext &ctx, const Node &node) {
  double low = node.real("low", 0), high = node.real("high", 1);
  return fill(
      ctx, node, {low, high - low},
      [](const Draws &draws, const Dims &dims) { return draws.uniform(dims); });
}

static Lowered lowerNormal(NormalizeContext &ctx, const Node &node) {
  return fill(
      ctx, node, {node.real("mean", 0), node.real("scale", 1)},
      [](const Draws &draws, const Dims &dims) { return draws.normal(dims); });
}

void normalize::populateFillLowerings(LoweringTable &table) {
  for (const char *name : {"RandomUniform", "RandomUniformLike"})
    table.add(name, lowerUniform);
  for (const char *name : {"RandomNormal", "RandomNormalLike"})
    table.add(name, lowerNormal);
}
