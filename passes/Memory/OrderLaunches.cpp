//===- OrderLaunches.cpp - launches that keep less alive ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file implements tenon-order-launches.
//===----------------------------------------------------------------------===//
#include "passes/Memory/ArenaOrder.h"
#include "passes/Memory/LaunchProgram.h"
#include "passes/Memory/Passes.h"

#include "dialects/Graph/Programs.h"
#include "dialects/Graph/States.h"
#include "lib/Memory/Streams/LaunchOrder.h"

namespace tenon::memory {
#define GEN_PASS_DEF_ORDERLAUNCHESPASS
#include "passes/Memory/Passes.h.inc"
} // namespace tenon::memory

using namespace mlir;
using namespace tenon;
using namespace tenon::memory;

/// Whether all that orders launches is seen: a state's output may lie where its
/// input does, which one launch reads and another writes.
static bool isPlain(func::FuncOp main) {
  auto isKnown = [](Operation &op) {
    return isa<kernel::LaunchOp, func::ReturnOp>(op) ||
           (op.getNumOperands() == 0 && isMemoryEffectFree(&op)) ||
           isa<AllocOp, ViewOp, InputOp, OutputOp>(op);
  };
  return !hasSymbols(main) &&
         graph::statesOf(main->getParentOfType<ModuleOp>()).empty() &&
         llvm::all_of(main.getOps(), isKnown);
}

/// Puts an operation behind those that were placed, and what it needs before
/// it.
static void place(Operation *op, SmallPtrSetImpl<Operation *> &placed) {
  if (!placed.insert(op).second)
    return;
  for (Value operand : op->getOperands())
    if (Operation *needed = operand.getDefiningOp())
      place(needed, placed);
  op->moveBefore(op->getBlock()->getTerminator());
}

namespace {
struct OrderLaunches : memory::impl::OrderLaunchesPassBase<OrderLaunches> {
  void runOnOperation() override {
    for (func::FuncOp main : graph::programs(getOperation()))
      if (isPlain(main))
        order(main);
  }

  void order(func::FuncOp main) {
    SmallVector<kernel::LaunchOp> launches(main.getOps<kernel::LaunchOp>());
    std::vector<unsigned> order = mem::lowerPeak(programOf(main));
    if (llvm::is_sorted(order))
      return;
    SmallPtrSet<Operation *, 32> placed;
    for (auto [now, then] : llvm::enumerate(order)) {
      numMoved += now != then;
      place(launches[then], placed);
    }
  }
};
} // namespace
