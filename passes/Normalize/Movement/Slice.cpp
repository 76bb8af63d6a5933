//===- Slice.cpp - parts of tensors ---------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file resolves starts and ends as numpy does, on sizes and on symbols.
//===----------------------------------------------------------------------===//
#include "dialects/Graph/Bounds.h"
#include "dialects/Graph/DerivedDims.h"
#include "dialects/Graph/Instances.h"
#include "passes/Normalize/Extents.h"
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

/// The elements taken from one dimension; no size where nothing fits.
struct Cut {
  Attribute start, size;
  int64_t step = 1;
};

/// Positions in a dimension with symbols. Where one symbol decides, most of
/// what cannot be proved is demanded of the inputs, so that sizes stay simple.
class Positions {
public:
  /// `fits`: the model states a result that needs all positions to exist.
  Positions(NormalizeContext &ctx, Attribute size, bool fits)
      : ctx(ctx), size(size), zero(sizeDim(size.getContext(), 0)), fits(fits) {}

  Cut cut(Attribute start, Attribute end, int64_t step);

private:
  Attribute fromEnd(Attribute position);
  Attribute behind(Attribute position);
  Cut cutBackward(Attribute start, Attribute end, int64_t stride);
  Attribute resolve(Attribute position);
  Attribute counted(Attribute distance, int64_t stride, bool isPositive);
  bool demand(Attribute a, Attribute b);
  Attribute number(int64_t value) { return sizeDim(size.getContext(), value); }

  NormalizeContext &ctx;
  Attribute size, zero;
  bool fits;
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

/// That a >= b.
bool Positions::demand(Attribute a, Attribute b) {
  if (ctx.isAtLeast(a, b))
    return true;
  Attribute distance = graph::subtractDims(a, b);
  return isOfInputs(ctx, distance) &&
         succeeded(graph::demandNotNegative(distance, ctx.symbols()));
}

/// A negative position, from the start: of a number beyond the first element,
/// that.
Attribute Positions::fromEnd(Attribute position) {
  if (fits || graph::isSymbolic(position) || sizeOf(position) == -1)
    return graph::addDims(position, size);
  return graph::subtractDims(size,
                             graph::minDims(number(-sizeOf(position)), size));
}

/// From the start, within [0, size]; null where it may lie elsewhere.
Attribute Positions::resolve(Attribute position) {
  if (ctx.isAtLeast(number(-1), position))
    position =
        ctx.isAtLeast(number(std::numeric_limits<int32_t>::min()), position)
            ? zero
            : fromEnd(position);
  // The end that exporters write for "all".
  if (ctx.isAtLeast(position, number(std::numeric_limits<int32_t>::max())) ||
      ctx.isAtLeast(position, size))
    return size;
  // Others write 999999999.
  if (!graph::isSymbolic(position) && sizeOf(position) >= largeEnd)
    return demand(position, size) ? size : Attribute();
  if (!demand(position, zero))
    return {};
  // The first element is there, and symbols beyond a number have no use; what
  // else may exceed the dimension is cut off.
  bool isDemanded =
      fits || graph::isSymbolic(position) || sizeOf(position) <= 1;
  bool exists =
      isDemanded ? demand(size, position) : ctx.isAtLeast(size, position);
  return exists ? position : graph::minDims(position, size);
}

/// Whether no dimension has the second position before the first: both count
/// from the same end.
static bool areOrdered(Attribute low, Attribute high) {
  return !graph::isSymbolic(low) && !graph::isSymbolic(high) &&
         sizeOf(low) <= sizeOf(high) && (sizeOf(low) < 0) == (sizeOf(high) < 0);
}

/// How many steps there are in a distance, which is known to be positive or
/// not; none where it is negative; null where a simple one may be.
Attribute Positions::counted(Attribute distance, int64_t stride,
                             bool isPositive) {
  Attribute count = graph::affineDim(distance, 1, stride - 1, stride);
  if (isPositive)
    return count;
  bool isSimple = llvm::none_of(graph::symbolsOf(count), [](StringAttr symbol) {
    return bool(graph::derivationOf(symbol));
  });
  if (isSimple)
    return demand(count, zero) ? count : Attribute();
  if (ctx.isAtLeast(count, zero))
    return count;
  return graph::positivePart(count);
}

/// One behind a position, within [0, size]: backwards, elements are those from
/// end + 1 to start, and ends before the first one are large negative numbers.
Attribute Positions::behind(Attribute position) {
  if (!graph::isSymbolic(position) && sizeOf(position) < largeEnd) {
    int64_t at = sizeOf(position);
    if (at <= std::numeric_limits<int32_t>::min())
      return zero;
    if (at >= 0)
      return graph::minDims(number(at + 1), size);
    Attribute most = graph::affineDim(size, 1, 1);
    return at == -1
               ? size
               : graph::subtractDims(most, graph::minDims(number(-at), most));
  }
  if (ctx.isAtLeast(number(-1), position))
    return graph::addDims(graph::affineDim(size, 1, 1), position);
  if (ctx.isAtLeast(position, size))
    return size;
  return resolve(graph::affineDim(position, 1, 1));
}

Cut Positions::cutBackward(Attribute start, Attribute end, int64_t stride) {
  Attribute first = behind(start), last = behind(end);
  if (!first || !last)
    return {};
  Attribute distance = graph::subtractDims(first, last);
  bool isPositive = first == size || last == zero || areOrdered(end, start);
  Cut result;
  result.step = -stride;
  result.size = counted(distance, stride, isPositive);
  // Where nothing is taken, it begins somewhere.
  Attribute one = number(1);
  result.start = graph::subtractDims(
      first, ctx.isAtLeast(first, one) ? one : graph::minDims(first, one));
  return result;
}

Cut Positions::cut(Attribute start, Attribute end, int64_t step) {
  if (step == std::numeric_limits<int64_t>::min())
    return {};
  if (step < 0)
    return cutBackward(start, end, -step);
  Attribute first = resolve(start), last = resolve(end);
  if (!first || !last)
    return {};
  Attribute distance = graph::subtractDims(last, first);
  bool isPositive = first == zero || last == size || areOrdered(start, end);
  Cut result;
  result.step = step;
  result.start = first;
  result.size = counted(distance, step, isPositive);
  return result;
}

/// The same as cutNumbers(), by the run.
static Cut cutData(NormalizeContext &ctx, const Element &start,
                   const Element &end, int64_t step, Attribute size) {
  // No dimension has more elements.
  constexpr int64_t most = int64_t(1) << 40;
  step = std::clamp(step, -most, most);
  Value zero = numberOf(ctx, int64_t(0)), whole = numberOf(ctx, size);
  Value low = step > 0 ? zero : numberOf(ctx, int64_t(-1));
  Value high = step > 0 ? whole : ctx.create<graph::AddOp>(whole, low);
  auto resolve = [&](const Element &element, Value least) {
    Value position = numberOf(ctx, element);
    Value moved = ctx.create<graph::AddOp>(position, whole);
    Value isFromEnd = ctx.create<graph::LessOp>(position, zero);
    Value fromStart = ctx.create<graph::SelectOp>(isFromEnd, moved, position);
    return clampNumber(ctx, fromStart, least, high);
  };
  Value first = resolve(start, zero), last = resolve(end, low);
  Value distance = step > 0 ? ctx.create<graph::SubOp>(last, first)
                            : ctx.create<graph::SubOp>(first, last);
  // Nothing can be taken backwards of nothing.
  Value count = ctx.create<graph::MinOp>(
      countSteps(ctx, distance, std::abs(step)), whole);
  auto dims = extents(ctx, {first, count});
  if (!dims)
    return {};
  for (Attribute dim : *dims)
    limitSymbol(ctx, dim, graph::boundsOf(size, ctx.symbols()).max);
  return {dims->front(), dims->back(), step};
}

/// Whether `stated` elements are there only if all of these are.
static bool statesAll(const Element &start, const Element &end, int64_t step,
                      int64_t stated) {
  if (!start.isKnown() || !end.isKnown() || step <= 0 ||
      graph::isSymbolic(start.dim) || graph::isSymbolic(end.dim))
    return false;
  int64_t first = sizeOf(start.dim), last = sizeOf(end.dim);
  // To the end of all.
  if (first < 0 && last >= std::numeric_limits<int32_t>::max())
    last = 0;
  else if (!areOrdered(start.dim, end.dim))
    return false;
  return llvm::divideCeilSigned(last - first, step) == stated;
}

static Cut cut(NormalizeContext &ctx, const Element &start, const Element &end,
               int64_t step, Attribute size, int64_t stated) {
  if (!size) {
    (void)ctx.unsupported(kUnknownShape);
    return {};
  }
  if (!start.isKnown() || !end.isKnown())
    return cutData(ctx, start, end, step, size);
  if (graph::isSymbolic(start.dim) || graph::isSymbolic(end.dim) ||
      graph::isSymbolic(size)) {
    graph::ConstraintStore before = ctx.symbols();
    bool fits = statesAll(start, end, step, stated);
    Cut found = Positions(ctx, size, fits).cut(start.dim, end.dim, step);
    if (found.size)
      return found;
    ctx.symbols() = before;
    return cutData(ctx, start, end, step, size);
  }
  Numbers part =
      cutNumbers(sizeOf(start.dim), sizeOf(end.dim), step, sizeOf(size));
  MLIRContext *context = size.getContext();
  return {sizeDim(context, part.start), sizeDim(context, part.size), part.step};
}

namespace {
/// The operands of a slice.
struct Parts {
  SmallVector<Element> starts, ends;
  SmallVector<int64_t> axes, steps;
};
} // namespace

static std::optional<Parts> readParts(NormalizeContext &ctx, const Node &node,
                                      int64_t rank) {
  auto starts = elementsOf(ctx, node.operand(1), "starts");
  auto ends = elementsOf(ctx, node.operand(2), "ends");
  if (!starts || !ends)
    return std::nullopt;
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
  auto stated =
      dyn_cast<RankedTensorType>(node.operation()->getResult(0).getType());
  SmallVector<int64_t> strides(rank, 1);
  for (auto [index, axis] : llvm::enumerate(parts->axes)) {
    Cut part = cut(ctx, parts->starts[index], parts->ends[index],
                   parts->steps[index], sizes[axis],
                   stated && stated.getRank() == rank ? stated.getDimSize(axis)
                                                      : ShapedType::kDynamic);
    if (!part.size)
      return failure();
    first[axis] = part.start;
    sizes[axis] = part.size;
    strides[axis] = part.step;
  }
  return ctx.slice(node.operand(0), first, sizes, strides);
}
