//===- Slice.cpp - parts of tensors ---------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file resolves starts and ends as numpy does.
//===----------------------------------------------------------------------===//
#include "passes/Normalize/Movement/Movement.h"

using namespace tenon;
using namespace tenon::normalize;

namespace {
/// The elements taken from one dimension.
struct Cut {
  int64_t start = 0, size = 0, step = 1;
};
} // namespace

/// Positions count from the end when negative and are clamped to the
/// dimension, so that no input is out of range.
static Cut cut(int64_t start, int64_t end, int64_t step, int64_t size) {
  auto resolve = [&](int64_t position, int64_t low, int64_t high) {
    int64_t fromStart = position < 0 ? position + size : position;
    return std::clamp(fromStart, low, high);
  };
  int64_t low = step > 0 ? 0 : -1, high = step > 0 ? size : size - 1;
  int64_t first = resolve(start, 0, std::max<int64_t>(high, 0));
  int64_t last = resolve(end, low, std::max(high, low));
  Cut result;
  result.step = step;
  int64_t distance = step > 0 ? last - first : first - last;
  // The magnitude of the most negative step has no positive counterpart.
  uint64_t stride = step > 0 ? uint64_t(step) : -uint64_t(step);
  if (distance > 0 && size > 0)
    result.size = int64_t((uint64_t(distance) - 1) / stride + 1);
  result.start = result.size > 0 ? first : 0;
  if (result.size <= 1)
    result.step = 1;
  return result;
}

Lowered normalize::lowerSlice(NormalizeContext &ctx, const Node &node) {
  RankedTensorType type = node.type(0);
  int64_t rank = type.getRank();
  auto starts = listOperand(ctx, node, 1, "starts");
  auto ends = listOperand(ctx, node, 2, "ends");
  if (!starts || !ends)
    return mlir::failure();
  SmallVector<int64_t> axes = range(0, starts->size());
  SmallVector<int64_t> steps(starts->size(), 1);
  if (node.operand(3)) {
    auto listed = axesOperand(ctx, node, 3, rank);
    if (!listed)
      return mlir::failure();
    axes = *listed;
  }
  if (node.operand(4)) {
    auto listed = listOperand(ctx, node, 4, "steps");
    if (!listed)
      return mlir::failure();
    steps = *listed;
  }
  bool fits = starts->size() == ends->size() && starts->size() == axes.size() &&
              starts->size() == steps.size() && int64_t(axes.size()) <= rank &&
              !llvm::is_contained(steps, 0);
  if (!fits)
    return ctx.unsupported("starts, ends, axes and steps do not fit");
  if (!ctx.isStatic(node.operand(0)))
    return mlir::failure();
  SmallVector<int64_t> first(rank, 0), sizes(type.getShape()), strides(rank, 1);
  for (auto [index, axis] : llvm::enumerate(axes)) {
    Cut part = cut((*starts)[index], (*ends)[index], steps[index],
                   type.getDimSize(axis));
    first[axis] = part.start;
    sizes[axis] = part.size;
    strides[axis] = part.step;
  }
  bool isWhole = ArrayRef<int64_t>(sizes) == type.getShape() &&
                 llvm::all_of(strides, [](int64_t step) { return step > 0; });
  if (isWhole)
    return node.operand(0);
  return ctx.create<graph::SliceOp>(node.operand(0), first, sizes, strides);
}
