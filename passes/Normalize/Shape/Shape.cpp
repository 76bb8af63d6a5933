//===- Shape.cpp - the dimensions of a tensor -----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file makes numbers of dimensions.
//===----------------------------------------------------------------------===//
#include "passes/Normalize/Shape/Shape.h"

using namespace tenon;
using namespace tenon::normalize;

Lowered normalize::lowerShape(NormalizeContext &ctx, const Node &node) {
  Dims dims = dimsOf(node.type(0));
  int64_t rank = dims.size();
  auto clamp = [&](int64_t position) {
    int64_t fromStart = position < 0 ? position + rank : position;
    return std::clamp<int64_t>(fromStart, 0, rank);
  };
  int64_t start = clamp(node.integer("start", 0));
  int64_t end = clamp(node.integer("end", rank));
  return ctx.sizes(ArrayRef<mlir::Attribute>(dims).slice(
      start, std::max<int64_t>(end - start, 0)));
}
