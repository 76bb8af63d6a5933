//===- PlanGpuKernels.cpp - decide how a GPU computes each group ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/CodegenCpu/Planning.h"
#include "passes/CodegenGpu/Choice.h"
#include "passes/CodegenGpu/Passes.h"
#include "passes/CodegenGpu/Strategies.h"

#include "dialects/Graph/Graph.h"
#include "dialects/Graph/Symbols.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace tenon::gpu {
#define GEN_PASS_DEF_PLANGPUKERNELSPASS
#include "passes/CodegenGpu/Passes.h.inc"
} // namespace tenon::gpu

using namespace mlir;
using namespace tenon;
using namespace tenon::gpu;

std::optional<Options> tenon::gpu::requireOptions(ModuleOp module,
                                                  StringRef target,
                                                  StringRef precision) {
  const tile::GpuTarget *row = tile::findGpuTarget(target);
  std::optional<tile::Precision> chosen = tile::parsePrecision(precision);
  if (!row)
    module.emitError("no target '") << target << "' in the table of GPUs";
  if (!chosen)
    module.emitError("precision must be f32, tf32, f16 or bf16, not '")
        << precision << "'";
  if (!row || !chosen)
    return std::nullopt;
  return Options{row, *chosen};
}

static bool hasStrategy(kernel::GroupOp group) {
  return llvm::any_of(strategies(), [&](const Strategy *strategy) {
    return strategy->matches(group);
  });
}

/// Whether the plan is that of a CPU's strategy.
static FailureOr<bool> planGroup(kernel::GroupOp group, const Options &options,
                                 const Measuring &measuring) {
  FailureOr<StageChoice> choice = choosePlan(group, options, measuring);
  if (failed(choice))
    return failure();
  codegen::setPlan(group, choice->result);
  return !findStrategy(choice->result.plan.getStrategy());
}

namespace {
struct PlanGpuKernels
    : tenon::gpu::impl::PlanGpuKernelsPassBase<PlanGpuKernels> {
  using Base::Base;

  void runOnOperation() override {
    std::optional<Options> options =
        requireOptions(getOperation(), target, precision);
    if (!options || failed(readTimes()))
      return signalPassFailure();
    for (auto function : getOperation().getOps<func::FuncOp>())
      if (failed(graph::requireDims(function)) ||
          failed(plan(function, *options)))
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

  LogicalResult plan(func::FuncOp function, const Options &options) {
    auto thread = tile::threadOf(*options.target);
    if (failed(codegen::copyOutputs(function, thread)))
      return failure();
    for (auto group :
         llvm::make_early_inc_range(function.getOps<kernel::GroupOp>()))
      if (!hasStrategy(group))
        codegen::splitEpilogue(group);
    for (auto group : function.getOps<kernel::GroupOp>()) {
      FailureOr<bool> byThreads = planGroup(group, options, measuring);
      if (failed(byThreads))
        return failure();
      ++numPlanned;
      numThreads += *byThreads;
    }
    return success();
  }

  Measuring measuring;
};
} // namespace
