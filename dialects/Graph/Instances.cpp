//===- Instances.cpp - programs for given sizes ---------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dialects/Graph/Instances.h"

#include "dialects/Graph/Shapes.h"
#include "mlir/IR/AttrTypeSubElements.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::graph;

SmallVector<StringAttr> graph::symbolsOf(Attribute dim) {
  if (auto symbol = dyn_cast_or_null<StringAttr>(dim))
    return {symbol};
  if (auto expr = dyn_cast_or_null<DimExprAttr>(dim))
    return SmallVector<StringAttr>(expr.getSymbols());
  return {};
}

//===-- Substitution ------------------------------------------------------===//

/// The same with the arithmetic of dimensions, which knows sums of products.
static Attribute rebuild(AffineExpr expr, ArrayRef<Attribute> symbols,
                         MLIRContext *context) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return sizeDim(context, constant.getValue());
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expr))
    return symbols[symbol.getPosition()];
  auto binary = cast<AffineBinaryOpExpr>(expr);
  Attribute left = rebuild(binary.getLHS(), symbols, context);
  if (expr.getKind() == AffineExprKind::Add)
    return addDims(left, rebuild(binary.getRHS(), symbols, context));
  if (expr.getKind() == AffineExprKind::Mul)
    return multiplyDims(left, rebuild(binary.getRHS(), symbols, context));
  int64_t divisor = cast<AffineConstantExpr>(binary.getRHS()).getValue();
  return expr.getKind() == AffineExprKind::FloorDiv ? floorDivDim(left, divisor)
         : expr.getKind() == AffineExprKind::Mod
             ? modDim(left, divisor)
             : affineDim(left, 1, divisor - 1, divisor);
}

Attribute graph::substitute(Attribute dim, SymbolValues values) {
  if (auto symbol = dyn_cast_or_null<StringAttr>(dim))
    return values(symbol);
  auto expr = dyn_cast_or_null<DimExprAttr>(dim);
  if (!expr)
    return dim;
  auto symbols = llvm::map_to_vector(expr.getSymbols(), values);
  return rebuild(expr.getExpr(), symbols, dim.getContext());
}

Type graph::mapDims(Type type, DimMap map) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor || tensor.hasStaticShape())
    return type;
  Dims dims = dimsOf(tensor);
  for (Attribute &dim : dims)
    dim = dim ? map(dim) : dim;
  return typeFromDims(dims, tensor.getElementType());
}

void graph::mapDims(Operation *op, DimMap map) {
  AttrTypeReplacer replacer;
  replacer.addReplacement([&](RankedTensorType type) {
    return std::make_pair(mapDims(Type(type), map), WalkResult::skip());
  });
  replacer.addReplacement([&](DimsAttr dims) {
    SmallVector<Attribute> entries;
    for (Attribute dim : dims.getDims())
      entries.push_back(isa<UnitAttr>(dim) ? dim : map(dim));
    Attribute replaced = DimsAttr::get(
        dims.getContext(), ArrayAttr::get(dims.getContext(), entries));
    return std::make_pair(replaced, WalkResult::skip());
  });
  replacer.recursivelyReplaceElementsIn(op, /*replaceAttrs=*/true,
                                        /*replaceLocs=*/false,
                                        /*replaceTypes=*/true);
  op->walk([](Operation *inner) { settleDims(inner); });
}

Type graph::substitute(Type type, SymbolValues values) {
  return mapDims(type, [&](Attribute dim) { return substitute(dim, values); });
}

void graph::substitute(Operation *op, SymbolValues values) {
  mapDims(op, [&](Attribute dim) { return substitute(dim, values); });
}
