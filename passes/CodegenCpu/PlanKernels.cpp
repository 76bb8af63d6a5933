//===- PlanKernels.cpp - decide tiling, packing and halos -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/CodegenCpu/Passes.h"
#include "passes/CodegenCpu/Planning.h"
#include "passes/CodegenCpu/Steps/Steps.h"
#include "passes/CodegenCpu/Strategies.h"

#include "dialects/Graph/Graph.h"
#include "dialects/Graph/Symbols.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace tenon::codegen {
#define GEN_PASS_DEF_PLANKERNELSPASS
#include "passes/CodegenCpu/Passes.h.inc"
} // namespace tenon::codegen

using namespace mlir;
using namespace tenon;

namespace {
struct PlanKernels : codegen::impl::PlanKernelsPassBase<PlanKernels> {
  using Base::Base;

  void runOnOperation() override {
    std::optional<tile::Target> cpu =
        codegen::requireTarget(getOperation(), target, threads);
    std::optional<tile::WinogradUse> use =
        codegen::requireWinogradUse(getOperation(), winograd);
    if (!cpu || !use)
      return signalPassFailure();
    codegen::Arithmetic arithmetic{*use, bf16x6};
    for (auto function : getOperation().getOps<func::FuncOp>())
      if (failed(graph::requireDims(function)) ||
          failed(plan(function, *cpu, arithmetic)))
        return signalPassFailure();
  }

  LogicalResult plan(func::FuncOp function, const tile::Target &cpu,
                     const codegen::Arithmetic &arithmetic) {
    for (auto group :
         llvm::make_early_inc_range(function.getOps<kernel::GroupOp>()))
      codegen::splitEpilogue(group);
    for (auto group : function.getOps<kernel::GroupOp>()) {
      if (failed(codegen::planGroup(group, cpu, arithmetic)))
        return failure();
      if (graph::isStepsBody(function))
        codegen::shareWeights(group, cpu);
      ++numPlanned;
      numWinograd +=
          group.getPlanAttr().getStrategy() == codegen::winogradStrategy.name;
      numSplit +=
          group.getPlanAttr().getStrategy() == codegen::bf16x6Strategy.name;
      for (unsigned i = 0; i < group.getOperands_().size(); ++i)
        numPacked += bool(group.getPack(i));
    }
    return codegen::copyOutputs(function, cpu);
  }
};
} // namespace
