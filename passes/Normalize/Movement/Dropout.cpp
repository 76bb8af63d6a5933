//===- Dropout.cpp - dropout ----------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// At inference the input is passed on, and the mask keeps everything. Where the
// run says whether elements are dropped, it is held to say no. In a step of
// training, which is the operand that stands behind ONNX's, elements are
// dropped at random.
//===----------------------------------------------------------------------===//
#include "passes/Normalize/Extents.h"
#include "passes/Normalize/Movement/Movement.h"
#include "passes/Normalize/Random/Philox.h"

#include <cmath>

using namespace tenon;
using namespace tenon::normalize;

/// What is known of a number: 0, another one, or what only the run knows.
enum class Known { Zero, Other, Data };

static Known knownOf(NormalizeContext &ctx, Value operand, Known absent) {
  auto value = operand ? ctx.constantReals(operand) : std::nullopt;
  if (!operand)
    return absent;
  if (!value || value->size() != 1)
    return Known::Data;
  return value->front() == 0.0 ? Known::Zero : Known::Other;
}

/// Whether the operand is not 0: i1, of one element.
static Value isSet(NormalizeContext &ctx, Value operand) {
  Value number = onlyElement(ctx, operand);
  return ctx.create<graph::NotOp>(
      ctx.create<graph::EqualOp>(number, ctx.scalarLike(0.0, number)));
}

/// The input, of which the run refuses to drop elements: they would be random.
static Value heldInput(NormalizeContext &ctx, const Node &node, Known ratio) {
  Value drops = isSet(ctx, node.operand(2));
  if (ratio == Known::Data)
    drops = ctx.create<graph::AndOp>(drops, isSet(ctx, node.operand(1)));
  Value check = ctx.create<graph::SelectOp>(drops, numberOf(ctx, int64_t(-1)),
                                            numberOf(ctx, int64_t(0)));
  RankedTensorType type = node.type(0);
  mlir::Attribute count = product(node.context(), dimsOf(type));
  auto dims = extents(ctx, numberOf(ctx, count), check);
  if (!dims)
    return {};
  Value flat = ctx.reshapeTo(node.operand(0),
                             typeFromDims(*dims, type.getElementType()));
  return ctx.reshapeTo(flat, type);
}

/// Whether each element is kept: never stored, for it follows from its place.
static Value keptElements(NormalizeContext &ctx, const Node &node,
                          double ratio) {
  RandomSource source{uint64_t(node.integer("tenon.seed", 0)), node.operand(3),
                      uint32_t(node.integer("tenon.number", 0))};
  Value bits = randomBits(ctx, source, dimsOf(node.type(0)));
  Value least = ctx.scalarLike(std::floor(ratio * 0x1p32), bits);
  return ctx.create<graph::GreaterEqualOp>(bits, least);
}

/// What is kept grows, so that the mean stays.
static Lowered dropElements(NormalizeContext &ctx, const Node &node) {
  double ratio = 0.5;
  if (auto given =
          node.operand(1) ? ctx.constantReals(node.operand(1)) : std::nullopt)
    ratio = given->front();
  if (!(ratio >= 0 && ratio <= 1))
    return ctx.unsupported("the ratio is not from 0 to 1");
  Value input = node.operand(0);
  if (!ctx.isStatic(input))
    return mlir::failure();
  Value kept = keptElements(ctx, node, ratio);
  // Of a ratio of 1 nothing is kept, and 0 * infinity is no number.
  double scale = ratio < 1 ? 1 / (1 - ratio) : 1;
  Value scaled = ctx.create<graph::MulOp>(input, ctx.scalarLike(scale, input));
  SmallVector<Value> results(node.numResults());
  results[0] =
      ctx.create<graph::SelectOp>(kept, scaled, ctx.scalarLike(0, input));
  if (node.resultUsed(1))
    results[1] = ctx.broadcast(kept, node.type(0).getShape());
  return results;
}

Lowered normalize::lowerDropout(NormalizeContext &ctx, const Node &node) {
  Known trains = knownOf(ctx, node.operand(2), Known::Zero);
  Known ratio = knownOf(ctx, node.operand(1), Known::Other);
  bool drops = trains == Known::Other && ratio == Known::Other;
  if (drops && node.operand(3))
    return dropElements(ctx, node);
  if (drops)
    return ctx.unsupported("only inference (training_mode = false) is "
                           "supported");
  if (!ctx.hasDims(node.operand(0)))
    return mlir::failure();
  bool keeps = trains == Known::Zero || ratio == Known::Zero;
  SmallVector<Value> results(node.numResults());
  results[0] = keeps ? node.operand(0) : heldInput(ctx, node, ratio);
  if (!node.resultUsed(1))
    return results;
  results[1] = ctx.splat(
      1.0, typeFromDims(dimsOf(node.type(0)), ctx.builder().getI1Type()));
  return results;
}
