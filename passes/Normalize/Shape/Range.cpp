//===- Range.cpp - numbers at equal distances -----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file computes the length from constant bounds.
//===----------------------------------------------------------------------===//
#include "passes/Normalize/Shape/Shape.h"

#include <cmath>

using namespace tenon;
using namespace tenon::normalize;

/// How many elements there are; nothing if the bounds make no sense.
static std::optional<int64_t> countIntegers(int64_t start, int64_t limit,
                                            int64_t delta) {
  __int128 distance = __int128(limit) - start;
  if (delta == 0)
    return std::nullopt;
  if ((delta > 0) != (distance > 0) || distance == 0)
    return 0;
  __int128 step = delta;
  __int128 count = (distance + step + (delta > 0 ? -1 : 1)) / step;
  return count <= (int64_t(1) << 40) ? std::optional(int64_t(count))
                                     : std::nullopt;
}

static std::optional<int64_t> countReals(double start, double limit,
                                         double delta) {
  double count = std::ceil((limit - start) / delta);
  if (std::isnan(count) || count > double(int64_t(1) << 40))
    return std::nullopt;
  return count > 0 ? int64_t(count) : 0;
}

/// Integers whose bounds have symbols in them: from 0, then moved to the start.
static Value symbolicRange(NormalizeContext &ctx, const Node &node) {
  auto start = ctx.contents(node.operand(0));
  auto limit = ctx.contents(node.operand(1));
  auto delta = ctx.constantInts(node.operand(2));
  if (!start || !limit || !delta || delta->size() != 1 || start->size() != 1 ||
      limit->size() != 1 || delta->front() == 0 ||
      delta->front() == std::numeric_limits<int64_t>::min()) {
    (void)ctx.unsupported(kUnknownShape);
    return {};
  }
  bool isUp = delta->front() > 0;
  int64_t step = isUp ? delta->front() : -delta->front();
  mlir::Attribute distance =
      isUp ? graph::subtractDims(limit->front(), start->front())
           : graph::subtractDims(start->front(), limit->front());
  mlir::Attribute count = graph::affineDim(distance, 1, step - 1, step);
  if (failed(ctx.demandAtLeast(count, sizeDim(node.context(), 0))))
    return {};
  mlir::Type element = node.type(0).getElementType();
  bool isFixed = !graph::isSymbolic(start->front());
  double first = isFixed ? double(sizeOf(start->front())) : 0.0;
  Value steps = ctx.createTyped<graph::IotaOp>(
      typeFromDims(count, element), 0, llvm::APFloat(first),
      llvm::APFloat(double(delta->front())));
  if (isFixed)
    return steps;
  return ctx.create<graph::AddOp>(steps, ctx.reshape(node.operand(0), {}));
}

Lowered normalize::lowerRange(NormalizeContext &ctx, const Node &node) {
  auto isSymbolic = [&](unsigned index) {
    return bool(node.operand(index).getDefiningOp<graph::SizesOp>());
  };
  if (isSymbolic(0) || isSymbolic(1))
    return symbolicRange(ctx, node);
  auto start = ctx.constantReals(node.operand(0));
  auto limit = ctx.constantReals(node.operand(1));
  auto delta = ctx.constantReals(node.operand(2));
  if (!start || !limit || !delta)
    return ctx.unsupported(kUnknownShape);
  if (start->size() != 1 || limit->size() != 1 || delta->size() != 1)
    return ctx.unsupported("an operand is not a scalar");
  mlir::Type element = node.type(0).getElementType();
  std::optional<int64_t> count;
  if (mlir::isa<mlir::IntegerType>(element))
    count = countIntegers(ctx.constantInts(node.operand(0))->front(),
                          ctx.constantInts(node.operand(1))->front(),
                          ctx.constantInts(node.operand(2))->front());
  else
    count = countReals(start->front(), limit->front(), delta->front());
  // The operation holds its bounds as doubles, which integers must survive.
  double reach = std::fabs(start->front()) + std::fabs(limit->front());
  if (mlir::isa<mlir::IntegerType>(element) && reach > 0x1p53)
    return ctx.unsupported("integers above 2^53 are not supported");
  if (!count)
    return ctx.unsupported("the range is endless or too long");
  return ctx.createTyped<graph::IotaOp>(
      RankedTensorType::get({*count}, element), 0,
      llvm::APFloat(start->front()), llvm::APFloat(delta->front()));
}
