//===- TypicalSizes.cpp - what symbols are likely to be -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dialects/Graph/TypicalSizes.h"

#include "dialects/Graph/DerivedDims.h"
#include "dialects/Graph/Instances.h"
#include "dialects/Graph/Shapes.h"
#include "dialects/Graph/TypicalAttr.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/xxhash.h"

#include <cmath>

using namespace mlir;
using namespace tenon;
using namespace tenon::graph;

/// What sizes are where nobody says anything.
static constexpr int64_t usualSize = 128;
/// Where products of sizes end, so that sums of many do not wrap around.
static constexpr int64_t mostTypical = int64_t(1) << 48;

static int64_t saturated(bool overflows, int64_t result, bool isNegative) {
  if (overflows)
    return isNegative ? -mostTypical : mostTypical;
  return std::clamp(result, -mostTypical, mostTypical);
}

/// With numbers that saturate: no estimate wraps around.
static int64_t evaluate(AffineExpr expr, ArrayRef<int64_t> symbols) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return constant.getValue();
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expr))
    return symbols[symbol.getPosition()];
  auto binary = cast<AffineBinaryOpExpr>(expr);
  int64_t a = evaluate(binary.getLHS(), symbols),
          b = evaluate(binary.getRHS(), symbols), result = 0;
  if (expr.getKind() == AffineExprKind::Add)
    return saturated(llvm::AddOverflow(a, b, result), result, a < 0);
  if (expr.getKind() == AffineExprKind::Mul)
    return saturated(llvm::MulOverflow(a, b, result), result,
                     (a < 0) != (b < 0));
  // Divisors are positive.
  int64_t quotient = llvm::divideFloorSigned(a, b);
  return expr.getKind() == AffineExprKind::FloorDiv ? quotient
         : expr.getKind() == AffineExprKind::CeilDiv
             ? -llvm::divideFloorSigned(-a, b)
             : a - quotient * b;
}

TypicalSizes TypicalSizes::in(ModuleOp module, double number) {
  TypicalSizes sizes;
  if (!module)
    return sizes;
  if (FailureOr<ConstraintStore> store = ConstraintStore::load(module);
      succeeded(store))
    sizes.store = *store;
  if (auto others = module->getAttrOfType<DenseI64ArrayAttr>(typicalAttr))
    llvm::append_range(sizes.others, others.asArrayRef());
  sizes.further = module->getAttrOfType<ArrayAttr>(furtherAttr);
  sizes.number = number;
  return sizes;
}

TypicalSizes TypicalSizes::around(Operation *op, double number) {
  auto module = dyn_cast<ModuleOp>(op);
  return in(module ? module : op->getParentOfType<ModuleOp>(), number);
}

unsigned TypicalSizes::countFurther(ModuleOp module) {
  constexpr int64_t most = 16;
  Attribute further = module->getAttr(furtherAttr);
  if (auto sizes = dyn_cast_or_null<ArrayAttr>(further))
    return sizes.size();
  auto divisions = dyn_cast_or_null<IntegerAttr>(further);
  return divisions ? std::clamp<int64_t>(divisions.getInt(), 0, most) : 0;
}

/// In the list, of which the typical sizes are the first.
int64_t TypicalSizes::listed(StringAttr symbol, int64_t usual,
                             size_t at) const {
  if (at == 0)
    return usual;
  auto sizes = cast<DictionaryAttr>(further[std::min(at, further.size()) - 1]);
  for (NamedAttribute entry : sizes)
    if (store.equal(entry.getName(), symbol.getValue()))
      return cast<IntegerAttr>(entry.getValue()).getInt();
  return usual;
}

int64_t TypicalSizes::wanted(StringAttr symbol, int64_t usual) const {
  if (number == 0)
    return usual;
  double size = double(usual) * std::exp2(-0.5 * number);
  if (further) {
    double before = std::floor(number), part = number - before;
    auto of = [&](double at) {
      return double(listed(symbol, usual, size_t(at)));
    };
    size = of(before);
    if (part > 0)
      size *= std::pow(of(before + 1) / size, part);
  }
  return std::max<int64_t>(1, std::llround(size));
}

int64_t TypicalSizes::ofSymbol(StringAttr symbol) const {
  if (std::optional<DerivedDim> derived = derivationOf(symbol)) {
    int64_t a = of(derived->operands[0]), b = of(derived->operands[1]);
    return derived->function == "min" ? std::min(a, b) : std::max(a, b);
  }
  SymbolRange range = store.range(symbol.getValue());
  int64_t unit = range.multipleOf;
  int64_t usual = range.typical ? range.typical : usualSize;
  if (!range.typical && !others.empty())
    usual = others[llvm::xxh3_64bits(symbol.getValue()) % others.size()];
  int64_t typical =
      std::clamp(wanted(symbol, usual), range.min, range.max) / unit * unit;
  return typical < std::max<int64_t>(1, range.min) ? typical + unit : typical;
}

int64_t TypicalSizes::of(Attribute dim) const {
  if (auto symbol = dyn_cast_or_null<StringAttr>(dim))
    return ofSymbol(symbol);
  auto expr = dyn_cast_or_null<DimExprAttr>(dim);
  if (!expr)
    return std::max<int64_t>(0, graph::sizeOf(dim));
  auto symbols = llvm::map_to_vector(
      expr.getSymbols(), [&](StringAttr symbol) { return ofSymbol(symbol); });
  return std::max<int64_t>(0, evaluate(expr.getExpr(), symbols));
}

Attribute TypicalSizes::sizeOf(Attribute dim) const {
  return sizeDim(dim.getContext(), of(dim));
}
