//===- Bounds.cpp - what is known of a dimension --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file computes with intervals.
//===----------------------------------------------------------------------===//
#include "dialects/Graph/Bounds.h"
#include "dialects/Graph/DerivedDims.h"
#include "dialects/Graph/Shapes.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::graph;

using Wide = __int128;

static constexpr int64_t most = int64_t(1) << 62;

static bool isUnbounded(int64_t number) {
  return number > most || number < -most;
}

static int64_t narrowed(Wide number) {
  return number > most ? INT64_MAX : number < -most ? INT64_MIN : number;
}

/// Zero times anything is zero.
static int64_t product(int64_t a, int64_t b) {
  return narrowed(Wide(a) * Wide(b));
}

static int64_t sum(int64_t a, int64_t b) {
  if (isUnbounded(a) || isUnbounded(b))
    return isUnbounded(a) ? a : b;
  return narrowed(Wide(a) + b);
}

static int64_t quotient(int64_t a, int64_t b) {
  return isUnbounded(a) ? a : llvm::divideFloorSigned(a, b);
}

static DimBounds boundsOfExpr(AffineExpr expr, ArrayRef<StringAttr> names,
                              const ConstraintStore &symbols) {
  if (auto number = dyn_cast<AffineConstantExpr>(expr))
    return {number.getValue(), number.getValue()};
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expr))
    return boundsOf(names[symbol.getPosition()], symbols);
  auto binary = cast<AffineBinaryOpExpr>(expr);
  DimBounds left = boundsOfExpr(binary.getLHS(), names, symbols);
  DimBounds right = boundsOfExpr(binary.getRHS(), names, symbols);
  switch (expr.getKind()) {
  case AffineExprKind::Add:
    return {sum(left.min, right.min), sum(left.max, right.max)};
  case AffineExprKind::Mul: {
    auto corners = {product(left.min, right.min), product(left.min, right.max),
                    product(left.max, right.min), product(left.max, right.max)};
    return {std::min(corners), std::max(corners)};
  }
  case AffineExprKind::FloorDiv:
    return {quotient(left.min, right.min), quotient(left.max, right.min)};
  case AffineExprKind::CeilDiv:
    return {quotient(sum(left.min, right.min - 1), right.min),
            quotient(sum(left.max, right.min - 1), right.min)};
  default:
    return {0, right.min - 1};
  }
}

/// What arithmetic makes of numbers that are too large is no size.
static bool mayBeNegative(StringAttr symbol) {
  return llvm::any_of(
      ArrayRef<StringRef>{"difference(", "sum(", "affine("},
      [&](StringRef made) { return symbol.getValue().starts_with(made); });
}

/// What "min(m, n)" is made of.
static std::optional<DerivedDim> minimumOf(Attribute dim) {
  auto symbol = dyn_cast_or_null<StringAttr>(dim);
  bool isMinimum = symbol && symbol.getValue().starts_with("min(");
  return isMinimum ? derivationOf(symbol) : std::nullopt;
}

DimBounds graph::boundsOf(Attribute dim, const ConstraintStore &symbols) {
  if (auto size = dyn_cast_or_null<IntegerAttr>(dim))
    return {size.getInt(), size.getInt()};
  if (auto expr = dyn_cast_or_null<DimExprAttr>(dim))
    return boundsOfExpr(expr.getExpr(), expr.getSymbols(), symbols);
  auto symbol = dyn_cast_or_null<StringAttr>(dim);
  if (std::optional<DerivedDim> least = minimumOf(dim)) {
    DimBounds a = boundsOf(least->operands[0], symbols);
    DimBounds b = boundsOf(least->operands[1], symbols);
    return {std::min(a.min, b.min), std::min(a.max, b.max)};
  }
  if (symbol && !mayBeNegative(symbol)) {
    SymbolRange range = symbols.range(symbol.getValue());
    return {range.min, narrowed(range.max)};
  }
  return {INT64_MIN, INT64_MAX};
}

bool graph::isAtLeast(Attribute a, Attribute b,
                      const ConstraintStore &symbols) {
  if (!a || !b)
    return false;
  if (std::optional<DerivedDim> least = minimumOf(b);
      least && llvm::any_of(least->operands, [&](Attribute operand) {
        return isAtLeast(a, operand, symbols);
      }))
    return true;
  // Also of numbers whose difference is too large.
  return boundsOf(a, symbols).min >= boundsOf(b, symbols).max ||
         boundsOf(subtractDims(a, b), symbols).min >= 0;
}

/// Whether a larger symbol never makes it smaller, by how it is written.
static bool isIncreasing(AffineExpr expr) {
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!binary)
    return true;
  auto right = dyn_cast<AffineConstantExpr>(binary.getRHS());
  if (expr.getKind() == AffineExprKind::Add)
    return isIncreasing(binary.getLHS()) && isIncreasing(binary.getRHS());
  return expr.getKind() != AffineExprKind::Mod && right &&
         right.getValue() > 0 && isIncreasing(binary.getLHS());
}

/// The least value of the only symbol for which such an expression is at least
/// `least`; none where that is too large.
static std::optional<int64_t> leastOf(DimExprAttr dim, int64_t least) {
  MLIRContext *context = dim.getContext();
  auto isPossible = [&](int64_t value) {
    AffineExpr number = getAffineConstantExpr(value, context);
    auto result =
        dyn_cast<AffineConstantExpr>(dim.getExpr().replaceSymbols({number}));
    return result && result.getValue() >= least;
  };
  int64_t low = 0, high = int64_t(1) << 31;
  if (!isPossible(high))
    return std::nullopt;
  while (low < high) {
    int64_t middle = low + (high - low) / 2;
    isPossible(middle) ? high = middle : low = middle + 1;
  }
  return low;
}

LogicalResult graph::demandNotNegative(Attribute dim,
                                       ConstraintStore &symbols) {
  if (!dim)
    return failure();
  if (boundsOf(dim, symbols).min >= 0)
    return success();
  auto expr = dyn_cast<DimExprAttr>(dim);
  if (!expr || expr.getSymbols().size() != 1)
    return failure();
  // dim = factor * symbol + offset, as its values at 0 and 1 would have it.
  StringAttr symbol = expr.getSymbols()[0];
  // Nothing checks ranges of what is made of others.
  if (derivationOf(symbol))
    return failure();
  SymbolRange range;
  if (isIncreasing(expr.getExpr())) {
    std::optional<int64_t> least = leastOf(expr, 0);
    range.min = least.value_or(0);
    return success(least &&
                   succeeded(symbols.constrain(symbol.getValue(), range)));
  }
  MLIRContext *context = dim.getContext();
  // Below the first value that makes it negative.
  auto negated =
      dyn_cast_or_null<DimExprAttr>(subtractDims(sizeDim(context, 0), dim));
  if (negated && isIncreasing(negated.getExpr())) {
    std::optional<int64_t> end = leastOf(negated, 1);
    range.max = end.value_or(0) - 1;
    return success(end && range.max >= 0 &&
                   succeeded(symbols.constrain(symbol.getValue(), range)));
  }
  auto at = [&](int64_t value) {
    AffineExpr number = getAffineConstantExpr(value, context);
    auto result =
        dyn_cast<AffineConstantExpr>(expr.getExpr().replaceSymbols({number}));
    return result ? result.getValue() : 0;
  };
  int64_t offset = at(0), factor = at(1) - offset;
  Attribute rest = subtractDims(dim, affineDim(symbol, factor, offset));
  if (factor == 0 || sizeOf(rest) != 0)
    return failure();
  if (factor > 0)
    range.min = std::max<int64_t>(llvm::divideCeilSigned(-offset, factor), 0);
  else
    range.max = llvm::divideFloorSigned(offset, -factor);
  if (range.max < range.min)
    return failure();
  return symbols.constrain(symbol.getValue(), range);
}
