//===- SamplePatterns.cpp - every so manyth element -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file makes slices of what only picks elements, and moves them in front
// of pads, so that products read the elements where they are:
//
//   pointwise conv (avg_pool 1x1, stride 2 (pad x))
//   -> pointwise conv (pad (slice x, step 2))
//===----------------------------------------------------------------------===//
#include "dialects/Graph/Shapes.h"
#include "passes/Simplify/Constants.h"
#include "passes/Simplify/Passes.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::graph;
using namespace tenon::simplify;

/// The mean of a window of one element.
static LogicalResult poolToSlice(AvgPoolOp op, PatternRewriter &rewriter) {
  auto isOne = [](int64_t extent) { return extent == 1; };
  auto isZero = [](int64_t pad) { return pad == 0; };
  auto type = op.getType();
  if (!llvm::all_of(op.getKernel(), isOne) ||
      !llvm::all_of(op.getPads(), isZero) || !type.hasStaticShape() ||
      !isa<FloatType>(type.getElementType()))
    return failure();
  int64_t rank = type.getRank();
  int64_t first = firstSpatialDim(op.getLayout());
  SmallVector<int64_t> starts(rank, 0), steps(rank, 1);
  llvm::copy(op.getStrides(), steps.begin() + first);
  Value slice = rewriter.createOrFold<SliceOp>(op.getLoc(), op.getInput(),
                                               starts, type.getShape(), steps);
  rewriter.replaceOp(op, slice);
  return success();
}

namespace {
/// What one dimension of a slice of a pad takes from the pad's operand:
/// `count` elements from `start` on, after `low` and before `high` of the pad.
struct Taken {
  int64_t start, count, low, high;
};
} // namespace

static Taken takenFrom(int64_t extent, int64_t low, int64_t start, int64_t size,
                       int64_t step) {
  // Element o of the slice is element start + o * step - low of the operand.
  int64_t before = std::max<int64_t>(0, low - start);
  int64_t first = std::min(size, (before + step - 1) / step);
  int64_t room = std::max<int64_t>(0, extent + low - start);
  int64_t end = std::clamp((room + step - 1) / step, first, size);
  return {start + first * step - low, end - first, first, size - end};
}

/// A slice of a pad takes less from the pad's operand, and pads that.
static LogicalResult sliceOfPad(SliceOp op, PatternRewriter &rewriter) {
  auto pad = op.getInput().getDefiningOp<PadOp>();
  if (!pad || !pad->hasOneUse() || pad.getMode() != PadMode::Constant ||
      llvm::any_of(op.getSteps(), [](int64_t step) { return step < 1; }))
    return failure();
  auto input = cast<RankedTensorType>(pad.getInput().getType());
  if (!input.hasStaticShape() || !op.getType().hasStaticShape() ||
      !isFixed(op) || pad.getLowDims() || pad.getHighDims())
    return failure();
  SmallVector<int64_t> starts, sizes, low, high;
  for (int64_t dim = 0; dim < input.getRank(); ++dim) {
    Taken taken =
        takenFrom(input.getDimSize(dim), pad.getLow()[dim], op.getStarts()[dim],
                  op.getSizes()[dim], op.getSteps()[dim]);
    if (taken.count == 0)
      return failure();
    starts.push_back(taken.start);
    sizes.push_back(taken.count);
    low.push_back(taken.low);
    high.push_back(taken.high);
  }
  Value slice = rewriter.createOrFold<SliceOp>(op.getLoc(), pad.getInput(),
                                               starts, sizes, op.getSteps());
  Value result = rewriter.createOrFold<PadOp>(pad.getLoc(), slice,
                                              pad.getValue(), low, high);
  rewriter.replaceOp(op, result);
  return success();
}

void simplify::populateSamplePatterns(RewritePatternSet &patterns) {
  patterns.add(poolToSlice).add(sliceOfPad);
}
