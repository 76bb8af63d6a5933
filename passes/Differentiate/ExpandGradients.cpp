//===- ExpandGradients.cpp - gradients that a model asks for --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/Differentiate/Build.h"
#include "passes/Differentiate/Gradient.h"
#include "passes/Differentiate/Passes.h"

#include "dialects/Graph/GradientRequest.h"
#include "dialects/Graph/Programs.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/IRMapping.h"

namespace tenon::differentiate {
#define GEN_PASS_DEF_EXPANDGRADIENTSPASS
#include "passes/Differentiate/Passes.h.inc"
} // namespace tenon::differentiate

using namespace mlir;
using namespace tenon;
using namespace tenon::differentiate;

namespace {
/// What is fed, then the tensors that this stands for, then y.
struct Request {
  Operation *op;
  ValueRange fed, named;
  Value y;

  explicit Request(Operation *op) : op(op) {
    unsigned count = op->getNumOperands() / 2;
    fed = op->getOperands().take_front(count);
    named = op->getOperands().slice(count, count);
    y = op->getOperands().back();
  }
};
} // namespace

/// Values of their own for what is fed, which canonicalisation takes away: a
/// gradient is that of the named tensors' uses, not of all uses.
static SmallVector<Value> ownValues(Build &g, ValueRange fed) {
  return llvm::map_to_vector(fed, [&](Value value) {
    return g.make<graph::ReshapeOp>(typeOf(value), value);
  });
}

/// What a value is made by, in one block.
static llvm::DenseSet<Operation *> makersOf(Value y, Block &block) {
  llvm::DenseSet<Operation *> makers;
  SmallVector<Operation *> left;
  auto add = [&](Value value) {
    Operation *op = value.getDefiningOp();
    op = op ? block.findAncestorOpInBlock(*op) : nullptr;
    if (op && makers.insert(op).second)
      left.push_back(op);
  };
  add(y);
  while (!left.empty())
    left.pop_back_val()->walk(
        [&](Operation *op) { llvm::for_each(op->getOperands(), add); });
  return makers;
}

/// Computes y again, of what is fed. What does not depend on it stays.
static Value computeAgain(Build &g, const Request &request,
                          ArrayRef<Value> fed) {
  IRMapping mapping;
  auto mapNamed = [&] {
    for (auto [name, value] : llvm::zip(request.named, fed))
      mapping.map(name, value);
  };
  mapNamed();
  auto makers = makersOf(request.y, *request.op->getBlock());
  auto isMapped = [&](Value value) { return mapping.contains(value); };
  SmallVector<Operation *> ops;
  for (Operation &op : *request.op->getBlock()) {
    if (&op == fed.front().getDefiningOp())
      break;
    if (makers.contains(&op))
      ops.push_back(&op);
  }
  for (Operation *op : ops)
    if (llvm::any_of(op->getOperands(), isMapped) &&
        !llvm::all_of(op->getResults(), isMapped)) {
      g.builder.clone(*op, mapping);
      mapNamed(); // of several results one may be fed
    }
  return mapping.lookupOrDefault(request.y);
}

static LogicalResult expand(Operation *op) {
  Request request(op);
  OpBuilder builder(op);
  Build g(builder, op->getLoc());
  SmallVector<Value> fed = ownValues(g, request.fed);
  Value y = computeAgain(g, request, fed);
  if (y == request.y)
    return op->emitError("'y' depends on nothing that 'xs' and 'zs' name in "
                         "the same graph");
  auto wanted = ArrayRef(fed).take_front(op->getNumResults());
  auto gradients = buildGradients(builder, y, g.filled(1, typeOf(y)), wanted);
  if (failed(gradients))
    return failure();
  for (auto [gradient, x] : llvm::zip(*gradients, wanted))
    if (!gradient)
      gradient = g.filled(0, typeOf(x));
  op->replaceAllUsesWith(*gradients);
  op->erase();
  return success();
}

namespace {
class ExpandGradientsPass
    : public tenon::differentiate::impl::ExpandGradientsPassBase<
          ExpandGradientsPass> {
public:
  void runOnOperation() override {
    for (func::FuncOp program : graph::programs(getOperation()))
      if (failed(expandAll(program)))
        return signalPassFailure();
  }

private:
  /// From the first to the last: one may be of another's results.
  LogicalResult expandAll(func::FuncOp program) {
    SmallVector<Operation *> ops;
    program.walk([&](Operation *op) {
      if (op->hasAttr(graph::kGradientRequest))
        ops.push_back(op);
    });
    for (Operation *op : ops) {
      expandForGradients(*op->getBlock());
      if (failed(expand(op)))
        return failure();
    }
    if (!ops.empty())
      removeNotes(getOperation());
    numGradients += ops.size();
    return success();
  }
};
} // namespace
