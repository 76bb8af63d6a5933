//===- ArithmeticPatterns.cpp - identities of element-wise algebra --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file implements the rewrites that look at element-wise operations and
// their constant operands.
//===----------------------------------------------------------------------===//
#include "dialects/Graph/ExactCast.h"
#include "mlir/IR/TypeUtilities.h"
#include "passes/Simplify/Constants.h"
#include "passes/Simplify/Passes.h"

#include <cmath>

using namespace mlir;
using namespace tenon;
using namespace tenon::graph;
using namespace tenon::simplify;

static bool isFloat(Value value) {
  return isa<FloatType>(getElementTypeOrSelf(value.getType()));
}

static int64_t countElements(Value value) {
  auto type = cast<RankedTensorType>(value.getType());
  return type.hasStaticShape() ? type.getNumElements() : ShapedType::kDynamic;
}

/// Whether a tensor has at least four times the elements of another one. What
/// has a symbol more counts as that.
static bool isMuchLarger(Value large, Value small) {
  auto count = [](Value value) {
    Attribute product = sizeDim(value.getContext(), 1);
    for (Attribute dim : dimsOf(value))
      product = multiplyDims(product, dim);
    return product;
  };
  Attribute larger = count(large), smaller = count(small);
  if (!larger || !smaller)
    return false;
  if (!isSymbolic(larger) && !isSymbolic(smaller))
    return sizeOf(smaller) <= sizeOf(larger) / 4;
  Attribute ratio = divideDims(larger, smaller);
  return ratio && (isSymbolic(ratio) || sizeOf(ratio) >= 4);
}

/// The constant operand of a binary operation and the other one; the constant
/// is null if neither or both are.
static std::pair<Value, Value> splitConstant(Operation *op) {
  Value lhs = op->getOperand(0), rhs = op->getOperand(1);
  bool left = constantOf(lhs) != nullptr, right = constantOf(rhs) != nullptr;
  if (left == right)
    return {};
  return left ? std::pair(lhs, rhs) : std::pair(rhs, lhs);
}

//===-- Neutral elements --------------------------------------------------===//

/// `x op neutral` where the result has the type of x.
template <typename OpTy>
static LogicalResult dropNeutral(OpTy op, PatternRewriter &rewriter,
                                 double neutral) {
  for (unsigned side : {1u, 0u}) {
    Value kept = op->getOperand(1 - side);
    if (kept.getType() != op.getType() ||
        !isSplat(op->getOperand(side), neutral))
      continue;
    rewriter.replaceOp(op, kept);
    return success();
  }
  return failure();
}

/// Of integers; -0 is the neutral number of floats.
static LogicalResult simplifyAdd(AddOp op, PatternRewriter &rewriter) {
  return isFloat(op) ? failure() : dropNeutral(op, rewriter, 0.0);
}

/// Turns the sum of two zeros around at worst.
static LogicalResult dropZero(AddOp op, PatternRewriter &rewriter) {
  return dropNeutral(op, rewriter, 0.0);
}

static LogicalResult simplifyMul(MulOp op, PatternRewriter &rewriter) {
  return dropNeutral(op, rewriter, 1.0);
}

/// `x - 0 = x` of integers, `x - c = x + (-c)`.
static LogicalResult simplifySub(SubOp op, PatternRewriter &rewriter) {
  bool isSame = op.getLhs().getType() == op.getType() && !isFloat(op);
  if (isSame && isSplat(op.getRhs(), 0.0)) {
    rewriter.replaceOp(op, op.getLhs());
    return success();
  }
  auto type = cast<RankedTensorType>(op.getType());
  bool isUnsigned = type.getElementType().isUnsignedInteger();
  if (!constantOf(op.getRhs()) || isUnsigned)
    return failure();
  Value negative = compute<NegOp>(rewriter, op.getLoc(), op.getRhs());
  rewriter.replaceOpWithNewOp<AddOp>(op, op.getLhs(), negative);
  return success();
}

//===-- Division ----------------------------------------------------------===//

/// Whether rounding of `op` decides about a whole step of an integer.
static bool feedsRounding(Operation *op) {
  return llvm::any_of(op->getUsers(), [](Operation *user) {
    return isa<RoundOp, FloorOp, CeilOp, CastOp>(user);
  });
}

static LogicalResult dropOne(DivOp op, PatternRewriter &rewriter) {
  if (op.getLhs().getType() != op.getType() || !isSplat(op.getRhs(), 1.0))
    return failure();
  rewriter.replaceOp(op, op.getLhs());
  return success();
}

/// A division by a constant, or of a large tensor by a small one, becomes a
/// product with the reciprocal: at most one unit in the last place away.
static LogicalResult multiplyByReciprocal(DivOp op, PatternRewriter &rewriter) {
  // Sixteen bits cannot spare the second rounding.
  bool wide = op.getType().getElementTypeBitWidth() >= 32;
  if (!isFloat(op.getLhs()) || !wide || feedsRounding(op))
    return failure();
  bool constant = constantOf(op.getRhs()) != nullptr;
  if (!constant && !isMuchLarger(op.getResult(), op.getRhs()))
    return failure();
  auto splat = splatOf(op.getRhs());
  if (splat && (*splat == 0.0 || !std::isnormal(1.0 / *splat)))
    return failure();
  if (isSplat(op.getLhs(), 1.0))
    return failure();
  Value reciprocal = compute<ReciprocalOp>(rewriter, op.getLoc(), op.getRhs());
  rewriter.replaceOpWithNewOp<MulOp>(op, op.getLhs(), reciprocal);
  return success();
}

/// `1 / x` and `1 / sqrt(x)`.
static LogicalResult divideOne(DivOp op, PatternRewriter &rewriter) {
  if (!isSplat(op.getLhs(), 1.0) || !isFloat(op.getRhs()) ||
      op.getRhs().getType() != op.getType())
    return failure();
  rewriter.replaceOpWithNewOp<ReciprocalOp>(op, op.getRhs());
  return success();
}

static LogicalResult reciprocalOfRoot(ReciprocalOp op,
                                      PatternRewriter &rewriter) {
  auto root = op.getInput().getDefiningOp<SqrtOp>();
  if (!root)
    return failure();
  rewriter.replaceOpWithNewOp<RsqrtOp>(op, root.getInput());
  return success();
}

//===-- Powers ------------------------------------------------------------===//

/// Powers that are rounded once, like these operations.
static Value exactPowerOf(PatternRewriter &rewriter, Location loc, Value x,
                          double exponent) {
  if (exponent == 1.0)
    return x;
  if (exponent == 2.0)
    return MulOp::create(rewriter, loc, x, x);
  if (exponent == -1.0)
    return ReciprocalOp::create(rewriter, loc, x);
  return {};
}

static Value powerOf(PatternRewriter &rewriter, Location loc, Value x,
                     double exponent) {
  auto mul = [&](Value a, Value b) -> Value {
    return MulOp::create(rewriter, loc, a, b);
  };
  auto sqrt = [&](Value a) -> Value {
    return SqrtOp::create(rewriter, loc, a);
  };
  if (exponent == 3.0)
    return mul(mul(x, x), x);
  if (exponent == 4.0) {
    Value square = mul(x, x);
    return mul(square, square);
  }
  if (exponent == 0.5)
    return sqrt(x);
  if (exponent == 0.25)
    return sqrt(sqrt(x));
  if (exponent == 0.75) {
    Value root = sqrt(x);
    return mul(root, sqrt(root));
  }
  if (exponent == -0.5)
    return RsqrtOp::create(rewriter, loc, x);
  return {};
}

template <auto power>
static LogicalResult simplifyPow(PowOp op, PatternRewriter &rewriter) {
  auto exponent = splatOf(op.getRhs());
  if (!exponent || op.getLhs().getType() != op.getType())
    return failure();
  bool whole = *exponent >= 1.0 && std::trunc(*exponent) == *exponent;
  if (!isFloat(op.getLhs()) && !whole)
    return failure();
  Value result = power(rewriter, op.getLoc(), op.getLhs(), *exponent);
  if (!result)
    return failure();
  rewriter.replaceOp(op, result);
  return success();
}

//===-- Chains of constants -----------------------------------------------===//

/// `(x op c1) op c2 = x op (c1 op c2)`, unless that makes a larger constant.
template <typename OpTy>
static LogicalResult joinConstants(OpTy op, PatternRewriter &rewriter) {
  auto [outer, inner] = splitConstant(op);
  auto before = inner ? inner.template getDefiningOp<OpTy>() : OpTy();
  if (!before || !before->hasOneUse())
    return failure();
  auto [first, x] = splitConstant(before);
  if (!first)
    return failure();
  int64_t larger = std::max(countElements(first), countElements(outer));
  auto joined = broadcastTypes({cast<RankedTensorType>(first.getType()),
                                cast<RankedTensorType>(outer.getType())},
                               getElementTypeOrSelf(outer.getType()));
  if (failed(joined) || joined->getNumElements() > larger)
    return failure();
  Value constant = compute<OpTy>(rewriter, op.getLoc(), first, outer);
  rewriter.replaceOpWithNewOp<OpTy>(op, x, constant);
  return success();
}

/// Of integers, whose products wrap in any order.
static LogicalResult joinFactors(MulOp op, PatternRewriter &rewriter) {
  return isFloat(op) ? failure() : joinConstants(op, rewriter);
}

//===-- Clamps ------------------------------------------------------------===//

static LogicalResult maxToRelu(MaxOp op, PatternRewriter &rewriter) {
  auto [constant, x] = splitConstant(op);
  if (!constant || x.getType() != op.getType() || !isSplat(constant, 0.0))
    return failure();
  rewriter.replaceOpWithNewOp<ReluOp>(op, x);
  return success();
}

static LogicalResult dropRelu(ReluOp op, PatternRewriter &rewriter) {
  Operation *before = op.getInput().getDefiningOp();
  if (!isa_and_nonnull<ReluOp, SigmoidOp, ExpOp>(before))
    return failure();
  rewriter.replaceOp(op, op.getInput());
  return success();
}

//===-- Casts, selections, signs ------------------------------------------===//

/// Whether each value of `from` is a value of `to`.
static bool isWidening(Type from, Type to) {
  if (auto a = dyn_cast<FloatType>(from)) {
    auto b = dyn_cast<FloatType>(to);
    bool isHalf = a.getWidth() <= 16;
    return b && (from == to || b.isF64() || (b.isF32() && isHalf));
  }
  auto a = dyn_cast<IntegerType>(from), b = dyn_cast<IntegerType>(to);
  return a && b && a.getSignedness() == b.getSignedness() &&
         a.getWidth() <= b.getWidth() && a.getWidth() > 1;
}

static LogicalResult simplifyCast(CastOp op, PatternRewriter &rewriter) {
  if (op.getInput().getType() == op.getType()) {
    rewriter.replaceOp(op, op.getInput());
    return success();
  }
  auto before = op.getInput().getDefiningOp<CastOp>();
  if (before && before->hasAttr(exactAttr) &&
      before.getInput().getType() == op.getType()) {
    rewriter.replaceOp(op, before.getInput());
    return success();
  }
  if (!before || !isWidening(getElementTypeOrSelf(before.getInput().getType()),
                             getElementTypeOrSelf(before.getType())))
    return failure();
  rewriter.replaceOpWithNewOp<CastOp>(op, op.getType(), before.getInput(),
                                      op.getSaturate(), op.getRoundMode());
  return success();
}

static LogicalResult simplifyBitcast(BitcastOp op, PatternRewriter &rewriter) {
  if (op.getInput().getType() == op.getType()) {
    rewriter.replaceOp(op, op.getInput());
    return success();
  }
  auto before = op.getInput().getDefiningOp<BitcastOp>();
  if (!before)
    return failure();
  rewriter.replaceOpWithNewOp<BitcastOp>(op, op.getType(), before.getInput());
  return success();
}

static LogicalResult simplifySelect(SelectOp op, PatternRewriter &rewriter) {
  Value repeated = op.getCondition();
  if (auto broadcast = repeated.getDefiningOp<BroadcastOp>())
    repeated = broadcast.getInput();
  auto condition = splatOf(repeated);
  if (!condition)
    return failure();
  Value chosen = *condition != 0.0 ? op.getOnTrue() : op.getOnFalse();
  if (chosen.getType() == op.getType())
    rewriter.replaceOp(op, chosen);
  else
    rewriter.replaceOpWithNewOp<BroadcastOp>(op, op.getType(), chosen);
  return success();
}

/// An operation that is its own inverse.
template <typename OpTy>
static LogicalResult dropPair(OpTy op, PatternRewriter &rewriter) {
  auto before = op.getInput().template getDefiningOp<OpTy>();
  if (!before)
    return failure();
  rewriter.replaceOp(op, before.getInput());
  return success();
}

void simplify::populateArithmeticPatterns(RewritePatternSet &patterns) {
  patterns.add(simplifyAdd).add(simplifyMul).add(simplifySub);
  patterns.add(dropOne).add(divideOne).add(reciprocalOfRoot);
  patterns.add(simplifyPow<exactPowerOf>);
  patterns.add(joinConstants<AddOp>).add(joinFactors);
  patterns.add(joinConstants<MaxOp>).add(joinConstants<MinOp>);
  patterns.add(maxToRelu).add(dropRelu);
  patterns.add(simplifyCast).add(simplifyBitcast).add(simplifySelect);
  patterns.add(dropPair<NegOp>).add(dropPair<NotOp>);
}

void simplify::populateRoundingPatterns(RewritePatternSet &patterns) {
  patterns.add(dropZero).add(multiplyByReciprocal);
  patterns.add(simplifyPow<powerOf>).add(joinConstants<MulOp>);
}
