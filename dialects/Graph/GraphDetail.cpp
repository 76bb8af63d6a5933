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

IterationDim graph::detail::iterate(Attribute dim, bool reduction) {
  return {sizeOf(dim), reduction, dyn_cast_or_null<StringAttr>(dim)};
}

IterationDomain graph::detail::parallelDomain(RankedTensorType type) {
  IterationDomain domain;
  for (Attribute dim : dimsOf(type))
    domain.dims.push_back(iterate(dim));
  return domain;
}

IterationDomain graph::detail::windowDomain(RankedTensorType type,
                                            ArrayRef<int64_t> reduced) {
  IterationDomain domain = parallelDomain(type);
  for (int64_t extent : reduced)
    domain.dims.push_back({extent, true, {}});
  return domain;
}

//===-- Accesses ----------------------------------------------------------===//

AffineExpr graph::detail::AccessMaker::dim(unsigned index) const {
  return getAffineDimExpr(index, context);
}

AffineExpr graph::detail::AccessMaker::constant(int64_t value) const {
  return getAffineConstantExpr(value, context);
}

Access graph::detail::AccessMaker::access(ArrayRef<AffineExpr> results,
                                          bool clipped) const {
  Access access;
  access.map = AffineMap::get(numDims, 0, results, context);
  access.exact = !llvm::is_contained(results, unknown());
  access.clipped = clipped;
  return access;
}

SmallVector<AffineExpr> graph::detail::AccessMaker::dims(unsigned first,
                                                         unsigned count) const {
  SmallVector<AffineExpr> exprs;
  for (unsigned index = 0; index < count; ++index)
    exprs.push_back(dim(first + index));
  return exprs;
}

Access graph::detail::AccessMaker::whole(Value value) const {
  auto rank = cast<RankedTensorType>(value.getType()).getRank();
  return access(SmallVector<AffineExpr>(rank, unknown()));
}

Access graph::detail::AccessMaker::broadcast(Value value,
                                             RankedTensorType result) const {
  auto type = cast<RankedTensorType>(value.getType());
  int64_t offset = result.getRank() - type.getRank();
  SmallVector<AffineExpr> exprs;
  for (auto [index, size] : llvm::enumerate(type.getShape())) {
    int64_t to = offset + index;
    bool stretched = size == 1 && result.getDimSize(to) != 1;
    exprs.push_back(stretched ? constant(0) : dim(to));
  }
  return access(exprs);
}

//===-- Costs -------------------------------------------------------------===//

Cost graph::detail::streamCost(Operation *op, int64_t flops) {
  Cost cost;
  cost.flops = flops;
  for (Type type : op->getOperandTypes())
    cost.bytesRead += tensorBytes(type);
  for (Type type : op->getResultTypes())
    cost.bytesWritten += tensorBytes(type);
  return cost;
}

Cost graph::detail::domainCost(Operation *op, int64_t flopsPerPoint) {
  int64_t points = cast<TensorOpInterface>(op).getIterationDomain().size();
  return streamCost(op, flopsPerPoint * points);
}
