//===- MovementPatterns.cpp - identities of data movement -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file implements the rewrites of transposes, broadcasts, slices,
// concatenations, pads and gathers.
//===----------------------------------------------------------------------===//
#include "passes/Simplify/Constants.h"
#include "passes/Simplify/Passes.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::graph;
using namespace tenon::simplify;

static RankedTensorType typeOf(Value value) {
  return cast<RankedTensorType>(value.getType());
}

//===-- Views -------------------------------------------------------------===//

static LogicalResult transposeToReshape(TransposeOp op,
                                        PatternRewriter &rewriter) {
  if (!movesOnlyUnits(op.getInput().getType(), op.getPermutation()))
    return failure();
  rewriter.replaceOpWithNewOp<ReshapeOp>(op, op.getType(), op.getInput());
  return success();
}

/// A reduction over dimensions of extent 1.
template <typename OpTy>
static LogicalResult reduceToReshape(OpTy op, PatternRewriter &rewriter) {
  auto type = op.getInput().getType();
  if (countUnknown(type) > 1)
    return failure();
  for (int64_t axis : op.getAxes())
    if (type.getDimSize(axis) != 1)
      return failure();
  rewriter.replaceOpWithNewOp<ReshapeOp>(op, op.getType(), op.getInput());
  return success();
}

/// Only dimensions of extent 1 are added.
static LogicalResult broadcastToReshape(BroadcastOp op,
                                        PatternRewriter &rewriter) {
  auto type = op.getType();
  auto withoutOnes = [](RankedTensorType of) {
    Dims dims = dimsOf(of);
    llvm::erase_if(dims, [](Attribute dim) { return sizeOf(dim) == 1; });
    return dims;
  };
  if (countUnknown(type) ||
      withoutOnes(type) != withoutOnes(op.getInput().getType()))
    return failure();
  rewriter.replaceOpWithNewOp<ReshapeOp>(op, type, op.getInput());
  return success();
}

namespace {
/// Element-wise operations broadcast by themselves.
class DropBroadcast : public RewritePattern {
public:
  explicit DropBroadcast(MLIRContext *context)
      : RewritePattern(MatchAnyOpTypeTag(), 1, context) {}

  LogicalResult matchAndRewrite(Operation *op,
                                PatternRewriter &rewriter) const override {
    if (!op->hasTrait<Elementwise>() || op->getNumOperands() < 2)
      return failure();
    for (OpOperand &operand : op->getOpOperands())
      if (succeeded(dropAt(op, operand, rewriter)))
        return success();
    return failure();
  }

private:
  static LogicalResult dropAt(Operation *op, OpOperand &operand,
                              PatternRewriter &rewriter) {
    auto broadcast = operand.get().getDefiningOp<BroadcastOp>();
    if (!broadcast || !keepsResult(operand, broadcast.getInput().getType()))
      return failure();
    rewriter.modifyOpInPlace(op, [&] { operand.set(broadcast.getInput()); });
    return success();
  }
};
} // namespace

//===-- Slices and concatenations -----------------------------------------===//

static LogicalResult sliceOfSlice(SliceOp op, PatternRewriter &rewriter) {
  auto before = op.getInput().getDefiningOp<SliceOp>();
  if (!before || countUnknown(op.getType()))
    return failure();
  Dims starts = before.startDims(), inner = op.startDims();
  SmallVector<int64_t> steps;
  for (auto [start, further, step] :
       llvm::zip(starts, inner, before.getSteps()))
    start = addDims(start, affineDim(further, step, 0));
  for (auto [step, outer] : llvm::zip(op.getSteps(), before.getSteps()))
    steps.push_back(step * outer);
  SplitDims first = splitDims(op.getContext(), starts);
  SplitDims sizes = splitDims(op.getContext(), op.sizeDims());
  rewriter.replaceOpWithNewOp<SliceOp>(op, before.getInput(), first.numbers,
                                       sizes.numbers, steps, first.dims,
                                       sizes.dims);
  return success();
}

/// A slice that stays within one operand of a concatenation.
static LogicalResult sliceOfConcat(SliceOp op, PatternRewriter &rewriter) {
  auto concat = op.getInput().getDefiningOp<ConcatOp>();
  if (!concat || !isFixed(op) || !op.getType().hasStaticShape() ||
      !concat.getType().hasStaticShape())
    return failure();
  int64_t axis = concat.getAxis(), offset = 0;
  int64_t first = op.getStarts()[axis];
  int64_t last = first + (op.getSizes()[axis] - 1) * op.getSteps()[axis];
  if (last < first)
    std::swap(first, last);
  for (Value input : concat.getInputs()) {
    int64_t size = typeOf(input).getDimSize(axis);
    if (first >= offset && last < offset + size) {
      SmallVector<int64_t> starts(op.getStarts());
      starts[axis] -= offset;
      rewriter.replaceOpWithNewOp<SliceOp>(op, input, starts, op.getSizes(),
                                           op.getSteps());
      return success();
    }
    offset += size;
  }
  return failure();
}

/// A slice of a transpose moves in front, so that less is transposed.
static LogicalResult sliceOfTranspose(SliceOp op, PatternRewriter &rewriter) {
  auto transpose = op.getInput().getDefiningOp<TransposeOp>();
  if (!transpose || !isFixed(op))
    return failure();
  size_t rank = op.getStarts().size();
  SmallVector<int64_t> starts(rank), sizes(rank), steps(rank);
  for (auto [to, from] : llvm::enumerate(transpose.getPermutation())) {
    starts[from] = op.getStarts()[to];
    sizes[from] = op.getSizes()[to];
    steps[from] = op.getSteps()[to];
  }
  Value slice = SliceOp::create(rewriter, op.getLoc(), transpose.getInput(),
                                starts, sizes, steps);
  rewriter.replaceOpWithNewOp<TransposeOp>(op, slice,
                                           transpose.getPermutation());
  return success();
}

/// The one dimension in [begin, end) that is not 1; nothing if there are more.
static std::optional<unsigned> onlyDim(const Dims &dims, unsigned begin,
                                       unsigned end) {
  std::optional<unsigned> found;
  for (unsigned dim = begin; dim < end; ++dim) {
    if (sizeOf(dims[dim]) == 1)
      continue;
    if (found)
      return std::nullopt;
    found = dim;
  }
  return found;
}

/// A slice behind a reshape of a transpose moves in front of the reshape, if
/// the dimensions that it cuts go through the reshape unchanged.
static LogicalResult sliceOfReshape(SliceOp op, PatternRewriter &rewriter) {
  auto reshape = op.getInput().getDefiningOp<ReshapeOp>();
  if (!reshape || !reshape.getInput().getDefiningOp<TransposeOp>() ||
      !isFixed(op) || countUnknown(reshape.getType()))
    return failure();
  auto from = reshape.getInput().getType();
  SmallVector<int64_t> starts(from.getRank(), 0), steps(from.getRank(), 1);
  SmallVector<int64_t> sizes(from.getShape());
  ReshapeRuns runs(dimsOf(from), dimsOf(reshape.getType()));
  while (runs.next()) {
    auto source = onlyDim(runs.from, runs.fromBegin, runs.fromEnd);
    auto target = onlyDim(runs.to, runs.toBegin, runs.toEnd);
    for (unsigned dim = runs.toBegin; dim < runs.toEnd; ++dim) {
      if (op.getSizes()[dim] == sizeOf(runs.to[dim]) && op.getSteps()[dim] == 1)
        continue;
      if (!source || target != dim)
        return failure();
      starts[*source] = op.getStarts()[dim];
      sizes[*source] = op.getSizes()[dim];
      steps[*source] = op.getSteps()[dim];
    }
  }
  if (!runs.atEnd())
    return failure();
  Value slice = SliceOp::create(rewriter, op.getLoc(), reshape.getInput(),
                                starts, sizes, steps);
  rewriter.replaceOpWithNewOp<ReshapeOp>(op, op.getType(), slice);
  return success();
}

/// Whether `b` continues `a` along `axis`, both with steps of 1.
static bool continues(SliceOp a, SliceOp b, int64_t axis) {
  if (!a || !b || a.getInput() != b.getInput() || !isFixed(a) || !isFixed(b))
    return false;
  for (int64_t dim = 0; dim < a.getType().getRank(); ++dim) {
    if (a.getSteps()[dim] != 1 || b.getSteps()[dim] != 1)
      return false;
    int64_t start = a.getStarts()[dim];
    if (dim == axis)
      start += a.getSizes()[dim];
    else if (a.getSizes()[dim] != b.getSizes()[dim])
      return false;
    if (b.getStarts()[dim] != start)
      return false;
  }
  return true;
}

/// Neighbouring slices of one tensor become one slice; nested concatenations
/// become one.
static LogicalResult flattenConcat(ConcatOp op, PatternRewriter &rewriter) {
  int64_t axis = op.getAxis();
  SmallVector<Value> inputs;
  for (Value input : op.getInputs()) {
    auto nested = input.getDefiningOp<ConcatOp>();
    if (nested && nested->hasOneUse() &&
        static_cast<int64_t>(nested.getAxis()) == axis) {
      llvm::append_range(inputs, nested.getInputs());
      continue;
    }
    auto slice = input.getDefiningOp<SliceOp>();
    auto previous =
        inputs.empty() ? SliceOp() : inputs.back().getDefiningOp<SliceOp>();
    if (!typeOf(input).isDynamicDim(axis) && continues(previous, slice, axis)) {
      SmallVector<int64_t> sizes(previous.getSizes());
      sizes[axis] += slice.getSizes()[axis];
      inputs.back() = rewriter.createOrFold<SliceOp>(
          op.getLoc(), slice.getInput(), previous.getStarts(), sizes,
          previous.getSteps());
      continue;
    }
    if (typeOf(input).getDimSize(axis) != 0 || op.getInputs().size() == 1)
      inputs.push_back(input);
  }
  if (inputs.empty() || llvm::equal(inputs, op.getInputs()))
    return failure();
  if (inputs.size() == 1 && inputs[0].getType() == op.getType())
    rewriter.replaceOp(op, inputs[0]);
  else
    rewriter.replaceOpWithNewOp<ConcatOp>(op, inputs, axis);
  return success();
}

/// A gather of consecutive elements is a slice; of one element, a slice whose
/// dimension disappears.
static LogicalResult gatherToSlice(GatherOp op, PatternRewriter &rewriter) {
  auto indices =
      dyn_cast_or_null<DenseIntElementsAttr>(constantOf(op.getIndices()));
  auto input = op.getInput().getType();
  if (!indices || indices.empty() || input.isDynamicDim(op.getAxis()) ||
      indices.getNumElements() > input.getDimSize(op.getAxis()) ||
      countUnknown(op.getType()))
    return failure();
  int64_t extent = input.getDimSize(op.getAxis()), first = -1, count = 0;
  for (const APInt &value : indices) {
    int64_t index = value.getSExtValue();
    index += index < 0 ? extent : 0;
    if (count == 0)
      first = index;
    if (index != first + count || index < 0 || index >= extent)
      return failure();
    ++count;
  }
  SmallVector<int64_t> starts(input.getRank(), 0), steps(input.getRank(), 1);
  SmallVector<int64_t> sizes(input.getShape());
  starts[op.getAxis()] = first;
  sizes[op.getAxis()] = count;
  Value slice = rewriter.createOrFold<SliceOp>(op.getLoc(), op.getInput(),
                                               starts, sizes, steps);
  rewriter.replaceOpWithNewOp<ReshapeOp>(op, op.getType(), slice);
  return success();
}

//===-- Pads --------------------------------------------------------------===//

/// Zeros around the spatial dimensions are what a convolution pads with.
static LogicalResult padIntoConv(ConvOp op, PatternRewriter &rewriter) {
  auto pad = op.getInput().getDefiningOp<PadOp>();
  if (!pad || pad.getMode() != PadMode::Constant ||
      (pad.getValue() && !isSplat(pad.getValue(), 0.0)))
    return failure();
  int64_t rank = op.getType().getRank();
  int64_t first = firstSpatialDim(op.getLayout());
  SmallVector<int64_t> pads(op.getPads());
  for (int64_t dim = 0; dim < rank; ++dim) {
    int64_t low = pad.getLow()[dim], high = pad.getHigh()[dim];
    int64_t spatial = dim - first;
    if (low == 0 && high == 0)
      continue;
    if (low < 0 || high < 0 || spatial < 0 || spatial >= rank - 2)
      return failure();
    pads[spatial] += low;
    pads[rank - 2 + spatial] += high;
  }
  rewriter.modifyOpInPlace(op, [&] {
    op.getInputMutable().assign(pad.getInput());
    op.setPads(pads);
  });
  return success();
}

void simplify::populateMovementPatterns(RewritePatternSet &patterns) {
  patterns.add<DropBroadcast>(patterns.getContext());
  patterns.add(transposeToReshape).add(broadcastToReshape);
  patterns.add(reduceToReshape<ReduceSumOp>)
      .add(reduceToReshape<ReduceMeanOp>)
      .add(reduceToReshape<ReduceMaxOp>)
      .add(reduceToReshape<ReduceMinOp>)
      .add(reduceToReshape<ReduceProdOp>);
  patterns.add(sliceOfTranspose).add(sliceOfReshape);
  patterns.add(sliceOfSlice).add(sliceOfConcat).add(flattenConcat);
  patterns.add(gatherToSlice).add(padIntoConv);
}
