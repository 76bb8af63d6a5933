//===- OrderLaunches.cpp - launches that keep less alive ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file implements tenon-order-launches.
//===----------------------------------------------------------------------===//
#include "passes/Memory/LaunchProgram.h"
#include "passes/Memory/Passes.h"

#include "dialects/Graph/Programs.h"
#include "lib/Memory/Streams/LaunchOrder.h"

namespace tenon::memory {
#define GEN_PASS_DEF_ORDERLAUNCHESPASS
#include "passes/Memory/Passes.h.inc"
} // namespace tenon::memory

using namespace mlir;
using namespace tenon;
using namespace tenon::memory;

namespace {
struct OrderLaunches : memory::impl::OrderLaunchesPassBase<OrderLaunches> {
  void runOnOperation() override {
    for (func::FuncOp main : graph::programs(getOperation()))
      if (isPlain(main))
        order(main);
  }

  void order(func::FuncOp main) {
    std::vector<unsigned> order = mem::lowerPeak(programOf(main));
    if (!llvm::is_sorted(order))
      numMoved += reorder(main, order);
  }
};
} // namespace
