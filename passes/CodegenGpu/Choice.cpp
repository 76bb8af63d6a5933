//===- Choice.cpp - the fastest strategy for a group ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/CodegenGpu/Choice.h"

#include "passes/CodegenCpu/SizedGroup.h"
#include "passes/CodegenGpu/Strategies.h"
#include "passes/CodegenGpu/Threads/Threads.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::gpu;

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

  LogicalResult enter(const Strategy &strategy, kernel::GroupOp group,
                      const Options &options) {
    PlannedChoice choice =
        strategy.plan({group, *options.target, options.precision});
    if (succeeded(choice) && *choice)
      enter(strategy.name, std::move(**choice));
    return choice;
  }

  StageChoice result(kernel::GroupOp group) {
    best->result.costs = DictionaryAttr::get(group.getContext(), costs);
    return std::move(*best);
  }
};
} // namespace

/// Nothing else computes two products.
static FailureOr<StageChoice> chooseAttention(kernel::GroupOp group,
                                              const Options &options) {
  Contest contest;
  if (failed(contest.enter(attentionStrategy, group, options)))
    return failure();
  if (!contest.best)
    return group.emitOpError("is an attention without a plan");
  return contest.result(group);
}

FailureOr<StageChoice> tenon::gpu::choosePlan(kernel::GroupOp group,
                                              const Options &options) {
  if (attentionStrategy.matches(group))
    return chooseAttention(group, options);
  Contest contest;
  // Strategies for GPUs know all sizes.
  if (!codegen::hasSymbols(group))
    for (const Strategy *strategy : strategies())
      if (strategy->matches(group) &&
          failed(contest.enter(*strategy, group, options)))
        return failure();
  FailureOr<StageChoice> threads = planThreads(group, *options.target);
  // What nothing else computes is reported by what could not.
  if (failed(threads))
    return failure();
  StringRef name = threads->result.plan.getStrategy();
  contest.enter(name, std::move(*threads));
  return contest.result(group);
}
