//===- PlanGpuKernels.cpp - decide how a GPU computes each group ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/CodegenCpu/Planning.h"
#include "passes/CodegenCpu/SizedGroup.h"
#include "passes/CodegenGpu/Options.h"
#include "passes/CodegenGpu/Passes.h"
#include "passes/CodegenGpu/Threads/Threads.h"

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

namespace {
/// The fastest choice so far, and what each strategy offered.
struct Contest {
  std::optional<StageChoice> best;
  SmallVector<NamedAttribute> costs;

  void enter(StringRef name, StageChoice choice) {
    Builder b(choice.result.plan.getContext());
    int64_t nanoseconds = std::llround(1000 * choice.time);
    costs.push_back(b.getNamedAttr(name, b.getI64IntegerAttr(nanoseconds)));
    if (!best || choice.time < best->time)
      best = std::move(choice);
  }
};
} // namespace

/// Strategies for GPUs know all sizes.
static LogicalResult enterAll(kernel::GroupOp group, const Options &options,
                              Contest &contest) {
  if (codegen::hasSymbols(group))
    return success();
  for (const Strategy *strategy : strategies()) {
    if (!strategy->matches(group))
      continue;
    PlannedChoice choice =
        strategy->plan({group, *options.target, options.precision});
    if (failed(choice))
      return failure();
    if (*choice)
      contest.enter(strategy->name, std::move(**choice));
  }
  return success();
}

static bool hasStrategy(kernel::GroupOp group) {
  return llvm::any_of(strategies(), [&](const Strategy *strategy) {
    return strategy->matches(group);
  });
}

/// Whether the plan is that of a CPU's strategy.
static FailureOr<bool> planGroup(kernel::GroupOp group,
                                 const Options &options) {
  Contest contest;
  if (failed(enterAll(group, options, contest)))
    return failure();
  FailureOr<StageChoice> threads = planThreads(group, *options.target);
  // What nothing else computes is reported by what could not.
  if (failed(threads))
    return failure();
  StringRef name = threads->result.plan.getStrategy();
  contest.enter(name, std::move(*threads));
  codegen::StagePlan plan = std::move(contest.best->result);
  plan.costs = DictionaryAttr::get(group.getContext(), contest.costs);
  codegen::setPlan(group, plan);
  return plan.plan.getStrategy() == name;
}

namespace {
struct PlanGpuKernels
    : tenon::gpu::impl::PlanGpuKernelsPassBase<PlanGpuKernels> {
  using Base::Base;

  void runOnOperation() override {
    std::optional<Options> options =
        requireOptions(getOperation(), target, precision);
    if (!options)
      return signalPassFailure();
    for (auto function : getOperation().getOps<func::FuncOp>())
      if (failed(graph::requireDims(function)) ||
          failed(plan(function, *options)))
        return signalPassFailure();
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
      FailureOr<bool> byThreads = planGroup(group, options);
      if (failed(byThreads))
        return failure();
      ++numPlanned;
      numThreads += *byThreads;
    }
    return success();
  }
};
} // namespace
