//===- Optimizers.cpp - updates of ai.onnx.preview.training ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file lowers the standard's own optimisers, whose formulas are not
// torch's: epsilon is added to the root as it is, and the first momentum takes
// all of the gradient. Operands are a rate, a count of updates, and then all
// parameters, all gradients, all of each moment; results are parameters and
// moments in that order.
//===----------------------------------------------------------------------===//
#include "passes/Normalize/Extents.h"
#include "passes/Normalize/Training/Training.h"

using namespace tenon;
using namespace tenon::normalize;

namespace {
/// One parameter, and what is made of it.
struct Update {
  NormalizeContext &ctx;
  const Node &node;
  Value rate, count; ///< of rank 0; the count f64

  Value add(Value a, Value b) const { return ctx.create<graph::AddOp>(a, b); }
  Value mul(Value a, Value b) const { return ctx.create<graph::MulOp>(a, b); }
  Value div(Value a, Value b) const { return ctx.create<graph::DivOp>(a, b); }
  Value scaled(Value a, double by) const {
    return mul(a, ctx.scalarLike(by, a));
  }
  Value plus(Value a, double term) const {
    return add(a, ctx.scalarLike(term, a));
  }
  Value root(Value a) const { return ctx.create<graph::SqrtOp>(a); }
  double number(StringRef name, float absent = 0) const {
    return node.real(name, absent);
  }
  /// Whether an update came before.
  Value isLater() const {
    return ctx.create<graph::GreaterOp>(count, ctx.scalarLike(0, count));
  }
  /// x less a change at that rate.
  Value minus(Value x, Value change, Value at) const {
    mlir::Type element = mlir::getElementTypeOrSelf(x);
    return ctx.create<graph::SubOp>(x, mul(ctx.cast(at, element), change));
  }
  Value regularized(Value x, Value dx) const {
    double by = number("norm_coefficient");
    return by == 0 ? dx : add(scaled(x, by), dx);
  }
};

/// x, its gradient and moments, to x and moments.
using Step = SmallVector<Value> (*)(const Update &, ArrayRef<Value>);
} // namespace

static SmallVector<Value> adagrad(const Update &u, ArrayRef<Value> of) {
  Value dx = u.regularized(of[0], of[1]);
  Value sum = u.add(of[2], u.mul(dx, dx));
  Value slower = u.plus(u.scaled(u.count, u.number("decay_factor")), 1);
  Value rate =
      u.div(u.rate, u.ctx.cast(slower, mlir::getElementTypeOrSelf(u.rate)));
  Value root = u.plus(u.root(sum), u.number("epsilon", 1e-6f));
  return {u.minus(of[0], u.div(dx, root), rate), sum};
}

/// 1 - base^count, in f64: the base is near 1.
static Value correction(const Update &u, double base) {
  Value power =
      u.ctx.create<graph::PowOp>(u.ctx.scalarLike(base, u.count), u.count);
  return u.ctx.create<graph::SubOp>(u.ctx.scalarLike(1, u.count), power);
}

static SmallVector<Value> adam(const Update &u, ArrayRef<Value> of) {
  double alpha = u.number("alpha", 0.9f), beta = u.number("beta", 0.999f);
  Value dx = u.regularized(of[0], of[1]);
  Value mean = u.add(u.scaled(of[2], alpha), u.scaled(dx, 1 - alpha));
  Value square =
      u.add(u.scaled(of[3], beta), u.scaled(u.mul(dx, dx), 1 - beta));
  Value root = u.plus(u.root(square), u.number("epsilon", 1e-6f));
  Value factor = u.div(u.root(correction(u, beta)), correction(u, alpha));
  factor = u.ctx.create<graph::SelectOp>(u.isLater(), factor,
                                         u.ctx.scalarLike(1, factor));
  Value rate =
      u.mul(u.rate, u.ctx.cast(factor, mlir::getElementTypeOrSelf(u.rate)));
  Value x = u.minus(of[0], u.div(mean, root), rate);
  return {u.scaled(x, 1 - u.number("norm_coefficient_post")), mean, square};
}

static SmallVector<Value> momentum(const Update &u, ArrayRef<Value> of) {
  double alpha = u.number("alpha");
  Value dx = u.regularized(of[0], of[1]);
  Value beta = u.ctx.create<graph::SelectOp>(
      u.isLater(), u.ctx.scalarLike(u.number("beta"), dx),
      u.ctx.scalarLike(1, dx));
  Value kept = u.add(u.scaled(of[2], alpha), u.mul(beta, dx));
  bool looksAhead = u.node.string("mode", "standard") == "nesterov";
  Value change = looksAhead ? u.add(dx, u.scaled(kept, alpha)) : kept;
  return {u.minus(of[0], change, u.rate), kept};
}

/// `moments`: how many each parameter has.
static Lowered lowerUpdates(NormalizeContext &ctx, const Node &node, Step step,
                            unsigned moments) {
  ArrayRef<Value> tensors = node.allOperands().drop_front(2);
  unsigned each = moments + 2, count = tensors.size() / each;
  if (tensors.size() % each || node.numResults() != count * (moments + 1))
    return ctx.unsupported("parameters, gradients and moments are not as many "
                           "as each other");
  for (Value operand : node.allOperands())
    if (!ctx.isStatic(operand))
      return mlir::failure();
  Value number =
      ctx.cast(onlyElement(ctx, node.operand(1)), ctx.builder().getF64Type());
  Update update{ctx, node, ctx.reshape(node.operand(0), {}),
                ctx.reshape(number, {})};
  SmallVector<Value> results(node.numResults());
  for (unsigned i = 0; i < count; ++i) {
    SmallVector<Value> of;
    for (unsigned k = 0; k < each; ++k)
      of.push_back(tensors[k * count + i]);
    for (auto [k, made] : llvm::enumerate(step(update, of)))
      results[k * count + i] = made;
  }
  return results;
}

void normalize::populateTrainingLowerings(LoweringTable &table) {
  auto add = [&](StringRef name, Step step, unsigned moments) {
    table.add(("ai_onnx_preview_training." + name).str(),
              [=](NormalizeContext &ctx, const Node &node) {
                return lowerUpdates(ctx, node, step, moments);
              });
  };
  table.add("ai_onnx_preview_training.Gradient", lowerGradient);
  add("Adagrad", adagrad, 1);
  add("Adam", adam, 2);
  add("Momentum", momentum, 1);
}
