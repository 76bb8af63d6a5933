//===- Range.cpp - numbers at equal distances -----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file computes the length: from constant bounds, from symbols, or has the
// run compute it.
//===----------------------------------------------------------------------===//
#include "dialects/Graph/Bounds.h"
#include "passes/Normalize/Extents.h"
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

/// Whether a list has one number, which has a counterpart.
static bool isStep(const std::optional<SmallVector<int64_t>> &delta) {
  return delta && delta->size() == 1 && delta->front() != 0 &&
         delta->front() != std::numeric_limits<int64_t>::min();
}

/// Integers whose bounds have symbols in them: from 0, then moved to the start.
/// Null where it is not known that there are any.
static Value symbolicRange(NormalizeContext &ctx, const Node &node) {
  auto start = ctx.contents(node.operand(0));
  auto limit = ctx.contents(node.operand(1));
  auto delta = ctx.constantInts(node.operand(2));
  if (!start || !limit || !isStep(delta) || start->size() != 1 ||
      limit->size() != 1)
    return {};
  bool isUp = delta->front() > 0;
  int64_t step = isUp ? delta->front() : -delta->front();
  mlir::Attribute distance =
      isUp ? graph::subtractDims(limit->front(), start->front())
           : graph::subtractDims(start->front(), limit->front());
  mlir::Attribute count = graph::affineDim(distance, 1, step - 1, step);
  bool isCount = ctx.isAtLeast(count, sizeDim(node.context(), 0)) ||
                 (isOfInputs(ctx, count) &&
                  succeeded(graph::demandNotNegative(count, ctx.symbols())));
  if (!isCount)
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

/// How many integers there are; negative where the step is 0.
static Value countIntegers(NormalizeContext &ctx, Value start, Value limit,
                           Value delta) {
  Value zero = numberOf(ctx, int64_t(0)), none = numberOf(ctx, int64_t(-1));
  Value isUp = ctx.create<graph::GreaterOp>(delta, zero);
  Value distance =
      ctx.create<graph::SelectOp>(isUp, ctx.create<graph::SubOp>(limit, start),
                                  ctx.create<graph::SubOp>(start, limit));
  Value last =
      ctx.create<graph::DivOp>(ctx.create<graph::AddOp>(distance, none),
                               ctx.create<graph::AbsOp>(delta));
  Value count = ctx.create<graph::SubOp>(last, none);
  Value hasAny = ctx.create<graph::GreaterOp>(distance, zero);
  Value isEndless = ctx.create<graph::EqualOp>(delta, zero);
  return ctx.create<graph::SelectOp>(
      isEndless, none, ctx.create<graph::SelectOp>(hasAny, count, zero));
}

/// The same for others; negative also where there are too many.
static Value countReals(NormalizeContext &ctx, Value start, Value limit,
                        Value delta) {
  Value exact =
      ctx.create<graph::DivOp>(ctx.create<graph::SubOp>(limit, start), delta);
  Value count = ctx.create<graph::MaxOp>(ctx.create<graph::CeilOp>(exact),
                                         ctx.scalarLike(0.0, exact));
  // This is false of what is no number.
  Value fits =
      ctx.create<graph::LessEqualOp>(exact, ctx.scalarLike(0x1p40, exact));
  return ctx.create<graph::SelectOp>(
      fits, ctx.cast(count, ctx.builder().getI64Type()),
      numberOf(ctx, int64_t(-1)));
}

/// start + i * delta for as many i as the run finds.
static Value computedRange(NormalizeContext &ctx, const Node &node) {
  mlir::Type element = node.type(0).getElementType();
  bool isInteger = mlir::isa<mlir::IntegerType>(element);
  mlir::Type wide = isInteger ? mlir::Type(ctx.builder().getI64Type())
                              : mlir::Type(ctx.builder().getF64Type());
  SmallVector<Value> bounds, numbers;
  for (unsigned index = 0; index < 3; ++index) {
    bounds.push_back(onlyElement(ctx, node.operand(index)));
    numbers.push_back(ctx.cast(bounds.back(), wide));
  }
  auto dims = extents(
      ctx, isInteger ? countIntegers(ctx, numbers[0], numbers[1], numbers[2])
                     : countReals(ctx, numbers[0], numbers[1], numbers[2]));
  if (!dims)
    return {};
  Value steps = ctx.createTyped<graph::IotaOp>(
      typeFromDims(*dims, element), 0, llvm::APFloat(0.0), llvm::APFloat(1.0));
  return ctx.create<graph::AddOp>(ctx.create<graph::MulOp>(steps, bounds[2]),
                                  bounds[0]);
}

Lowered normalize::lowerRange(NormalizeContext &ctx, const Node &node) {
  auto start = ctx.constantReals(node.operand(0));
  auto limit = ctx.constantReals(node.operand(1));
  auto delta = ctx.constantReals(node.operand(2));
  if (!start || !limit || !delta) {
    Value made = symbolicRange(ctx, node);
    return made ? made : computedRange(ctx, node);
  }
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
