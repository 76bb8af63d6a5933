//===- MatmulPatterns.cpp - matrix products in the form kernels like ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file implements rewrites that make products two-dimensional where one
// operand is a plain matrix, and that keep what follows them in that shape.
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

/// `[..., M, K] x [K, N]` -> `[... * M, K] x [K, N]`: one large product
/// instead of many small ones.
static LogicalResult collapseRows(MatmulOp op, PatternRewriter &rewriter) {
  auto lhs = op.getLhs().getType(), rhs = op.getRhs().getType();
  if (lhs.getRank() < 3 || op.getTransposeLhs() || !lhs.hasStaticShape() ||
      !rhs.hasStaticShape() || !op.getType().hasStaticShape())
    return failure();
  auto isOne = [](int64_t size) { return size == 1; };
  if (!llvm::all_of(rhs.getShape().drop_back(2), isOne) ||
      op.getType().getRank() != lhs.getRank())
    return failure();
  int64_t depth = lhs.getShape().back();
  int64_t rows = 1;
  for (int64_t size : lhs.getShape().drop_back())
    rows *= size;
  Value left = reshaped(rewriter, op.getLoc(), op.getLhs(), {rows, depth});
  Value right = reshaped(rewriter, op.getLoc(), op.getRhs(),
                         rhs.getShape().take_back(2));
  Value product =
      MatmulOp::create(rewriter, op.getLoc(), left, right, UnitAttr(),
                       op.getTransposeRhsAttr());
  rewriter.replaceOpWithNewOp<ReshapeOp>(op, op.getType(), product);
  return success();
}

/// The transpose that makes `value`, seen through a reshape that only adds
/// leading dimensions of 1.
static TransposeOp transposeBehind(Value value) {
  if (auto reshape = value.getDefiningOp<ReshapeOp>()) {
    auto from = reshape.getInput().getType(), to = reshape.getType();
    auto isOne = [](int64_t size) { return size == 1; };
    int64_t added = to.getRank() - from.getRank();
    if (added < 0 || !reshape->hasOneUse() || !to.hasStaticShape() ||
        !llvm::all_of(to.getShape().take_front(added), isOne) ||
        to.getShape().drop_front(added) != from.getShape())
      return {};
    value = reshape.getInput();
  }
  auto transpose = value.getDefiningOp<TransposeOp>();
  return transpose && transpose->hasOneUse() ? transpose : TransposeOp();
}

/// A transpose of the last two dimensions of the right operand becomes the
/// operation's flag; what else it does stays a transpose of whole rows.
static LogicalResult absorbTranspose(MatmulOp op, PatternRewriter &rewriter) {
  TransposeOp transpose = transposeBehind(op.getRhs());
  if (!transpose || op.getTransposeRhs())
    return failure();
  SmallVector<int64_t> order(transpose.getPermutation());
  int64_t rank = order.size();
  // Worth it if rows stay whole: the last dimension moves one place only.
  if (rank < 2 || order[rank - 2] != rank - 1)
    return failure();
  std::swap(order[rank - 2], order[rank - 1]);
  Value rows = transposed(rewriter, transpose.getLoc(), transpose.getInput(),
                          order);
  auto wanted = op.getRhs().getType();
  if (wanted.getRank() != rank) {
    SmallVector<int64_t> shape(wanted.getShape());
    std::swap(shape[shape.size() - 2], shape[shape.size() - 1]);
    rows = reshaped(rewriter, op.getLoc(), rows, shape);
  }
  rewriter.replaceOpWithNewOp<MatmulOp>(op, op.getType(), op.getLhs(), rows,
                                        op.getTransposeLhsAttr(),
                                        rewriter.getUnitAttr());
  return success();
}

//===-- Reshapes sink -----------------------------------------------------===//

/// The shape that an operand of an operation on `to` has when the operation
/// works on `from`, a reshape of it; nothing if the operand's broadcast does
/// not survive.
static std::optional<SmallVector<int64_t>>
shapeBefore(RankedTensorType operand, RankedTensorType from,
            RankedTensorType to) {
  if (operand.getRank() == 0)
    return SmallVector<int64_t>();
  SmallVector<int64_t> shape(to.getRank() - operand.getRank(), 1), result;
  llvm::append_range(shape, operand.getShape());
  ReshapeRuns runs(dimsOf(from), dimsOf(to));
  while (runs.next()) {
    bool whole = true, ones = true;
    for (unsigned dim = runs.toBegin; dim < runs.toEnd; ++dim) {
      whole &= shape[dim] == to.getDimSize(dim);
      ones &= shape[dim] == 1;
    }
    if (!whole && !ones)
      return std::nullopt;
    for (unsigned dim = runs.fromBegin; dim < runs.fromEnd; ++dim)
      result.push_back(whole ? from.getDimSize(dim) : 1);
  }
  if (!runs.atEnd())
    return std::nullopt;
  // Leading ones come by themselves.
  size_t rank = operand.getRank();
  while (result.size() > rank && result.front() == 1)
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
      if (reshape && splits(reshape) &&
          succeeded(sink(op, reshape, rewriter)))
        return success();
    }
    return failure();
  }

private:
  static bool splits(ReshapeOp reshape) {
    auto from = reshape.getInput().getType(), to = reshape.getType();
    return from.getRank() < to.getRank() && from.hasStaticShape() &&
           to.hasStaticShape() && from.getRank() > 0 &&
           !constantOf(reshape.getInput());
  }

  static LogicalResult sink(Operation *op, ReshapeOp reshape,
                            PatternRewriter &rewriter) {
    auto from = reshape.getInput().getType(), to = reshape.getType();
    auto result = typeOf(op->getResult(0));
    if (result.getShape() != to.getShape())
      return failure();
    SmallVector<SmallVector<int64_t>> shapes;
    for (Value operand : op->getOperands()) {
      auto shape = shapeBefore(typeOf(operand), from, to);
      if (!shape)
        return failure();
      shapes.push_back(*shape);
    }
    SmallVector<Value> operands;
    for (auto [operand, shape] : llvm::zip(op->getOperands(), shapes))
      operands.push_back(reshaped(rewriter, op->getLoc(), operand, shape));
    Operation *twin = rewriter.clone(*op);
    twin->setOperands(operands);
    twin->getResult(0).setType(withShape(result, from.getShape()));
    rewriter.replaceOpWithNewOp<ReshapeOp>(op, result, twin->getResult(0));
    return success();
  }
};
} // namespace

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

void simplify::populateMatmulPatterns(RewritePatternSet &patterns) {
  patterns.add(collapseRows).add(absorbTranspose);
  patterns.add<SinkReshape, SinkTranspose>(patterns.getContext());
}
