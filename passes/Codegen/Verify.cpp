//===- Verify.cpp - what code generation leaves ---------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/Codegen/Passes.h"

#include "dialects/Graph/Programs.h"
#include "dialects/Graph/Size.h"
#include "dialects/Kernel/Kernel.h"

namespace tenon::codegen {
#define GEN_PASS_DEF_VERIFYCODEGENPASS
#include "passes/Codegen/Passes.h.inc"
} // namespace tenon::codegen

using namespace mlir;
using namespace tenon;

static LogicalResult verifyLaunch(kernel::LaunchOp launch, ModuleOp module) {
  auto kernel = module.lookupSymbol<FunctionOpInterface>(launch.getCallee());
  if (!kernel)
    return launch.emitOpError("calls '")
           << launch.getCallee() << "', which does not exist";
  if (!kernel.isPrivate())
    return launch.emitOpError("calls the program '")
           << launch.getCallee() << "'; kernels are private";
  graph::Size tiles(launch.getTiles());
  if (tiles.isFixed() && tiles.fixed() < 1)
    return launch.emitOpError("has no tiles");
  return success();
}

static LogicalResult verifyTopLevel(Operation &op, ModuleOp module) {
  if (auto launch = dyn_cast<kernel::LaunchOp>(op))
    return verifyLaunch(launch, module);
  if (isa<memory::MemoryDialect>(op.getDialect()) ||
      isa<func::ReturnOp, kernel::CheckOp>(op))
    return success();
  return op.emitError("'") << op.getName() << "' must not survive codegen";
}

namespace {
struct VerifyCodegen : codegen::impl::VerifyCodegenPassBase<VerifyCodegen> {
  void runOnOperation() override {
    for (func::FuncOp program : graph::programs(getOperation()))
      for (Operation &op : program.getOps())
        if (failed(verifyTopLevel(op, getOperation())))
          return signalPassFailure();
  }
};
} // namespace
