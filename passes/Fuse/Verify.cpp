//===- Verify.cpp - what may be left after fusion -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/Fuse/CheckStages.h"
#include "passes/Fuse/Passes.h"

#include "dialects/Graph/Graph.h"
#include "dialects/Graph/Roles.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tenon::fuse {
#define GEN_PASS_DEF_VERIFYFUSEPASS
#include "passes/Fuse/Passes.h.inc"
} // namespace tenon::fuse

using namespace mlir;
using namespace tenon;

static LogicalResult verifyGroup(kernel::GroupOp group) {
  auto anchors = llvm::count_if(group.getBlock(), [](Operation &op) {
    return graph::isAnchor(graph::roleOf(&op));
  });
  if (anchors > 1)
    return group.emitOpError("has ") << anchors << " anchors";
  return success();
}

static LogicalResult verifyTopLevel(Operation &op) {
  if (auto group = dyn_cast<kernel::GroupOp>(op))
    return verifyGroup(group);
  if (isa<graph::ConstantOp, graph::ReshapeOp, graph::BitcastOp, graph::PackOp,
          func::ReturnOp>(op))
    return success();
  return op.emitError("'") << op.getName() << "' is outside of any group";
}

namespace {
struct VerifyFuse : fuse::impl::VerifyFusePassBase<VerifyFuse> {
  void runOnOperation() override {
    fuse::StageChecker checker;
    for (auto function : getOperation().getOps<func::FuncOp>())
      for (auto group : function.getOps<kernel::GroupOp>())
        if (group.isStaged() && failed(checker.check(group)))
          return signalPassFailure();
    for (auto function : getOperation().getOps<func::FuncOp>())
      for (Operation &op : function.getOps())
        if (failed(verifyTopLevel(op)))
          return signalPassFailure();
  }
};
} // namespace
