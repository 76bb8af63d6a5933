//===- ScalePatterns.cpp - scales go into constant weights ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file implements the patterns of tenon-fold-scales. A product is a
// convolution, a transposed convolution or a matmul whose weights are constant.
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

namespace {
/// Where the channels of a product stand, in its tensors and in its weights.
struct Product {
  Operation *op = nullptr;
  int64_t resultDim = 0; ///< output channels in the result
  int64_t inputDim = 0;  ///< input channels in the input
  Value weights() const { return op->getOperand(1); }
  Value result() const { return op->getResult(0); }
};
} // namespace

/// Whether rows are gathered from a constant, too: with a scale of its own, a
/// product could not read the same one any more.
static bool isGathered(Value constant) {
  return llvm::any_of(constant.getUsers(), llvm::IsaPred<GatherOp>);
}

static std::optional<Product> productOf(Operation *op) {
  if (!isa_and_nonnull<ConvOp, ConvTransposeOp, MatmulOp>(op) ||
      !constantOf(op->getOperand(1)) || isGathered(op->getOperand(1)))
    return std::nullopt;
  Product product{op};
  int64_t rank = typeOf(op->getResult(0)).getRank();
  if (auto conv = dyn_cast<ConvOp>(op))
    product.resultDim = channelDim(conv.getLayout(), rank);
  else if (auto back = dyn_cast<ConvTransposeOp>(op))
    product.resultDim = channelDim(back.getLayout(), rank);
  else
    product.resultDim = rank - 1;
  product.inputDim = product.resultDim;
  if (auto matmul = dyn_cast<MatmulOp>(op)) {
    if (matmul.getTransposeLhs())
      return std::nullopt;
    product.inputDim = typeOf(matmul.getLhs()).getRank() - 1;
  }
  return product;
}

/// The number of channels that a constant of one value per channel has: its
/// dimensions other than `dim` of a tensor of `rank` must be 1. Nothing if it
/// varies elsewhere.
static std::optional<int64_t> channelsOf(Value constant, int64_t dim,
                                         int64_t rank) {
  auto type = typeOf(constant);
  if (!constantOf(constant) || type.getRank() > rank)
    return std::nullopt;
  int64_t channels = 1, offset = rank - type.getRank();
  for (auto [index, size] : llvm::enumerate(type.getShape())) {
    bool here = static_cast<int64_t>(index) + offset == dim;
    if (here)
      channels = size;
    else if (size != 1)
      return std::nullopt;
  }
  return channels;
}

/// The shape in which one value per channel meets the weights; nothing where
/// groups mix them.
static std::optional<SmallVector<int64_t>>
weightShape(const Product &product, int64_t channels, bool output) {
  SmallVector<int64_t> shape(typeOf(product.weights()).getRank(), 1);
  if (channels == 1)
    return shape;
  if (auto matmul = dyn_cast<MatmulOp>(product.op)) {
    bool last = output != matmul.getTransposeRhs();
    shape[shape.size() - (last ? 1 : 2)] = channels;
    return shape;
  }
  bool forward = isa<ConvOp>(product.op);
  int64_t group = forward ? cast<ConvOp>(product.op).getGroup()
                          : cast<ConvTransposeOp>(product.op).getGroup();
  bool outer = forward == output;
  if (!outer && group != 1)
    return std::nullopt;
  shape[outer ? 0 : 1] = channels;
  return shape;
}

/// The product with its weights multiplied, channel by channel.
static Operation *scaledProduct(PatternRewriter &rewriter,
                                const Product &product, Value scale,
                                ArrayRef<int64_t> shape, Value input) {
  Location loc = product.op->getLoc();
  Value factors = reshaped(rewriter, loc, scale, shape);
  Value weights = compute<MulOp>(rewriter, loc, product.weights(), factors);
  Operation *twin = rewriter.clone(*product.op);
  twin->setOperand(0, input);
  twin->setOperand(1, weights);
  return twin;
}

/// Splits a commutative operation into a constant and the rest.
static std::pair<Value, Value> splitConstant(Operation *op) {
  Value lhs = op->getOperand(0), rhs = op->getOperand(1);
  if (constantOf(rhs))
    return {rhs, lhs};
  return constantOf(lhs) ? std::pair(lhs, rhs) : std::pair<Value, Value>();
}

/// `product * s`, and `(product + b) * s = product' + b * s`.
static LogicalResult scaleBehind(MulOp op, PatternRewriter &rewriter) {
  auto [scale, value] = splitConstant(op);
  if (!scale || constantOf(value) || value.getType() != op.getType() ||
      !value.hasOneUse())
    return failure();
  Value bias;
  Value behind = value;
  if (auto add = value.getDefiningOp<AddOp>()) {
    std::tie(bias, behind) = splitConstant(add);
    if (!bias || behind.getType() != op.getType() || !behind.hasOneUse())
      return failure();
  }
  auto product = productOf(behind.getDefiningOp());
  if (!product)
    return failure();
  int64_t rank = op.getType().getRank();
  auto channels = channelsOf(scale, product->resultDim, rank);
  if (!channels)
    return failure();
  auto shape = weightShape(*product, *channels, /*output=*/true);
  if (!shape)
    return failure();
  Operation *twin = scaledProduct(rewriter, *product, scale, *shape,
                                  product->op->getOperand(0));
  if (!bias) {
    rewriter.replaceOp(op, twin);
    return success();
  }
  Value shift = compute<MulOp>(rewriter, op.getLoc(), bias, scale);
  rewriter.replaceOpWithNewOp<AddOp>(op, twin->getResult(0), shift);
  return success();
}

/// `(x * s + b) * t = x * (s * t) + b * t`: two normalisations in a row.
static LogicalResult joinScales(MulOp op, PatternRewriter &rewriter) {
  auto [outer, sum] = splitConstant(op);
  auto add = sum ? sum.getDefiningOp<AddOp>() : AddOp();
  if (!outer || !add || !add->hasOneUse() || add.getType() != op.getType())
    return failure();
  auto [bias, scaled] = splitConstant(add);
  auto mul = scaled ? scaled.getDefiningOp<MulOp>() : MulOp();
  if (!bias || !mul || !mul->hasOneUse() || !splitConstant(mul).first)
    return failure();
  Location loc = op.getLoc();
  Value product = MulOp::create(rewriter, loc, scaled, outer);
  Value shift = compute<MulOp>(rewriter, loc, bias, outer);
  rewriter.replaceOpWithNewOp<AddOp>(op, product, shift);
  return success();
}

/// `product(x * s)`: zeros of the padding stay zeros.
template <typename OpTy>
static LogicalResult scaleBefore(OpTy op, PatternRewriter &rewriter) {
  auto product = productOf(op);
  auto mul = op->getOperand(0).template getDefiningOp<MulOp>();
  if (!product || !mul || !mul->hasOneUse())
    return failure();
  auto [scale, value] = splitConstant(mul);
  if (!scale || value.getType() != mul.getType())
    return failure();
  auto channels = channelsOf(scale, product->inputDim, typeOf(value).getRank());
  if (!channels)
    return failure();
  auto shape = weightShape(*product, *channels, /*output=*/false);
  if (!shape)
    return failure();
  rewriter.replaceOp(op,
                     scaledProduct(rewriter, *product, scale, *shape, value));
  return success();
}

static bool isRearrangement(Operation *op) {
  return isa_and_nonnull<ReshapeOp, TransposeOp>(op);
}

/// Whether a value is a part of another, seen through views: no product made
/// it, whose weights or results could be multiplied instead.
static bool isPart(Value value) {
  while (isRearrangement(value.getDefiningOp()))
    value = value.getDefiningOp()->getOperand(0);
  return bool(value.getDefiningOp<SliceOp>());
}

/// The `x * s` behind an operand that scales a part of something by one number,
/// seen through views; null if something else uses it.
static MulOp scaledPart(Value operand) {
  while (operand.hasOneUse() && isRearrangement(operand.getDefiningOp()))
    operand = operand.getDefiningOp()->getOperand(0);
  auto mul = operand.getDefiningOp<MulOp>();
  if (!mul || !mul->hasOneUse())
    return {};
  auto [scale, value] = splitConstant(mul);
  bool isOneNumber = scale && typeOf(scale).getNumElements() == 1;
  return isOneNumber && value.getType() == mul.getType() && isPart(value)
             ? mul
             : MulOp();
}

/// `(q s) (k t) = (q k) (s t)`: queries and keys that are parts of one product
/// are read where they lie then, without a walk that multiplies them. Numbers
/// of 16 bits might overflow.
static LogicalResult scaleScores(MatmulOp op, PatternRewriter &rewriter) {
  if (op.getType().getElementTypeBitWidth() < 32)
    return failure();
  Value scale;
  for (Value operand : op.getOperands()) {
    MulOp mul = scaledPart(operand);
    if (!mul)
      continue;
    auto [own, value] = splitConstant(mul);
    own = reshaped(rewriter, op.getLoc(), own, {1});
    scale = scale ? compute<MulOp>(rewriter, op.getLoc(), scale, own) : own;
    rewriter.replaceOp(mul, value);
  }
  if (!scale)
    return failure();
  rewriter.setInsertionPointAfter(op);
  auto scaled = MulOp::create(rewriter, op.getLoc(), op.getResult(), scale);
  rewriter.replaceAllUsesExcept(op.getResult(), scaled, scaled);
  return success();
}

void simplify::populateScalePatterns(RewritePatternSet &patterns) {
  patterns.add(scaleBehind).add(joinScales).add(scaleScores);
  patterns.add(scaleBefore<ConvOp>)
      .add(scaleBefore<ConvTransposeOp>)
      .add(scaleBefore<MatmulOp>);
}
