//===- PlanKernels.cpp - decide tiling, packing and halos -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/Codegen/Backends.h"
#include "passes/Codegen/Passes.h"
#include "passes/Codegen/Planning.h"
#include "passes/Codegen/SizePlans.h"
#include "passes/Codegen/Steps/Steps.h"

#include "dialects/Graph/Graph.h"
#include "dialects/Graph/Symbols.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace tenon::codegen {
#define GEN_PASS_DEF_PLANKERNELSPASS
#include "passes/Codegen/Passes.h.inc"
} // namespace tenon::codegen

using namespace mlir;
using namespace tenon;

namespace {
struct PlanKernels : codegen::impl::PlanKernelsPassBase<PlanKernels> {
  using Base::Base;

  void runOnOperation() override {
    std::unique_ptr<codegen::Device> device = codegen::makeDevice(
        getOperation(), {target, threads, winograd, bf16x6, precision});
    if (!device || failed(readTimes()))
      return signalPassFailure();
    for (auto function : getOperation().getOps<func::FuncOp>())
      if (failed(graph::requireDims(function)) ||
          failed(plan(function, *device)))
        return signalPassFailure();
  }

  LogicalResult readTimes() {
    measuring.attempt = attempt;
    if (times.empty())
      return success();
    auto file = cost::MeasuredTimes::read(times);
    if (!file)
      return emitError(getOperation().getLoc(),
                       llvm::toString(file.takeError()));
    measuring.times = std::move(*file);
    return success();
  }

  LogicalResult plan(func::FuncOp function, const codegen::Device &device) {
    for (auto group :
         llvm::make_early_inc_range(function.getOps<kernel::GroupOp>()))
      codegen::splitEpilogue(group, device);
    for (auto group : function.getOps<kernel::GroupOp>()) {
      if (failed(codegen::planGroup(group, device, measuring)))
        return failure();
      if (graph::isStepsBody(function))
        codegen::shareWeights(group, device.thread());
      count(group);
    }
    // Of larger devices a launch is shaped by one plan, as are joined loops.
    if (!graph::isStepsBody(function) && device.tilesStages())
      codegen::planForSizes(function, device, {.bf16x6 = bf16x6});
    return codegen::copyOutputs(function, device);
  }

  void count(kernel::GroupOp group) {
    ++numPlanned;
    StringRef strategy = group.getPlanAttr().getStrategy();
    numWinograd += strategy == "winograd";
    numSplit += strategy == "bf16x6";
    for (unsigned i = 0; i < group.getOperands_().size(); ++i)
      numPacked += bool(group.getPack(i));
  }

  codegen::Measuring measuring;
};
} // namespace
