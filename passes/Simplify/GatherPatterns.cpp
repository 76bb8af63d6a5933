//===- GatherPatterns.cpp - take rows, then compute -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file implements rewrites that move a gather in front of what is computed
// of a constant table, such as its dequantisation: the table stays as small as
// it is, and only rows that are asked for are computed.
//===----------------------------------------------------------------------===//
#include "passes/Simplify/Constants.h"
#include "passes/Simplify/Passes.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::graph;
using namespace tenon::simplify;

static RankedTensorType typeOf(Value value) {
  return cast<RankedTensorType>(value.getType());
}

/// Whether `value` depends on constants alone, through few operations.
static bool isTable(Value value, unsigned depth = 0) {
  constexpr unsigned maxDepth = 12;
  Operation *op = value.getDefiningOp();
  if (!op || !typeOf(value).hasStaticShape() || depth > maxDepth)
    return false;
  if (auto slice = dyn_cast<SliceOp>(op); slice && !isFixed(slice))
    return false;
  if (isa<ConstantOp>(op))
    return true;
  return (op->hasTrait<Elementwise>() ||
          isa<ReshapeOp, BroadcastOp, SliceOp>(op)) &&
         llvm::all_of(op->getOperands(), [&](Value operand) {
           return isTable(operand, depth + 1);
         });
}

/// Whether nothing else reads what `op` computes than what takes parts of it.
static bool isOnlyTakenFrom(Operation *op) {
  return llvm::all_of(op->getUses(), [](OpOperand &use) {
    return use.getOperandNumber() == 0 &&
           isa<GatherOp, SliceOp>(use.getOwner());
  });
}

namespace {
class GatherFirst : public OpRewritePattern<GatherOp> {
public:
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(GatherOp op,
                                PatternRewriter &rewriter) const override {
    Operation *made = op.getInput().getDefiningOp();
    if (!made || isa<ConstantOp>(made) || !isTable(op.getInput()) ||
        !isOnlyTakenFrom(made) || !op.getType().hasStaticShape() ||
        op.getType().getNumElements() > typeOf(op.getInput()).getNumElements())
      return failure();
    Value moved =
        TypeSwitch<Operation *, Value>(made)
            .Case([&](ReshapeOp of) { return before(rewriter, op, of); })
            .Case([&](BroadcastOp of) { return before(rewriter, op, of); })
            .Case([&](SliceOp of) { return before(rewriter, op, of); })
            .Default([&](Operation *of) { return before(rewriter, op, of); });
    if (!moved)
      return failure();
    rewriter.replaceOp(op, moved);
    return success();
  }

private:
  static Value rowsOf(PatternRewriter &rewriter, GatherOp op, Value operand);
  static Value before(PatternRewriter &rewriter, GatherOp op, Operation *of);
  static Value before(PatternRewriter &rewriter, GatherOp op, BroadcastOp of);
  static Value before(PatternRewriter &rewriter, GatherOp op, ReshapeOp of);
  static Value before(PatternRewriter &rewriter, GatherOp op, SliceOp of);
};
} // namespace

/// `shape` with what stands for the gathered dimension `axis` in its place.
static SmallVector<int64_t> replaced(ArrayRef<int64_t> shape, int64_t axis,
                                     ArrayRef<int64_t> by) {
  SmallVector<int64_t> result(shape.take_front(axis));
  llvm::append_range(result, by);
  llvm::append_range(result, shape.drop_front(axis + 1));
  return result;
}

/// The rows of an operand that is broadcast to what is gathered from, such that
/// it is broadcast to the rows.
Value GatherFirst::rowsOf(PatternRewriter &rewriter, GatherOp op,
                          Value operand) {
  auto type = typeOf(operand);
  int64_t axis = int64_t(op.getAxis()) -
                 (typeOf(op.getInput()).getRank() - type.getRank());
  if (axis < 0)
    return operand;
  if (type.getDimSize(axis) != 1)
    return GatherOp::create(rewriter, op.getLoc(), operand, op.getIndices(),
                            axis);
  SmallVector<int64_t> ones(typeOf(op.getIndices()).getRank(), 1);
  return reshaped(rewriter, op.getLoc(), operand,
                  replaced(type.getShape(), axis, ones));
}

Value GatherFirst::before(PatternRewriter &rewriter, GatherOp op,
                          Operation *of) {
  SmallVector<Value> rows;
  for (Value operand : of->getOperands())
    rows.push_back(rowsOf(rewriter, op, operand));
  rewriter.setInsertionPoint(op);
  Operation *twin = rewriter.clone(*of);
  twin->setOperands(rows);
  twin->getResult(0).setType(
      withShape(typeOf(of->getResult(0)), op.getType().getShape()));
  return twin->getResult(0);
}

Value GatherFirst::before(PatternRewriter &rewriter, GatherOp op,
                          BroadcastOp of) {
  Value rows = rowsOf(rewriter, op, of.getInput());
  return BroadcastOp::create(rewriter, op.getLoc(), op.getType(), rows);
}

/// The gathered dimension must go through the reshape as it is.
Value GatherFirst::before(PatternRewriter &rewriter, GatherOp op,
                          ReshapeOp of) {
  ReshapeRuns runs(dimsOf(of.getInput()), dimsOf(of.getType()));
  std::optional<int64_t> source;
  while (runs.next())
    if (runs.toBegin <= op.getAxis() && op.getAxis() < runs.toEnd)
      for (int64_t dim = runs.fromBegin; dim < runs.fromEnd; ++dim)
        if (sizeOf(runs.from[dim]) == of.getType().getDimSize(op.getAxis()))
          source = dim;
  if (!runs.atEnd() || !source)
    return {};
  auto from = typeOf(of.getInput());
  auto product = [](ArrayRef<int64_t> extents) {
    return ShapedType::getNumElements(extents);
  };
  if (product(from.getShape().take_front(*source)) !=
      product(of.getType().getShape().take_front(op.getAxis())))
    return {};
  Value rows = GatherOp::create(rewriter, op.getLoc(), of.getInput(),
                                op.getIndices(), *source);
  return reshaped(rewriter, op.getLoc(), rows, op.getType().getShape());
}

/// The gathered dimension must not be cut.
Value GatherFirst::before(PatternRewriter &rewriter, GatherOp op, SliceOp of) {
  int64_t axis = op.getAxis();
  auto indices = typeOf(op.getIndices());
  if (of.getStarts()[axis] != 0 || of.getSteps()[axis] != 1 ||
      of.getSizes()[axis] != typeOf(of.getInput()).getDimSize(axis))
    return {};
  Value rows = GatherOp::create(rewriter, op.getLoc(), of.getInput(),
                                op.getIndices(), axis);
  SmallVector<int64_t> zeros(indices.getRank(), 0), ones(indices.getRank(), 1);
  return SliceOp::create(rewriter, op.getLoc(), rows,
                         replaced(of.getStarts(), axis, zeros),
                         replaced(of.getSizes(), axis, indices.getShape()),
                         replaced(of.getSteps(), axis, ones));
}

/// The part of an operand that is broadcast to what `op` slices.
static Value partOf(PatternRewriter &rewriter, SliceOp op, Value operand) {
  auto type = typeOf(operand);
  int64_t lead = op.getType().getRank() - type.getRank();
  SmallVector<int64_t> starts(op.getStarts().drop_front(lead));
  SmallVector<int64_t> sizes(op.getSizes().drop_front(lead));
  SmallVector<int64_t> steps(op.getSteps().drop_front(lead));
  for (auto [dim, extent] : llvm::enumerate(type.getShape()))
    if (extent == 1)
      starts[dim] = 0, sizes[dim] = 1, steps[dim] = 1;
  return rewriter.createOrFold<SliceOp>(op.getLoc(), operand, starts, sizes,
                                        steps);
}

static LogicalResult sliceFirst(SliceOp op, PatternRewriter &rewriter) {
  Operation *made = op.getInput().getDefiningOp();
  if (!made || !made->hasTrait<Elementwise>() || !isFixed(op) ||
      !isTable(op.getInput()) || !isOnlyTakenFrom(made) ||
      isEmpty(op.getType()))
    return failure();
  SmallVector<Value> parts;
  for (Value operand : made->getOperands())
    parts.push_back(partOf(rewriter, op, operand));
  Operation *twin = rewriter.clone(*made);
  twin->setOperands(parts);
  twin->getResult(0).setType(op.getType());
  rewriter.replaceOp(op, twin);
  return success();
}

void simplify::populateGatherPatterns(RewritePatternSet &patterns) {
  patterns.add<GatherFirst>(patterns.getContext());
  patterns.add(sliceFirst);
}
