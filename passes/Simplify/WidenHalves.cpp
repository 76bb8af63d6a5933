//===- WidenHalves.cpp - numbers of 16 bits in f32 ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file implements tenon-widen-halves: a walk backwards that finds which
// values are computed with, and one forwards that builds them in f32.
//===----------------------------------------------------------------------===//
#include "passes/Simplify/Constants.h"
#include "passes/Simplify/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tenon {
#define GEN_PASS_DEF_WIDENHALVESPASS
#include "passes/Simplify/Passes.h.inc"
} // namespace tenon

using namespace mlir;
using namespace tenon;
using namespace tenon::graph;

static bool isHalf(Value value) {
  Type element = getElementTypeOrSelf(value.getType());
  return element.isF16() || element.isBF16();
}

static bool touchesHalves(Operation *op) {
  return llvm::any_of(op->getOperands(), isHalf) ||
         llvm::any_of(op->getResults(), isHalf);
}

/// Whether the results are elements of the operands at other places.
static bool movesElements(Operation *op) {
  if (auto resize = dyn_cast<ResizeOp>(op))
    return resize.getMode() == ResizeMode::Nearest;
  if (auto scatter = dyn_cast<ScatterOp>(op))
    return scatter.getKind() == ScatterKind::Replace;
  return isa<ReshapeOp, BroadcastOp, TransposeOp, SliceOp, ConcatOp, PadOp,
             GatherOp, GatherElementsOp>(op);
}

/// Whether numbers of 16 bits have results of 16 bits.
static bool isExact(Operation *op) {
  return isa<AbsOp, NegOp, SignOp, ReluOp, CeilOp, FloorOp, RoundOp, MaxOp,
             MinOp, SelectOp, ReduceMaxOp, ReduceMinOp, MaxPoolOp, TopKOp>(op);
}

/// What stays as it is; its results are widened where they are computed with.
static bool staysNarrow(Operation *op) {
  return isa<ConstantOp, IotaOp, BitcastOp>(op) ||
         (isa<CastOp>(op) && !isHalf(op->getOperand(0)));
}

/// A product or convolution whose bias is the next operation: they are one
/// operator of ONNX, whose result is rounded once.
static bool hasBias(Operation *op) {
  if (!isa<ConvOp, ConvTransposeOp, MatmulOp>(op) || !op->hasOneUse())
    return false;
  auto add = dyn_cast<AddOp>(*op->user_begin());
  return add && llvm::any_of(add->getOperands(), [](Value operand) {
           return bool(simplify::constantOf(operand));
         });
}

namespace {
class Widener {
public:
  explicit Widener(Block &block) : block(block) {}

  void run() {
    findComputed();
    findWanted();
    for (Operation &op : llvm::make_early_inc_range(block.without_terminator()))
      if (touchesHalves(&op) && !staysNarrow(&op))
        rewrite(&op);
    for (Value value : llvm::reverse(narrowed))
      if (value.use_empty())
        value.getDefiningOp()->erase();
  }

  unsigned widened = 0;

private:
  bool isComputed(Value value) const { return computed.contains(value); }
  bool isWanted(Value value) const { return wanted.contains(value); }

  /// Results of arithmetic, wherever they are moved: these are there in f32.
  /// (What constants and inputs hold is moved in 16 bits.)
  void findComputed() {
    for (Operation &op : block) {
      bool moves = movesElements(&op) || isa<BitcastOp>(op);
      bool takes =
          moves ? llvm::any_of(op.getOperands(),
                               [&](Value operand) {
                                 return isHalf(operand) && isComputed(operand);
                               })
                : !isa<ConstantOp, IotaOp>(op);
      if (takes)
        computed.insert(op.result_begin(), op.result_end());
    }
  }

  /// Values that something computes with, at once or when they are moved.
  void findWanted() {
    for (Operation &op : llvm::reverse(block.without_terminator())) {
      bool wants = movesElements(&op) ? movesWide(&op) : !isa<BitcastOp>(op);
      for (Value operand : op.getOperands())
        if (wants && isHalf(operand))
          wanted.insert(operand);
    }
  }

  bool movesWide(Operation *op) const {
    return isHalf(op->getResult(0)) && isWanted(op->getResult(0)) &&
           isComputed(op->getResult(0));
  }

  void rewrite(Operation *op) {
    if (movesElements(op))
      return movesWide(op) ? replace(op, /*rounds=*/false) : void();
    if (auto cast = dyn_cast<CastOp>(op))
      return widenCast(cast);
    replace(op, /*rounds=*/!isExact(op) && !hasBias(op));
  }

  void widenCast(CastOp op) {
    Value wide = wideOf(op.getInput(), op);
    if (wide.getType() != op.getType())
      return op.getInputMutable().assign(wide);
    op.getResult().replaceAllUsesWith(wide);
    op.erase();
  }

  /// The same operation on f32. Who needs 16 bits gets them by a cast.
  void replace(Operation *op, bool rounds) {
    OpBuilder builder(op);
    SmallVector<Value> operands;
    for (Value operand : op->getOperands())
      operands.push_back(isHalf(operand) ? wideOf(operand, op) : operand);
    Operation *copy = builder.clone(*op);
    copy->setOperands(operands);
    for (auto [old, value] : llvm::zip(op->getResults(), copy->getResults())) {
      if (isHalf(old))
        value.setType(wideType(old));
      old.replaceAllUsesWith(isHalf(old) ? narrow(builder, value, old, rounds)
                                         : Value(value));
    }
    op->erase();
    ++widened;
  }

  /// `value`, which takes the place of `old`, in 16 bits. What computes with it
  /// gets these bits in f32: rounded where it was computed.
  Value narrow(OpBuilder &builder, Value value, Value old, bool rounds) {
    Location loc = old.getLoc();
    Value wide = value;
    if (rounds && isWanted(old)) {
      Value rounded = CastOp::create(builder, loc, old.getType(), value);
      wide = CastOp::create(builder, loc, value.getType(), rounded);
    }
    Value result = CastOp::create(builder, loc, old.getType(), wide);
    narrowed.push_back(result);
    wideForms[result] = wide;
    return result;
  }

  static RankedTensorType wideType(Value value) {
    auto type = cast<RankedTensorType>(value.getType());
    return type.clone(Float32Type::get(type.getContext()));
  }

  Value wideOf(Value value, Operation *user) {
    Value &wide = wideForms[value];
    if (wide)
      return wide;
    OpBuilder builder(user);
    bool isConstant = bool(simplify::constantOf(value));
    if (isConstant)
      builder.setInsertionPointAfterValue(value);
    wide = isConstant ? simplify::compute<CastOp>(builder, value.getLoc(),
                                                  wideType(value), value)
                      : CastOp::create(builder, value.getLoc(), wideType(value),
                                       value);
    return wide;
  }

  Block &block;
  DenseSet<Value> computed, wanted;
  DenseMap<Value, Value> wideForms;
  SmallVector<Value> narrowed;
};
} // namespace

namespace {
class WidenHalvesPass
    : public tenon::impl::WidenHalvesPassBase<WidenHalvesPass> {
public:
  void runOnOperation() override {
    for (auto function : getOperation().getOps<func::FuncOp>()) {
      if (function.isExternal())
        continue;
      Widener widener(function.getBody().front());
      widener.run();
      numWidened += widener.widened;
    }
  }
};
} // namespace
