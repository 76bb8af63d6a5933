//===- Table.cpp - shape arithmetic ---------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file lists the family's operators.
//===----------------------------------------------------------------------===//
#include "passes/Normalize/Extents.h"
#include "passes/Normalize/Shape/Shape.h"
#include "llvm/Support/MathExtras.h"

using namespace tenon;
using namespace tenon::normalize;

/// Tensors of more elements than this are refused before they are a type.
static constexpr int64_t kMaxElements = int64_t(1) << 40;

std::optional<Dims> normalize::shapeOperand(NormalizeContext &ctx,
                                            const Node &node, unsigned index) {
  auto shape = sizesOf(ctx, node.operand(index), "shape");
  if (!shape)
    return std::nullopt;
  int64_t elements = 1;
  for (mlir::Attribute dim : *shape) {
    if (graph::isSymbolic(dim))
      continue;
    int64_t size = sizeOf(dim);
    bool overflows = size < 0 || llvm::MulOverflow(elements, size, elements) ||
                     elements > kMaxElements;
    if (overflows) {
      (void)ctx.unsupported("the shape operand is negative or too large");
      return std::nullopt;
    }
  }
  return shape;
}

void normalize::populateShapeLowerings(LoweringTable &table) {
  table.add("ConstantOfShape", lowerConstantOfShape);
  table.add("Range", lowerRange);
  table.add("Shape", lowerShape);
  table.add("Size", lowerSize);
}
