//===- GraphDetail.cpp - shared by the files of the dialect ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file implements messages, domains, access maps and costs for all
// families.
//===----------------------------------------------------------------------===//
#include "dialects/Graph/GraphDetail.h"

#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::graph;

LogicalResult graph::detail::refuse(std::optional<Location> loc,
                                    const Twine &text) {
  return emitOptionalError(loc, text);
}

std::string graph::detail::shapeText(Type type) {
  std::string text;
  llvm::raw_string_ostream os(text);
  llvm::interleave(
      cast<ShapedType>(type).getShape(), os,
      [&](int64_t size) {
        ShapedType::isDynamic(size) ? os << '?' : os << size;
      },
      "x");
  return text.empty() ? "scalar" : text;
}

//===-- Iteration domains -------------------------------------------------===//

std::optional<int64_t> IterationDomain::size() const {
  int64_t points = 1;
  for (const IterationDim &dim : dims) {
    if (ShapedType::isDynamic(sizeOf(dim.extent)))
      return std::nullopt;
    points *= sizeOf(dim.extent);
  }
  return points;
}

IterationDomain graph::detail::parallelDomain(RankedTensorType type) {
  IterationDomain domain;
  for (Attribute dim : dimsOf(type))
    domain.dims.push_back({dim});
  return domain;
}

IterationDomain graph::detail::windowDomain(RankedTensorType type,
                                            ArrayRef<int64_t> reduced) {
  IterationDomain domain = parallelDomain(type);
  for (int64_t extent : reduced)
    domain.dims.push_back(
        {sizeDim(type.getContext(), extent), DimKind::Reduction});
  return domain;
}

//===-- Reductions --------------------------------------------------------===//

/// The smallest number of a type, or the largest.
static TypedAttr extremeOf(Type type, bool largest) {
  if (auto real = dyn_cast<FloatType>(type))
    return FloatAttr::get(
        type, APFloat::getInf(real.getFloatSemantics(), /*Negative=*/!largest));
  unsigned width = type.getIntOrFloatBitWidth();
  if (type.isUnsignedInteger())
    return IntegerAttr::get(type, largest ? APInt::getMaxValue(width)
                                          : APInt::getMinValue(width));
  return IntegerAttr::get(type, largest ? APInt::getSignedMaxValue(width)
                                        : APInt::getSignedMinValue(width));
}

static TypedAttr numberOf(Type type, unsigned number) {
  if (isa<FloatType>(type))
    return FloatAttr::get(type, double(number));
  return IntegerAttr::get(type, APInt(type.getIntOrFloatBitWidth(), number));
}

Reduction graph::detail::reduction(ReductionKind kind, Value value) {
  Type type = cast<RankedTensorType>(value.getType()).getElementType();
  switch (kind) {
  case ReductionKind::Sum:
    return {kind, numberOf(type, 0)};
  case ReductionKind::Product:
    return {kind, numberOf(type, 1)};
  case ReductionKind::Max:
    return {kind, extremeOf(type, /*largest=*/false)};
  case ReductionKind::Min:
    return {kind, extremeOf(type, /*largest=*/true)};
  case ReductionKind::ArgMax:
  case ReductionKind::ArgMin:
  case ReductionKind::Last:
    break;
  }
  return {kind, {}};
}

//===-- Accesses ----------------------------------------------------------===//

Value Access::valueIn(Operation *op) const {
  return ofResult ? Value(op->getResult(number)) : op->getOperand(number);
}

AffineExpr graph::detail::AccessMaker::dim(unsigned index) const {
  return getAffineDimExpr(index, context);
}

AffineExpr graph::detail::AccessMaker::constant(int64_t value) const {
  return getAffineConstantExpr(value, context);
}

AffineExpr graph::detail::AccessMaker::any(unsigned dim) const {
  return getAffineSymbolExpr(dim, context);
}

SmallVector<AffineExpr> graph::detail::AccessMaker::dims(unsigned first,
                                                         unsigned count) const {
  SmallVector<AffineExpr> exprs;
  for (unsigned index = 0; index < count; ++index)
    exprs.push_back(dim(first + index));
  return exprs;
}

Access graph::detail::AccessMaker::read(unsigned operand,
                                        ArrayRef<AffineExpr> exprs,
                                        AccessKind kind,
                                        std::optional<Outside> outside) const {
  bool hasAny = llvm::any_of(llvm::enumerate(exprs), [](auto expr) {
    return expr.value().isFunctionOfSymbol(expr.index());
  });
  Access access;
  access.map =
      AffineMap::get(numDims, hasAny ? exprs.size() : 0, exprs, context);
  access.kind = kind;
  access.outside = outside;
  access.number = operand;
  return access;
}

Access graph::detail::AccessMaker::readBack(unsigned result,
                                            ArrayRef<AffineExpr> exprs,
                                            AccessKind kind,
                                            Outside outside) const {
  Access access = read(result, exprs, kind, outside);
  access.ofResult = true;
  return access;
}

Access graph::detail::AccessMaker::write(unsigned result,
                                         ArrayRef<AffineExpr> exprs) const {
  Access access = read(result, exprs);
  access.ofResult = access.writes = true;
  return access;
}

Access graph::detail::AccessMaker::readBroadcast(
    unsigned operand, RankedTensorType type, RankedTensorType result) const {
  Dims from = dimsOf(type), to = dimsOf(result);
  size_t offset = to.size() - from.size();
  SmallVector<AffineExpr> exprs;
  AccessKind kind = AccessKind::Exact;
  for (auto [index, extent] : llvm::enumerate(from)) {
    Attribute other = to[offset + index];
    int64_t size = sizeOf(extent);
    if (size == 1 && sizeOf(other) != 1) {
      exprs.push_back(constant(0));
    } else if (!ShapedType::isDynamic(size) || (extent && extent == other)) {
      exprs.push_back(dim(offset + index));
    } else {
      // It may be 1 when the program runs.
      exprs.push_back(any(index));
      kind = AccessKind::Over;
    }
  }
  return read(operand, exprs, kind);
}

//===-- Costs -------------------------------------------------------------===//

graph::detail::Count graph::detail::sum(Count a, Count b) {
  return a && b ? Count(*a + *b) : std::nullopt;
}

graph::detail::Count graph::detail::product(Count a, Count b) {
  return a && b ? Count(*a * *b) : std::nullopt;
}

Cost graph::detail::streamCost(Operation *op, Count flops) {
  Cost cost;
  cost.flops = flops;
  for (Type type : op->getOperandTypes())
    cost.bytesRead = sum(cost.bytesRead, tensorBytes(type));
  for (Type type : op->getResultTypes())
    cost.bytesWritten = sum(cost.bytesWritten, tensorBytes(type));
  return cost;
}

Cost graph::detail::domainCost(Operation *op, Count flopsPerPoint) {
  Count points = cast<TensorOpInterface>(op).getIterationDomain().size();
  return streamCost(op, product(flopsPerPoint, points));
}
