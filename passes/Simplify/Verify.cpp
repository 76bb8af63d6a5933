//===- Verify.cpp - what simplify promises --------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file implements tenon-verify-simplify.
//===----------------------------------------------------------------------===//
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "passes/Simplify/Passes.h"
#include "llvm/ADT/TypeSwitch.h"

namespace tenon {
#define GEN_PASS_DEF_VERIFYSIMPLIFYPASS
#include "passes/Simplify/Passes.h.inc"
} // namespace tenon

using namespace mlir;
using namespace tenon;
using namespace tenon::graph;

/// The layout of operations that have one.
static std::optional<Layout> layoutOf(Operation *op) {
  return llvm::TypeSwitch<Operation *, std::optional<Layout>>(op)
      .Case<ConvOp, ConvTransposeOp, MaxPoolOp, AvgPoolOp, LrnOp>(
          [](auto image) { return image.getLayout(); })
      .Default([](Operation *) { return std::nullopt; });
}

static LogicalResult verifyOp(Operation *op) {
  if (isa<func::ReturnOp>(op))
    return success();
  if (!isa<TensorOpInterface>(op))
    return op->emitOpError("does not belong to the graph dialect");
  if (isa<SoftmaxOp, LayerNormOp, RecurrentOp>(op))
    return op->emitOpError("was not decomposed");
  if (layoutOf(op) == Layout::NCHW)
    return op->emitOpError("does not have its channels last");
  return success();
}

namespace {
class VerifySimplifyPass
    : public tenon::impl::VerifySimplifyPassBase<VerifySimplifyPass> {
public:
  void runOnOperation() override {
    bool good = true;
    getOperation().walk([&](func::FuncOp function) {
      for (Block &block : function.getBody())
        for (Operation &op : block)
          good &= succeeded(verifyOp(&op));
    });
    if (!good)
      signalPassFailure();
  }
};
} // namespace
