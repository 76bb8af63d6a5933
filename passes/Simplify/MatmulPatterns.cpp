//===- MatmulPatterns.cpp - matrix products in the form kernels like ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file implements rewrites that make products two-dimensional where one
// operand is a plain matrix, and that take transposes into products.
//===----------------------------------------------------------------------===//
#include "passes/Simplify/Constants.h"
#include "passes/Simplify/Passes.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::graph;
using namespace tenon::simplify;

/// `[..., M, K] x [K, N]` -> `[... * M, K] x [K, N]`: one large product
/// instead of many small ones.
static LogicalResult collapseRows(MatmulOp op, PatternRewriter &rewriter) {
  auto lhs = op.getLhs().getType(), rhs = op.getRhs().getType();
  if (lhs.getRank() < 3 || op.getTransposeLhs() || countUnknown(lhs) ||
      countUnknown(rhs) || countUnknown(op.getType()))
    return failure();
  auto isOne = [](int64_t size) { return size == 1; };
  if (!llvm::all_of(rhs.getShape().drop_back(2), isOne) ||
      op.getType().getRank() != lhs.getRank())
    return failure();
  Dims dims = dimsOf(lhs), columns = dimsOf(rhs);
  Attribute depth = dims.pop_back_val(), rows = sizeDim(op.getContext(), 1);
  for (Attribute dim : dims)
    rows = multiplyDims(rows, dim);
  Value left = reshapedTo(rewriter, op.getLoc(), op.getLhs(), {rows, depth});
  Value right = reshapedTo(rewriter, op.getLoc(), op.getRhs(),
                           ArrayRef<Attribute>(columns).take_back(2));
  Value product = MatmulOp::create(rewriter, op.getLoc(), left, right,
                                   UnitAttr(), op.getTransposeRhsAttr());
  rewriter.replaceOpWithNewOp<ReshapeOp>(op, op.getType(), product);
  return success();
}

/// A transposed convolution of one channel whose windows do not meet, on an
/// image of any size: a product with a column for each point of a window.
static LogicalResult windowsToColumns(ConvTransposeOp op,
                                      PatternRewriter &rewriter) {
  auto input = op.getInput().getType(), filter = op.getFilter().getType();
  if (input.hasStaticShape() || countUnknown(input) || input.getRank() != 4 ||
      op.getLayout() != Layout::NHWC || !op.hasSeparateWindows() ||
      filter.getDimSize(1) != 1)
    return failure();
  Dims dims = dimsOf(input);
  Attribute pixels = multiplyDims(multiplyDims(dims[0], dims[1]), dims[2]);
  Attribute height = sizeDim(op.getContext(), filter.getDimSize(2));
  Attribute width = sizeDim(op.getContext(), filter.getDimSize(3));
  Location loc = op.getLoc();
  Value left = reshapedTo(rewriter, loc, op.getInput(), {pixels, dims[3]});
  Value right = reshapedTo(rewriter, loc, op.getFilter(),
                           {dims[3], multiplyDims(height, width)});
  Value product =
      MatmulOp::create(rewriter, loc, left, right, UnitAttr(), UnitAttr());
  Value windows = reshapedTo(rewriter, loc, product,
                             {dims[0], dims[1], dims[2], height, width});
  Value rows = TransposeOp::create(rewriter, loc, windows,
                                   ArrayRef<int64_t>{0, 1, 3, 2, 4});
  rewriter.replaceOpWithNewOp<ReshapeOp>(op, op.getType(), rows);
  return success();
}

/// The transpose that makes `value`, seen through a reshape that only adds
/// leading dimensions of 1.
static TransposeOp transposeBehind(Value value) {
  if (auto reshape = value.getDefiningOp<ReshapeOp>()) {
    auto from = reshape.getInput().getType(), to = reshape.getType();
    auto isOne = [](int64_t size) { return size == 1; };
    int64_t added = to.getRank() - from.getRank();
    if (added < 0 || !reshape->hasOneUse() || countUnknown(to) ||
        !llvm::all_of(to.getShape().take_front(added), isOne) ||
        ArrayRef<Attribute>(dimsOf(to)).drop_front(added) !=
            ArrayRef<Attribute>(dimsOf(from)))
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
  Value rows =
      transposed(rewriter, transpose.getLoc(), transpose.getInput(), order);
  auto wanted = op.getRhs().getType();
  if (wanted.getRank() != rank) {
    Dims dims = dimsOf(wanted);
    std::swap(dims[dims.size() - 2], dims[dims.size() - 1]);
    rows = reshapedTo(rewriter, op.getLoc(), rows, dims);
  }
  rewriter.replaceOpWithNewOp<MatmulOp>(op, op.getType(), op.getLhs(), rows,
                                        op.getTransposeLhsAttr(),
                                        rewriter.getUnitAttr());
  return success();
}

void simplify::populateMatmulPatterns(RewritePatternSet &patterns) {
  patterns.add(collapseRows).add(windowsToColumns).add(absorbTranspose);
}
