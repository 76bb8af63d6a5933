//===- PlanePatterns.cpp - images of few channels as images of one --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file implements rewrites that make an image of each channel where there
// are few of them and none meets another: what fills vectors then is rows, and
// nothing has to be transposed.
//
//   [1, 3, H, W]  depthwise 5x5, the same taps     [3, 1, H, W]  1 -> 1, 5x5
//===----------------------------------------------------------------------===//
#include "lib/Interpreter/Interpreter.h"
#include "passes/Simplify/Constants.h"
#include "passes/Simplify/Passes.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::graph;
using namespace tenon::simplify;

static RankedTensorType typeOf(Value value) {
  return cast<RankedTensorType>(value.getType());
}

/// Whether there are so few channels that they fill no vector, of maps that are
/// worth it.
static bool hasFewChannels(RankedTensorType type) {
  constexpr int64_t most = 4, leastPixels = 1024;
  if (!type.hasStaticShape() || type.getRank() != 4)
    return false;
  ArrayRef<int64_t> shape = type.getShape();
  return shape[1] > 1 && shape[1] <= most && shape[2] * shape[3] >= leastPixels;
}

/// `type` with its channels among the images.
static SmallVector<int64_t> planesOf(RankedTensorType type) {
  ArrayRef<int64_t> shape = type.getShape();
  SmallVector<int64_t> planes = {shape[0] * shape[1], 1};
  llvm::append_range(planes, shape.drop_front(2));
  return planes;
}

/// The taps of the first channel, where all channels have these.
static Value commonTaps(ConvOp conv, PatternRewriter &rewriter) {
  ElementsAttr filter = constantOf(conv.getFilter());
  auto type = typeOf(conv.getFilter());
  int64_t channels = typeOf(conv.getInput()).getDimSize(1);
  if (!filter || int64_t(conv.getGroup()) != channels ||
      type.getDimSize(0) != channels)
    return {};
  auto all = interp::Tensor::viewElements(filter);
  if (failed(all))
    return {};
  ArrayRef<char> bytes = all->bytes();
  size_t taps = bytes.size() / size_t(channels);
  for (size_t at = taps; at < bytes.size(); at += taps)
    if (bytes.slice(at, taps) != bytes.take_front(taps))
      return {};
  SmallVector<int64_t> shape(type.getShape());
  shape[0] = 1;
  auto one = RankedTensorType::get(shape, type.getElementType());
  return ConstantOp::create(
      rewriter, conv.getLoc(), one,
      interp::Tensor::borrow(one, bytes.take_front(taps)).toElements());
}

using Shape = SmallVector<int64_t>;

/// The shape in which an operand is read for planes; none if it broadcasts
/// otherwise than from a number or, of one image, from one for each channel.
static std::optional<Shape> planeShapeOf(Value operand,
                                         RankedTensorType result) {
  auto type = typeOf(operand);
  if (type.getShape() == result.getShape())
    return planesOf(result);
  if (type.hasStaticShape() && type.getNumElements() == 1)
    return Shape();
  int64_t rank = type.getRank(), channels = result.getDimSize(1);
  bool isOfChannels = result.getDimSize(0) == 1 && rank >= 3 &&
                      type.getDimSize(rank - 3) == channels &&
                      type.hasStaticShape() &&
                      type.getNumElements() == channels;
  if (!isOfChannels)
    return std::nullopt;
  return Shape{channels, 1, 1, 1};
}

/// All operands in these shapes.
static SmallVector<Value> reshapedAll(PatternRewriter &rewriter, Operation *op,
                                      ArrayRef<Shape> shapes) {
  SmallVector<Value> operands;
  for (auto [operand, shape] : llvm::zip_equal(op->getOperands(), shapes))
    operands.push_back(reshaped(rewriter, op->getLoc(), operand, shape));
  return operands;
}

namespace {
/// A window of one channel each.
template <typename OpTy> struct WindowOfPlanes : OpRewritePattern<OpTy> {
  using OpRewritePattern<OpTy>::OpRewritePattern;

  LogicalResult matchAndRewrite(OpTy op,
                                PatternRewriter &rewriter) const override {
    auto result = typeOf(op.getResult());
    if (op.getLayout() != Layout::NCHW ||
        !hasFewChannels(typeOf(op.getInput())))
      return failure();
    SmallVector<Value> operands(op->getOperands());
    if constexpr (std::is_same_v<OpTy, ConvOp>)
      if (!(operands[1] = commonTaps(op, rewriter)))
        return failure();
    operands[0] = reshaped(rewriter, op.getLoc(), op.getInput(),
                           planesOf(typeOf(op.getInput())));
    auto twin = cast<OpTy>(rewriter.clone(*op));
    twin->setOperands(operands);
    if constexpr (std::is_same_v<OpTy, ConvOp>)
      twin.setGroup(1);
    twin.getResult().setType(
        RankedTensorType::get(planesOf(result), result.getElementType()));
    rewriter.replaceOpWithNewOp<ReshapeOp>(op, result, twin.getResult());
    return success();
  }
};

/// An operation that works on each plane alone moves in front of the reshape
/// that puts planes back among the channels.
class SinkPlanes : public RewritePattern {
public:
  explicit SinkPlanes(MLIRContext *context)
      : RewritePattern(MatchAnyOpTypeTag(), 1, context) {}

  LogicalResult matchAndRewrite(Operation *op,
                                PatternRewriter &rewriter) const override {
    bool isAlone = op->hasTrait<Elementwise>() || isa<ResizeOp>(op);
    if (!isAlone || op->getNumResults() != 1)
      return failure();
    auto result = typeOf(op->getResult(0));
    if (!hasFewChannels(result) || !llvm::any_of(op->getOperands(), isPutBack))
      return failure();
    if (auto resize = dyn_cast<ResizeOp>(op); resize && !keepsPlanes(resize))
      return failure();
    SmallVector<Shape> shapes;
    for (Value operand : op->getOperands()) {
      auto shape = planeShapeOf(operand, result);
      if (!shape && !isa<ResizeOp>(op))
        return failure();
      shapes.push_back(shape ? *shape : planesOf(typeOf(operand)));
    }
    SmallVector<Value> operands = reshapedAll(rewriter, op, shapes);
    Operation *twin = rewriter.clone(*op);
    twin->setOperands(operands);
    twin->getResult(0).setType(
        RankedTensorType::get(planesOf(result), result.getElementType()));
    rewriter.replaceOpWithNewOp<ReshapeOp>(op, result, twin->getResult(0));
    return success();
  }

private:
  static bool isPutBack(Value value) {
    auto reshape = value.getDefiningOp<ReshapeOp>();
    auto type = typeOf(value);
    return reshape && hasFewChannels(type) && !constantOf(reshape.getInput()) &&
           typeOf(reshape.getInput()).getShape() == ArrayRef(planesOf(type));
  }

  static bool keepsPlanes(ResizeOp resize) {
    auto from = typeOf(resize.getInput()), to = typeOf(resize.getResult());
    return from.getDimSize(0) == to.getDimSize(0) &&
           from.getDimSize(1) == to.getDimSize(1) &&
           resize.getScales()[0] == 1.0f && resize.getScales()[1] == 1.0f &&
           resize.getRoi().empty();
  }
};

/// What makes an operand of planes alone works on planes, too.
struct HoistPlanes : OpRewritePattern<ReshapeOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(ReshapeOp reshape,
                                PatternRewriter &rewriter) const override {
    auto from = typeOf(reshape.getInput());
    Operation *op = reshape.getInput().getDefiningOp();
    bool isOnlyFor = op && op->hasTrait<Elementwise>() && op->hasOneUse() &&
                     op->getNumResults() == 1;
    if (!isOnlyFor || !hasFewChannels(from) ||
        typeOf(reshape.getResult()).getShape() != ArrayRef(planesOf(from)))
      return failure();
    SmallVector<Shape> shapes;
    for (Value operand : op->getOperands()) {
      auto shape = planeShapeOf(operand, from);
      if (!shape)
        return failure();
      shapes.push_back(*shape);
    }
    SmallVector<Value> operands = reshapedAll(rewriter, op, shapes);
    Operation *twin = rewriter.clone(*op);
    twin->setOperands(operands);
    twin->getResult(0).setType(reshape.getType());
    rewriter.replaceOp(reshape, twin->getResults());
    return success();
  }
};
} // namespace

namespace {
/// One channel that is a weighted sum of few, pixel by pixel, is that: nothing
/// is transposed, and it joins what follows.
struct SumOfPlanes : OpRewritePattern<ConvOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(ConvOp conv,
                                PatternRewriter &rewriter) const override {
    auto input = typeOf(conv.getInput()), filter = typeOf(conv.getFilter());
    bool isPlain = conv.getLayout() == Layout::NCHW && hasFewChannels(input) &&
                   typeOf(conv.getResult()).getDimSize(1) == 1 &&
                   filter.getNumElements() == input.getDimSize(1) &&
                   llvm::all_of(conv.getPads(), isZero) &&
                   llvm::all_of(conv.getStrides(), isOne);
    if (!isPlain || !constantOf(conv.getFilter()))
      return failure();
    Location loc = conv.getLoc();
    SmallVector<int64_t> steps(4, 1), sizes(input.getShape());
    sizes[1] = 1;
    Value sum;
    for (int64_t channel = 0; channel < input.getDimSize(1); ++channel) {
      SmallVector<int64_t> at = {0, channel, 0, 0}, one(4, 1);
      Value weight = reshaped(
          rewriter, loc,
          compute<SliceOp>(rewriter, loc, conv.getFilter(), at, one, steps),
          {});
      Value plane =
          SliceOp::create(rewriter, loc, conv.getInput(), at, sizes, steps);
      Value term = MulOp::create(rewriter, loc, plane, weight);
      sum = sum ? Value(AddOp::create(rewriter, loc, sum, term)) : term;
    }
    rewriter.replaceOp(conv, sum);
    return success();
  }

private:
  static bool isZero(int64_t x) { return x == 0; }
  static bool isOne(int64_t x) { return x == 1; }
};
} // namespace

void simplify::populatePlanePatterns(RewritePatternSet &patterns) {
  patterns.add<WindowOfPlanes<ConvOp>, WindowOfPlanes<MaxPoolOp>,
               WindowOfPlanes<AvgPoolOp>, SinkPlanes, HoistPlanes, SumOfPlanes>(
      patterns.getContext());
}
