//===- TypicalSizes.cpp - what symbols are likely to be -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dialects/Graph/TypicalSizes.h"

#include "dialects/Graph/DerivedDims.h"
#include "dialects/Graph/Instances.h"
#include "dialects/Graph/Shapes.h"
#include "dialects/Graph/TypicalAttr.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/xxhash.h"

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

TypicalSizes TypicalSizes::in(ModuleOp module) {
  if (!module)
    return TypicalSizes(ConstraintStore(), {});
  FailureOr<ConstraintStore> store = ConstraintStore::load(module);
  auto others = module->getAttrOfType<DenseI64ArrayAttr>(typicalAttr);
  return TypicalSizes(succeeded(store) ? *store : ConstraintStore(),
                      others ? others.asArrayRef() : ArrayRef<int64_t>());
}

TypicalSizes TypicalSizes::around(Operation *op) {
  auto module = dyn_cast<ModuleOp>(op);
  return in(module ? module : op->getParentOfType<ModuleOp>());
}

int64_t TypicalSizes::ofSymbol(StringAttr symbol) const {
  if (std::optional<DerivedDim> derived = derivationOf(symbol)) {
    int64_t a = of(derived->operands[0]), b = of(derived->operands[1]);
    return derived->function == "min" ? std::min(a, b) : std::max(a, b);
  }
  SymbolRange range = store.range(symbol.getValue());
  int64_t wanted = range.typical ? range.typical : usualSize;
  if (!range.typical && !others.empty())
    wanted = others[llvm::xxh3_64bits(symbol.getValue()) % others.size()];
  int64_t unit = range.multipleOf;
  int64_t typical = std::clamp(wanted, range.min, range.max) / unit * unit;
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
