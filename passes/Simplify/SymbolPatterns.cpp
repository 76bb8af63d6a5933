//===- SymbolPatterns.cpp - what symbols prove ----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file implements rewrites of what would be folded if sizes were known:
// comparisons of positions with lengths, and rows picked by parts of constants.
//===----------------------------------------------------------------------===//
#include "dialects/Graph/Bounds.h"
#include "lib/Interpreter/Indices.h"
#include "passes/Simplify/Constants.h"
#include "passes/Simplify/Passes.h"

#include <cmath>

using namespace mlir;
using namespace tenon;
using namespace tenon::graph;
using namespace tenon::simplify;

//===-- Comparisons -------------------------------------------------------===//

namespace {
/// All elements of a tensor of integers lie in [least, most]; null if nothing
/// is known.
struct Span {
  Attribute least, most;
};
} // namespace

/// 0, step... along one axis, of exact numbers.
static Span spanOfIota(IotaOp op) {
  double start = op.getStart().convertToDouble();
  double step = op.getStep().convertToDouble();
  constexpr double most = 1 << 30;
  bool isWhole = start == std::floor(start) && step == std::floor(step) &&
                 std::fabs(start) < most && std::fabs(step) < most;
  Attribute extent = dimsOf(op.getResult())[op.getAxis()];
  if (!isWhole || !extent)
    return {};
  Attribute first = sizeDim(op.getContext(), int64_t(start));
  Attribute last =
      addDims(first, affineDim(extent, int64_t(step), -int64_t(step)));
  return step < 0 ? Span{last, first} : Span{first, last};
}

static Span spanOf(Value value) {
  Operation *op = value.getDefiningOp();
  if (isa_and_nonnull<ReshapeOp, BroadcastOp, TransposeOp>(op))
    return spanOf(op->getOperand(0));
  if (auto iota = dyn_cast_or_null<IotaOp>(op))
    return spanOfIota(iota);
  if (auto sizes = dyn_cast_or_null<SizesOp>(op)) {
    ArrayAttr dims = sizes.getDims().getDims();
    return dims.size() == 1 ? Span{dims[0], dims[0]} : Span{};
  }
  auto number = splatOf(value);
  if (!number || std::fabs(*number) > double(1 << 30))
    return {};
  Attribute dim = sizeDim(value.getContext(), int64_t(*number));
  return {dim, dim};
}

/// A comparison that has one outcome for all elements, whatever the symbols
/// are.
template <typename OpTy>
static LogicalResult decide(OpTy op, PatternRewriter &rewriter, bool swaps,
                            int64_t least) {
  auto element = getElementTypeOrSelf(op.getLhs());
  bool isIndex = element.isSignlessInteger(64) || element.isSignlessInteger(32);
  if (!isIndex || op.getType().hasStaticShape())
    return failure();
  Span low = spanOf(op.getLhs()), high = spanOf(op.getRhs());
  if (swaps)
    std::swap(low, high);
  auto symbols =
      ConstraintStore::load(op->template getParentOfType<ModuleOp>());
  if (failed(symbols) || !low.least || !high.least)
    return failure();
  // `low + least <= high` holds for all, or `high < low + least`.
  bool always = isAtLeast(high.least, affineDim(low.most, 1, least), *symbols);
  bool never =
      isAtLeast(affineDim(low.least, 1, least - 1), high.most, *symbols);
  if (!always && !never)
    return failure();
  auto type = RankedTensorType::get({}, op.getType().getElementType());
  Value outcome = ConstantOp::create(rewriter, op.getLoc(), type,
                                     DenseElementsAttr::get(type, always));
  rewriter.replaceOpWithNewOp<BroadcastOp>(op, op.getType(), outcome);
  return success();
}

static LogicalResult decideLess(LessOp op, PatternRewriter &rewriter) {
  return decide(op, rewriter, /*swaps=*/false, 1);
}
static LogicalResult decideLessEqual(LessEqualOp op,
                                     PatternRewriter &rewriter) {
  return decide(op, rewriter, /*swaps=*/false, 0);
}
static LogicalResult decideGreater(GreaterOp op, PatternRewriter &rewriter) {
  return decide(op, rewriter, /*swaps=*/true, 1);
}
static LogicalResult decideGreaterEqual(GreaterEqualOp op,
                                        PatternRewriter &rewriter) {
  return decide(op, rewriter, /*swaps=*/true, 0);
}

//===-- Rows --------------------------------------------------------------===//

/// Indices that are repeated pick rows that are.
static LogicalResult gatherOfBroadcast(GatherOp op, PatternRewriter &rewriter) {
  auto broadcast = op.getIndices().getDefiningOp<BroadcastOp>();
  if (!broadcast || op.getAxis() != 0 || op.getType().hasStaticShape())
    return failure();
  Value rows = GatherOp::create(rewriter, op.getLoc(), op.getInput(),
                                broadcast.getInput(), 0);
  rewriter.replaceOpWithNewOp<BroadcastOp>(op, op.getType(), rows);
  return success();
}

/// Parts of constant indices pick a part of constant rows, where these are not
/// more than there are.
static LogicalResult gatherOfSlice(GatherOp op, PatternRewriter &rewriter) {
  auto slice = op.getIndices().getDefiningOp<SliceOp>();
  auto table = op.getInput().getType();
  if (!slice || op.getAxis() != 0 || !constantOf(op.getInput()) ||
      !constantOf(slice.getInput()) || op.getType().hasStaticShape() ||
      slice.getInput().getType().getNumElements() > table.getDimSize(0))
    return failure();
  Value rows = GatherOp::create(rewriter, op.getLoc(), op.getInput(),
                                slice.getInput(), 0);
  Attribute zero = sizeDim(op.getContext(), 0);
  Dims starts = slice.startDims(), sizes = slice.sizeDims();
  SmallVector<int64_t> steps(slice.getSteps());
  for (Attribute whole : ArrayRef<Attribute>(dimsOf(table)).drop_front()) {
    starts.push_back(zero);
    sizes.push_back(whole);
    steps.push_back(1);
  }
  SplitDims first = splitDims(op.getContext(), starts);
  SplitDims extent = splitDims(op.getContext(), sizes);
  rewriter.replaceOpWithNewOp<SliceOp>(op, rows, first.numbers, extent.numbers,
                                       steps, first.dims, extent.dims);
  return success();
}

/// Of equal elements any are the same, where the indices are known to be right.
static LogicalResult elementsOfSplat(GatherElementsOp op,
                                     PatternRewriter &rewriter) {
  Value indices = op.getIndices();
  if (auto slice = indices.getDefiningOp<SliceOp>())
    indices = slice.getInput();
  ElementsAttr known = constantOf(indices);
  auto same = dyn_cast_or_null<DenseElementsAttr>(constantOf(op.getInput()));
  auto from = op.getInput().getType();
  if (!known || !same || !same.isSplat() || op.getType().hasStaticShape() ||
      !interp::findOutside(known, from.getDimSize(op.getAxis())).empty())
    return failure();
  auto type = RankedTensorType::get({}, from.getElementType());
  Value one = ConstantOp::create(rewriter, op.getLoc(), type,
                                 cast<ElementsAttr>(same.resizeSplat(type)));
  rewriter.replaceOpWithNewOp<BroadcastOp>(op, op.getType(), one);
  return success();
}

void simplify::populateSymbolPatterns(RewritePatternSet &patterns) {
  patterns.add(decideLess).add(decideLessEqual);
  patterns.add(decideGreater).add(decideGreaterEqual);
  patterns.add(gatherOfBroadcast).add(gatherOfSlice).add(elementsOfSplat);
}
