//===- SplitReductions.cpp - large reductions in two steps ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file implements tenon-split-reductions: of maps, which threads of a CPU
// would not share, and of few long rows, of which a device has a block each.
//===----------------------------------------------------------------------===//
#include "passes/Simplify/Passes.h"

#include "llvm/Support/MathExtras.h"

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
  bool areRows;
};
} // namespace

/// The reduced axes, if they are one run.
static std::optional<Run> runOf(ArrayRef<int64_t> axes, size_t rank) {
  for (auto [i, axis] : llvm::enumerate(axes))
    if (axis != axes.front() + int64_t(i))
      return std::nullopt;
  if (axes.empty())
    return std::nullopt;
  auto last = size_t(axes.back());
  return Run{size_t(axes.front()), last, last + 1 >= rank};
}

static bool isWide(Type element) { return element.isF32() || element.isF64(); }

/// Into how many parts a reduction is split; 1 where that gains nothing (little
/// data, or outer dimensions that threads can share) or rounds more.
static int64_t partsOf(RankedTensorType type, Run run) {
  constexpr int64_t leastBytes = 256 << 10;
  if (*tensorBytes(type) < leastBytes)
    return 1;
  for (int64_t extent : type.getShape().take_front(run.first))
    if (extent > 1)
      return 1;
  for (int64_t parts : {8, 4, 2})
    if (type.getDimSize(run.first) % parts == 0)
      return parts;
  return 1;
}

/// The same for blocks of threads, which have columns of 128 bytes and read
/// them in about 1 us per 100 KiB, as a second launch takes.
static int64_t partsForBlocks(RankedTensorType type, Run run) {
  constexpr int64_t line = 128, mostBytes = 128 << 10, wantedBytes = 32 << 10;
  int64_t rows = 1, columns = 1, outer = 1;
  for (auto [axis, extent] : llvm::enumerate(type.getShape()))
    (axis < run.first ? outer : axis > run.last ? columns : rows) *= extent;
  int64_t bytes = *tensorBytes(type);
  int64_t width = columns * elementBytes(type.getElementType());
  int64_t each = bytes / (outer * llvm::divideCeil(width, line));
  if (each <= mostBytes)
    return 1;
  int64_t wanted = llvm::divideCeil(each, wantedBytes);
  for (int64_t parts = wanted; parts <= 4 * wanted; ++parts)
    if (rows % parts == 0)
      return parts;
  return 1;
}

/// Of rows: parts for a block each, where a row takes a block longer than
/// another launch does.
static int64_t partsOfRows(RankedTensorType type, Run run) {
  constexpr int64_t leastBytes = 384 << 10, mostRows = 16;
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

static int64_t partsFor(RankedTensorType type, Run run, bool blocks) {
  if (!blocks)
    return run.areRows ? 1 : partsOf(type, run);
  return run.areRows ? partsOfRows(type, run) : partsForBlocks(type, run);
}

template <typename Reduce> static bool split(Reduce reduce, bool blocks) {
  auto type = cast<RankedTensorType>(reduce.getInput().getType());
  std::optional<Run> run = runOf(reduce.getAxes(), type.getRank());
  if (!run || !isWide(type.getElementType()) || !type.hasStaticShape() ||
      type.getNumElements() == 0)
    return false;
  int64_t parts = partsFor(type, *run, blocks);
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
  auto parted = ReshapeOp::create(
      b, loc, RankedTensorType::get(shape, type.getElementType()),
      reduce.getInput());
  auto reduceAxis = [&](Value value, int64_t axis) -> Value {
    return Reduce::create(b, loc, value, ArrayRef(axis), /*keep_dims=*/true);
  };
  Value whole = reduceAxis(reduceAxis(parted, at + 1), at);
  auto result = ReshapeOp::create(b, loc, reduce.getType(), whole);
  reduce.getResult().replaceAllUsesWith(result);
  reduce.erase();
  return true;
}

namespace {
class SplitReductionsPass
    : public tenon::impl::SplitReductionsPassBase<SplitReductionsPass> {
public:
  using Base = tenon::impl::SplitReductionsPassBase<SplitReductionsPass>;
  using Base::Base;

  void runOnOperation() override {
    getOperation().walk([&](Operation *op) {
      if (auto sum = dyn_cast<ReduceSumOp>(op))
        numSplit += split(sum, blocks);
      else if (auto mean = dyn_cast<ReduceMeanOp>(op))
        numSplit += split(mean, blocks);
      else if (auto most = dyn_cast<ReduceMaxOp>(op); most && blocks)
        numSplit += split(most, blocks);
      else if (auto least = dyn_cast<ReduceMinOp>(op); least && blocks)
        numSplit += split(least, blocks);
    });
  }
};
} // namespace
