//===- SplitReductions.cpp - large reductions in two steps ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file implements tenon-split-reductions: of maps, which threads of a CPU
// would not share, and of few long rows, of which a device has a block each.
//===----------------------------------------------------------------------===//
#include "passes/Simplify/Passes.h"

namespace tenon {
#define GEN_PASS_DEF_SPLITREDUCTIONSPASS
#include "passes/Simplify/Passes.h.inc"
} // namespace tenon

using namespace mlir;
using namespace tenon;
using namespace tenon::graph;

namespace {
/// `[outer..., first, ..., last, inner...]`, where `first` to `last` are
/// reduced; of rows nothing is inner.
struct Run {
  size_t first, last;
};
} // namespace

/// The reduced axes, if they are one run in front of others, or the last ones.
static std::optional<Run> runOf(ArrayRef<int64_t> axes, size_t rank,
                                bool areRows) {
  for (auto [i, axis] : llvm::enumerate(axes))
    if (axis != axes.front() + int64_t(i))
      return std::nullopt;
  if (axes.empty() || (size_t(axes.back()) + 1 >= rank) != areRows)
    return std::nullopt;
  return Run{size_t(axes.front()), size_t(axes.back())};
}

/// Into how many parts a reduction is split; 1 where that gains nothing (little
/// data, or outer dimensions that threads can share) or rounds more.
static int64_t partsOf(RankedTensorType type, Run run) {
  constexpr int64_t leastBytes = 256 << 10;
  Type element = type.getElementType();
  if (!element.isF32() && !element.isF64())
    return 1;
  if (!type.hasStaticShape() || *tensorBytes(type) < leastBytes)
    return 1;
  for (int64_t extent : type.getShape().take_front(run.first))
    if (extent > 1)
      return 1;
  for (int64_t parts : {8, 4, 2})
    if (type.getDimSize(run.first) % parts == 0)
      return parts;
  return 1;
}

/// Of rows: parts for a block each, where a row takes a block longer than
/// another launch does.
static int64_t partsOfRows(RankedTensorType type, Run run) {
  constexpr int64_t leastBytes = 384 << 10, mostRows = 16;
  if (!type.getElementType().isF32() || !type.hasStaticShape() ||
      type.getNumElements() == 0)
    return 1;
  int64_t rows = 1;
  for (int64_t extent : type.getShape().take_front(run.first))
    rows *= extent;
  if (rows > mostRows || *tensorBytes(type) / rows < leastBytes)
    return 1;
  for (int64_t parts = 256; parts > 8; parts /= 2)
    if (type.getNumElements() / rows % parts == 0)
      return parts;
  return 1;
}

template <typename Reduce> static bool split(Reduce reduce, bool areRows) {
  auto type = cast<RankedTensorType>(reduce.getInput().getType());
  std::optional<Run> run = runOf(reduce.getAxes(), type.getRank(), areRows);
  int64_t parts = !run      ? 1
                  : areRows ? partsOfRows(type, *run)
                            : partsOf(type, *run);
  if (parts == 1)
    return false;
  auto at = int64_t(run->first);
  SmallVector<int64_t> shape(type.getShape().take_front(run->first));
  int64_t rest = 1;
  for (size_t axis = run->first; axis <= run->last; ++axis)
    rest *= type.getDimSize(axis);
  shape.append({parts, rest / parts});
  llvm::append_range(shape, type.getShape().drop_front(run->last + 1));
  OpBuilder b(reduce);
  Location loc = reduce.getLoc();
  Value parted = ReshapeOp::create(
      b, loc, RankedTensorType::get(shape, type.getElementType()),
      reduce.getInput());
  auto reduceAxis = [&](Value value, int64_t axis) -> Value {
    return Reduce::create(b, loc, value, ArrayRef(axis), /*keep_dims=*/true);
  };
  Value whole = reduceAxis(reduceAxis(parted, at + 1), at);
  Value result = ReshapeOp::create(b, loc, reduce.getType(), whole);
  reduce.getResult().replaceAllUsesWith(result);
  reduce.erase();
  return true;
}

namespace {
class SplitReductionsPass
    : public tenon::impl::SplitReductionsPassBase<SplitReductionsPass> {
public:
  using SplitReductionsPassBase::SplitReductionsPassBase;

  void runOnOperation() override {
    getOperation().walk([&](Operation *op) {
      if (auto sum = dyn_cast<ReduceSumOp>(op))
        numSplit += split(sum, rows);
      else if (auto mean = dyn_cast<ReduceMeanOp>(op))
        numSplit += split(mean, rows);
      else if (auto most = dyn_cast<ReduceMaxOp>(op); most && rows)
        numSplit += split(most, rows);
      else if (auto least = dyn_cast<ReduceMinOp>(op); least && rows)
        numSplit += split(least, rows);
    });
  }
};
} // namespace
