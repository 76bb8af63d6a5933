//===- Table.cpp - what data choose ---------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file lists the family's operators.
//===----------------------------------------------------------------------===//
#include "passes/Normalize/Selection/Selection.h"

#include "dialects/Graph/Bounds.h"

using namespace tenon;
using namespace tenon::normalize;

int64_t normalize::mostElements(NormalizeContext &ctx, RankedTensorType type) {
  mlir::Attribute count = sizeDim(type.getContext(), 1);
  for (mlir::Attribute dim : dimsOf(type))
    count = graph::multiplyDims(count, dim);
  return count ? graph::boundsOf(count, ctx.symbols()).max : INT64_MAX;
}

std::optional<SmallVector<int64_t>>
normalize::placesOfNonZero(const NormalizeContext &ctx, Value value) {
  auto numbers = ctx.constantReals(value);
  if (!numbers)
    return std::nullopt;
  SmallVector<int64_t> places;
  for (auto [place, number] : llvm::enumerate(*numbers))
    if (number != 0.0)
      places.push_back(int64_t(place));
  return places;
}

void normalize::populateSelectionLowerings(LoweringTable &table) {
  table.add("Compress", lowerCompress);
  table.add("NonMaxSuppression", lowerNonMaxSuppression);
  table.add("NonZero", lowerNonZero);
  table.add("Unique", lowerUnique);
}
