//===- Shape.cpp - the dimensions of a tensor -----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file makes a constant of dimensions that are known.
//===----------------------------------------------------------------------===//
#include "passes/Normalize/Shape/Shape.h"

using namespace tenon;
using namespace tenon::normalize;

Lowered normalize::lowerShape(NormalizeContext &ctx, const Node &node) {
  ArrayRef<int64_t> shape = node.type(0).getShape();
  int64_t rank = shape.size();
  auto clamp = [&](int64_t position) {
    int64_t fromStart = position < 0 ? position + rank : position;
    return std::clamp<int64_t>(fromStart, 0, rank);
  };
  int64_t start = clamp(node.integer("start", 0));
  int64_t end = clamp(node.integer("end", rank));
  ArrayRef<int64_t> part =
      shape.slice(start, std::max<int64_t>(end - start, 0));
  if (llvm::any_of(part, mlir::ShapedType::isDynamic))
    return ctx.unsupported(kUnknownShape);
  return ctx.vector(part);
}
