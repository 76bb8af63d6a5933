//===- SinkPatterns.cpp - views move below what computes ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file implements rewrites that move reshapes and transposes below
// element-wise operations and reductions, which so stay beside the product
// that made their operand.
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

//===-- Reshapes ----------------------------------------------------------===//

/// Whether a reshape adds dimensions. Only these sink, so that none goes back
/// and forth.
static bool splits(ReshapeOp reshape) {
  auto from = reshape.getInput().getType(), to = reshape.getType();
  return from.getRank() < to.getRank() && countUnknown(from) == 0 &&
         countUnknown(to) == 0 && from.getRank() > 0 &&
         !constantOf(reshape.getInput());
}

/// The shape that an operand of an operation on `to` has when the operation
/// works on `from`, a reshape of it; nothing if the operand's broadcast does
/// not survive.
static std::optional<Dims> shapeBefore(RankedTensorType operand,
                                       RankedTensorType from,
                                       RankedTensorType to) {
  if (operand.getRank() == 0)
    return Dims();
  Attribute one = sizeDim(to.getContext(), 1);
  Dims dims(to.getRank() - operand.getRank(), one), result;
  llvm::append_range(dims, dimsOf(operand));
  ReshapeRuns runs(dimsOf(from), dimsOf(to));
  while (runs.next()) {
    bool whole = true, ones = true;
    for (unsigned dim = runs.toBegin; dim < runs.toEnd; ++dim) {
      whole &= dims[dim] == runs.to[dim];
      ones &= dims[dim] == one;
    }
    if (!whole && !ones)
      return std::nullopt;
    for (unsigned dim = runs.fromBegin; dim < runs.fromEnd; ++dim)
      result.push_back(whole ? runs.from[dim] : one);
  }
  if (!runs.atEnd())
    return std::nullopt;
  // Leading ones come by themselves.
  size_t rank = operand.getRank();
  while (result.size() > rank && result.front() == one)
    result.erase(result.begin());
  return result;
}

namespace {
/// An element-wise operation moves in front of a reshape that splits
/// dimensions, so that it stays beside the product that made its operand.
class SinkReshape : public RewritePattern {
public:
  explicit SinkReshape(MLIRContext *context)
      : RewritePattern(MatchAnyOpTypeTag(), 1, context) {}

  LogicalResult matchAndRewrite(Operation *op,
                                PatternRewriter &rewriter) const override {
    if (!op->hasTrait<Elementwise>())
      return failure();
    for (Value operand : op->getOperands()) {
      auto reshape = operand.getDefiningOp<ReshapeOp>();
      if (reshape && splits(reshape) && succeeded(sink(op, reshape, rewriter)))
        return success();
    }
    return failure();
  }

private:
  static LogicalResult sink(Operation *op, ReshapeOp reshape,
                            PatternRewriter &rewriter) {
    auto from = reshape.getInput().getType(), to = reshape.getType();
    auto result = typeOf(op->getResult(0));
    if (dimsOf(result) != dimsOf(to))
      return failure();
    SmallVector<Dims> shapes;
    for (Value operand : op->getOperands()) {
      auto shape = shapeBefore(typeOf(operand), from, to);
      if (!shape)
        return failure();
      shapes.push_back(*shape);
    }
    SmallVector<Value> operands;
    for (auto [operand, shape] : llvm::zip(op->getOperands(), shapes))
      operands.push_back(reshapedTo(rewriter, op->getLoc(), operand, shape));
    Operation *twin = rewriter.clone(*op);
    twin->setOperands(operands);
    twin->getResult(0).setType(
        typeFromDims(dimsOf(from), result.getElementType()));
    rewriter.replaceOpWithNewOp<ReshapeOp>(op, result, twin->getResult(0));
    return success();
  }
};
} // namespace

/// The axes of `reshape`'s operand that correspond to `axes` of its result;
/// nothing if a reduction over them would cut a run of dimensions.
static std::optional<SmallVector<int64_t>> axesBefore(ReshapeOp reshape,
                                                      ArrayRef<int64_t> axes) {
  SmallVector<int64_t> result;
  ReshapeRuns runs(dimsOf(reshape.getInput()), dimsOf(reshape.getType()));
  while (runs.next()) {
    bool some = false, all = true;
    for (int64_t dim = runs.toBegin; dim < runs.toEnd; ++dim) {
      if (sizeOf(runs.to[dim]) == 1)
        continue;
      bool reduced = llvm::is_contained(axes, dim);
      some |= reduced;
      all &= reduced;
    }
    if (some && !all)
      return std::nullopt;
    if (some)
      llvm::append_range(result,
                         llvm::seq<int64_t>(runs.fromBegin, runs.fromEnd));
  }
  if (!runs.atEnd())
    return std::nullopt;
  return result;
}

template <typename OpTy>
static LogicalResult sinkBelowReduce(OpTy op, PatternRewriter &rewriter) {
  auto reshape = op.getInput().template getDefiningOp<ReshapeOp>();
  if (!reshape || !splits(reshape))
    return failure();
  auto axes = axesBefore(reshape, op.getAxes());
  if (!axes)
    return failure();
  Value reduced = OpTy::create(rewriter, op.getLoc(), reshape.getInput(), *axes,
                               /*keep_dims=*/true);
  rewriter.replaceOpWithNewOp<ReshapeOp>(op, op.getType(), reduced);
  return success();
}

//===-- Transposes --------------------------------------------------------===//

namespace {
/// `f(transpose(x), scalars...) = transpose(f(x, scalars...))`: the operation
/// comes closer to what made x, the transpose to the product that absorbs it.
class SinkTranspose : public RewritePattern {
public:
  explicit SinkTranspose(MLIRContext *context)
      : RewritePattern(MatchAnyOpTypeTag(), 1, context) {}

  LogicalResult matchAndRewrite(Operation *op,
                                PatternRewriter &rewriter) const override {
    TransposeOp transpose = onlyTransposed(op);
    if (!transpose)
      return failure();
    Value input = transpose.getInput();
    auto result = typeOf(op->getResult(0));
    SmallVector<Value> operands;
    for (Value operand : op->getOperands())
      operands.push_back(operand == transpose.getResult()
                             ? input
                             : reshaped(rewriter, op->getLoc(), operand, {}));
    Operation *twin = rewriter.clone(*op);
    twin->setOperands(operands);
    auto type = typeFromDims(dimsOf(input), result.getElementType());
    twin->getResult(0).setType(type);
    rewriter.replaceOpWithNewOp<TransposeOp>(op, twin->getResult(0),
                                             transpose.getPermutation());
    return success();
  }

private:
  /// The transpose whose result, used here only, is the only operand that is
  /// not a single element.
  static TransposeOp onlyTransposed(Operation *op) {
    if (!op->hasTrait<Elementwise>())
      return {};
    TransposeOp found;
    for (Value operand : op->getOperands()) {
      auto type = typeOf(operand);
      if (type.hasStaticShape() && type.getNumElements() == 1)
        continue;
      auto transpose = operand.getDefiningOp<TransposeOp>();
      if (found || !transpose || !transpose->hasOneUse())
        return {};
      found = transpose;
    }
    auto result = typeOf(op->getResult(0));
    if (found && dimsOf(found.getType()) != dimsOf(result))
      return {};
    return found;
  }
};
} // namespace

void simplify::populateSinkPatterns(RewritePatternSet &patterns) {
  patterns.add<SinkReshape, SinkTranspose>(patterns.getContext());
  patterns.add(sinkBelowReduce<ReduceSumOp>)
      .add(sinkBelowReduce<ReduceMeanOp>)
      .add(sinkBelowReduce<ReduceMaxOp>)
      .add(sinkBelowReduce<ReduceMinOp>)
      .add(sinkBelowReduce<ReduceProdOp>);
}
