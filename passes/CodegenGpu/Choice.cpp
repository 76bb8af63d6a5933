//===- Choice.cpp - the fastest strategy for a group ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/CodegenGpu/Choice.h"

#include "passes/CodegenCpu/GroupInstance.h"
#include "passes/CodegenCpu/Kernels.h"
#include "passes/CodegenGpu/Strategies.h"
#include "passes/CodegenGpu/Threads/Threads.h"

#include "mlir/IR/Matchers.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/xxhash.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::gpu;

/// Plans of one strategy that are worth measuring.
static constexpr size_t mostCandidates = 6;

/// Target, precision, and a hash of the group's text and of which operands are
/// constants, which can be packed.
static std::string workOf(kernel::GroupOp group, const Options &options) {
  std::string text = codegen::structureOf(group);
  for (Value operand : group.getOperands_())
    text += matchPattern(operand, m_Constant()) ? 'c' : 'v';
  return (options.target->name + " " + tile::toText(options.precision) + " " +
          llvm::utohexstr(llvm::xxh3_64bits(text), /*LowerCase=*/true, 16))
      .str();
}

static std::string textOf(const StageChoice &choice) {
  std::string text;
  llvm::raw_string_ostream(text) << choice.result.plan;
  return text;
}

namespace {
/// Gathers what is offered for a group. Where times are measured, several plans
/// of a strategy compete, since their order may be another one.
class Contest {
public:
  Contest(kernel::GroupOp group, const Options &options,
          const Measuring &measuring);

  LogicalResult enter(const Strategy &strategy);
  void enter(StringRef strategy, StageChoice choice);
  bool isEmpty() const { return choices.empty(); }

  /// There must be a choice.
  StageChoice decide();

private:
  PlannedChoices choicesOf(const Strategy &strategy);
  size_t fastest() const;
  size_t attempted();

  kernel::GroupOp group;
  const Options &options;
  const Measuring &measuring;
  std::string work; ///< what is computed, as a name for `times`
  std::vector<StageChoice> choices;
  NamedAttrList costs;
};
} // namespace

Contest::Contest(kernel::GroupOp group, const Options &options,
                 const Measuring &measuring)
    : group(group), options(options), measuring(measuring) {
  if (measuring.isOn())
    work = workOf(group, options);
}

LogicalResult Contest::enter(const Strategy &strategy) {
  PlannedChoices offered = choicesOf(strategy);
  if (failed(offered))
    return failure();
  for (StageChoice &choice : *offered)
    enter(strategy.name, std::move(choice));
  return success();
}

PlannedChoices Contest::choicesOf(const Strategy &strategy) {
  PlanRequest request{group, *options.target, options.precision};
  if (strategy.candidates && measuring.isOn())
    return strategy.candidates(request, mostCandidates);
  PlannedChoice choice = strategy.plan(request);
  if (failed(choice))
    return failure();
  std::vector<StageChoice> offered;
  if (*choice)
    offered.push_back(std::move(**choice));
  return offered;
}

void Contest::enter(StringRef strategy, StageChoice choice) {
  Builder b(group.getContext());
  int64_t nanoseconds = std::llround(1000 * choice.time);
  if (!costs.get(strategy))
    costs.append(strategy, b.getI64IntegerAttr(nanoseconds));
  choices.push_back(std::move(choice));
}

size_t Contest::fastest() const {
  size_t best = 0;
  std::optional<double> least;
  for (auto [i, choice] : llvm::enumerate(choices)) {
    std::optional<double> time = measuring.times.find(work, textOf(choice));
    if (!time || (least && *time >= *least))
      continue;
    best = i;
    least = time;
  }
  return best;
}

/// Behind the last one it is the fastest once more, of which nothing is noted.
size_t Contest::attempted() {
  size_t number = measuring.attempt;
  if (number >= choices.size())
    return fastest();
  Builder b(group.getContext());
  std::string plan = textOf(choices[number]);
  group->setDiscardableAttr(codegen::triedAttr,
                            b.getStrArrayAttr({work, plan}));
  return number;
}

StageChoice Contest::decide() {
  llvm::stable_sort(choices, [](const StageChoice &a, const StageChoice &b) {
    return a.time < b.time;
  });
  StageChoice &chosen =
      choices[measuring.attempt < 0 ? fastest() : attempted()];
  chosen.result.costs = costs.getDictionary(group.getContext());
  return std::move(chosen);
}

/// Nothing else computes two products.
static LogicalResult enterAttention(kernel::GroupOp group, Contest &contest) {
  if (failed(contest.enter(attentionStrategy)))
    return failure();
  if (contest.isEmpty())
    return group.emitOpError("is an attention without a plan");
  return success();
}

/// Strategies for GPUs know all sizes.
static LogicalResult enterAll(kernel::GroupOp group, const Options &options,
                              Contest &contest) {
  if (!codegen::hasSymbols(group))
    for (const Strategy *strategy : strategies())
      if (strategy->matches(group) && failed(contest.enter(*strategy)))
        return failure();
  FailureOr<StageChoice> threads = planThreads(group, *options.target);
  // What nothing else computes is reported by what could not.
  if (failed(threads))
    return failure();
  StringRef name = threads->result.plan.getStrategy();
  contest.enter(name, std::move(*threads));
  return success();
}

FailureOr<StageChoice> tenon::gpu::choosePlan(kernel::GroupOp group,
                                              const Options &options,
                                              const Measuring &measuring) {
  Contest contest(group, options, measuring);
  if (failed(attentionStrategy.matches(group)
                 ? enterAttention(group, contest)
                 : enterAll(group, options, contest)))
    return failure();
  return contest.decide();
}
