//===- Slice.cpp - parts of tensors ---------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file resolves starts and ends as numpy does, on sizes and on symbols.
//===----------------------------------------------------------------------===//
#include "passes/Normalize/Movement/Movement.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::normalize;

/// From here on, an end is taken for one that no size exceeds.
static constexpr int64_t largeEnd = 1 << 20;

namespace {
/// The elements taken from one dimension, which has a size.
struct Numbers {
  int64_t start = 0, size = 0, step = 1;
};

/// The elements taken from one dimension; no size after a failure.
struct Cut {
  Attribute start, size;
  int64_t step = 1;
};

/// Positions in a dimension with symbols. What cannot be proved of them is
/// demanded, so that none has to be clamped.
class Positions {
public:
  Positions(NormalizeContext &ctx, Attribute size)
      : ctx(ctx), size(size), zero(sizeDim(size.getContext(), 0)) {}

  Cut cut(Attribute start, Attribute end, int64_t step);

private:
  Attribute resolve(Attribute position);
  Attribute number(int64_t value) { return sizeDim(size.getContext(), value); }

  NormalizeContext &ctx;
  Attribute size, zero;
};
} // namespace

/// Positions count from the end when negative and are clamped to the
/// dimension, so that no input is out of range.
static Numbers cutNumbers(int64_t start, int64_t end, int64_t step,
                          int64_t size) {
  auto resolve = [&](int64_t position, int64_t low, int64_t high) {
    int64_t fromStart = position < 0 ? position + size : position;
    return std::clamp(fromStart, low, high);
  };
  int64_t low = step > 0 ? 0 : -1, high = step > 0 ? size : size - 1;
  int64_t first = resolve(start, 0, std::max<int64_t>(high, 0));
  int64_t last = resolve(end, low, std::max(high, low));
  Numbers result;
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

/// From the start, within [0, size]; null after a refusal.
Attribute Positions::resolve(Attribute position) {
  if (ctx.isAtLeast(number(-1), position))
    position =
        ctx.isAtLeast(number(std::numeric_limits<int32_t>::min()), position)
            ? zero
            : graph::addDims(position, size);
  // The end that exporters write for "all".
  if (ctx.isAtLeast(position, number(std::numeric_limits<int32_t>::max())) ||
      ctx.isAtLeast(position, size))
    return size;
  // Others write 999999999.
  if (!graph::isSymbolic(position) && sizeOf(position) >= largeEnd)
    return succeeded(ctx.demandAtLeast(position, size)) ? size : Attribute();
  bool lies = succeeded(ctx.demandAtLeast(position, zero)) &&
              succeeded(ctx.demandAtLeast(size, position));
  return lies ? position : Attribute();
}

/// Backwards, elements are those from end + 1 to start, and ends before the
/// first one are written as large negative numbers.
Cut Positions::cut(Attribute start, Attribute end, int64_t step) {
  Cut result;
  result.step = step;
  bool isBackward = step < 0;
  Attribute first = resolve(isBackward && !ctx.isAtLeast(number(-1), start) &&
                                    !ctx.isAtLeast(start, size)
                                ? graph::affineDim(start, 1, 1)
                                : start);
  if (isBackward && ctx.isAtLeast(number(-1), start))
    first = graph::addDims(graph::affineDim(size, 1, 1), start);
  Attribute last = resolve(end);
  if (isBackward && last && last != zero)
    last = graph::affineDim(last, 1, 1);
  if (!first || !last || step == std::numeric_limits<int64_t>::min())
    return {};
  Attribute distance = isBackward ? graph::subtractDims(first, last)
                                  : graph::subtractDims(last, first);
  int64_t stride = isBackward ? -step : step;
  Attribute count = graph::affineDim(distance, 1, stride - 1, stride);
  if (failed(ctx.demandAtLeast(count, zero)))
    return {};
  result.start = isBackward ? graph::affineDim(first, 1, -1) : first;
  result.size = count;
  return result;
}

static Cut cut(NormalizeContext &ctx, Attribute start, Attribute end,
               int64_t step, Attribute size) {
  bool areNumbers = !graph::isSymbolic(start) && !graph::isSymbolic(end) &&
                    size && !graph::isSymbolic(size);
  if (!size)
    (void)ctx.unsupported(kUnknownShape);
  if (!areNumbers)
    return size ? Positions(ctx, size).cut(start, end, step) : Cut();
  Numbers part = cutNumbers(sizeOf(start), sizeOf(end), step, sizeOf(size));
  MLIRContext *context = size.getContext();
  return {sizeDim(context, part.start), sizeDim(context, part.size), part.step};
}

namespace {
/// The operands of a slice.
struct Parts {
  Dims starts, ends;
  SmallVector<int64_t> axes, steps;
};
} // namespace

static std::optional<Parts> readParts(NormalizeContext &ctx, const Node &node,
                                      int64_t rank) {
  auto starts = ctx.contents(node.operand(1));
  auto ends = ctx.contents(node.operand(2));
  if (!starts || !ends) {
    (void)ctx.unsupported("'" + StringRef(starts ? "ends" : "starts") +
                          "' is not known at compile time");
    return std::nullopt;
  }
  Parts parts{*starts, *ends, range(0, starts->size()),
              SmallVector<int64_t>(starts->size(), 1)};
  if (node.operand(3)) {
    auto listed = axesOperand(ctx, node, 3, rank);
    if (!listed)
      return std::nullopt;
    parts.axes = *listed;
  }
  if (node.operand(4)) {
    auto listed = listOperand(ctx, node, 4, "steps");
    if (!listed)
      return std::nullopt;
    parts.steps = *listed;
  }
  size_t count = parts.starts.size();
  bool fits = count == parts.ends.size() && count == parts.axes.size() &&
              count == parts.steps.size() && int64_t(count) <= rank &&
              !llvm::is_contained(parts.steps, 0);
  if (fits)
    return parts;
  (void)ctx.unsupported("starts, ends, axes and steps do not fit");
  return std::nullopt;
}

Lowered normalize::lowerSlice(NormalizeContext &ctx, const Node &node) {
  RankedTensorType type = node.type(0);
  int64_t rank = type.getRank();
  auto parts = readParts(ctx, node, rank);
  if (!parts)
    return failure();
  Dims sizes = dimsOf(type), first(rank, sizeDim(node.context(), 0));
  SmallVector<int64_t> strides(rank, 1);
  for (auto [index, axis] : llvm::enumerate(parts->axes)) {
    Cut part = cut(ctx, parts->starts[index], parts->ends[index],
                   parts->steps[index], sizes[axis]);
    if (!part.size)
      return failure();
    first[axis] = part.start;
    sizes[axis] = part.size;
    strides[axis] = part.step;
  }
  return ctx.slice(node.operand(0), first, sizes, strides);
}
