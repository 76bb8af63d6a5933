//===- Verify.cpp - control and programs are apart ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/Control/Passes.h"

#include "dialects/Control/Control.h"
#include "dialects/Graph/DerivedDims.h"
#include "dialects/Graph/Programs.h"
#include "passes/Control/Levels.h"

namespace tenon::ctrl {
#define GEN_PASS_DEF_VERIFYSPLITPASS
#include "passes/Control/Passes.h.inc"
} // namespace tenon::ctrl

using namespace mlir;
using namespace tenon;

/// Each symbol can be computed once the inputs are there.
static LogicalResult verifySymbols(Operation *op,
                                   const graph::BoundSymbols &bound) {
  for (StringAttr symbol : ctrl::symbolsOf(op))
    if (!bound.determine(symbol))
      return op->emitError("no input of the segment has the extent ") << symbol;
  return success();
}

static LogicalResult verifyProgram(func::FuncOp program, bool hasHost) {
  graph::BoundSymbols bound(program.getArgumentTypes());
  for (Operation &op : program.getOps()) {
    if (ctrl::isControl(&op))
      return op.emitError("control among programs");
    if (hasHost && failed(verifySymbols(&op, bound)))
      return failure();
  }
  return success();
}

static LogicalResult verifyHost(control::FuncOp function) {
  for (Operation &op : function.getOps())
    if (!ctrl::isControl(&op))
      return op.emitError("stands among control");
  return success();
}

namespace {
struct VerifySplit : ctrl::impl::VerifySplitPassBase<VerifySplit> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    auto hosts = module.getOps<control::FuncOp>();
    for (func::FuncOp program : graph::programs(module))
      if (failed(verifyProgram(program, !hosts.empty())))
        return signalPassFailure();
    for (control::FuncOp host : hosts)
      if (failed(verifyHost(host)))
        return signalPassFailure();
  }
};
} // namespace
