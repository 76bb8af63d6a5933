//===- VerifyNormalize.cpp - the promise of the normalize phase -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file checks that only graph operations on ranked tensors are left, and
// control on what the host holds.
//===----------------------------------------------------------------------===//
#include "dialects/Control/Control.h"
#include "dialects/Graph/Graph.h"
#include "dialects/Graph/Programs.h"
#include "passes/Normalize/Passes.h"

namespace tenon {
#define GEN_PASS_DEF_VERIFYNORMALIZEPASS
#include "passes/Normalize/Passes.h.inc"
} // namespace tenon

using namespace mlir;

/// Whether `op` may have values of the type: the host holds some that kernels
/// do not know.
static bool isAllowed(Operation *op, Type type) {
  bool isOfHost =
      isa<tenon::control::SequenceType, tenon::control::OptionalType>(type) &&
      !isa<tenon::graph::GraphDialect>(op->getDialect());
  return isOfHost || isa<RankedTensorType>(type);
}

static LogicalResult verifyTypes(Operation *op) {
  for (Type type : llvm::concat<Type>(SmallVector<Type>(op->getOperandTypes()),
                                      SmallVector<Type>(op->getResultTypes())))
    if (!isAllowed(op, type))
      return op->emitError("after normalize every value is a ranked tensor, "
                           "but here is one of type ")
             << type;
  return success();
}

static LogicalResult verifyBody(func::FuncOp function) {
  for (Operation &op : function.front()) {
    if (!isa_and_nonnull<tenon::graph::GraphDialect,
                         tenon::control::ControlDialect>(op.getDialect()) &&
        !isa<func::ReturnOp>(op))
      return op.emitError("after normalize @main holds graph operations and "
                          "control only");
    if (failed(verifyTypes(&op)))
      return failure();
  }
  return success();
}

namespace {
class VerifyNormalizePass
    : public tenon::impl::VerifyNormalizePassBase<VerifyNormalizePass> {
public:
  void runOnOperation() override {
    markAllAnalysesPreserved();
    auto programs = tenon::graph::requirePrograms(getOperation());
    if (failed(programs))
      return signalPassFailure();
    for (func::FuncOp program : *programs)
      if (failed(verify(program)))
        return signalPassFailure();
  }

private:
  static LogicalResult verify(func::FuncOp program) {
    if (!llvm::hasSingleElement(program.getBody()))
      return program.emitError("expected a program of one block");
    return verifyBody(program);
  }
};
} // namespace
