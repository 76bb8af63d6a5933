//===- Contest.cpp - which strategy computes a group ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/CodegenGpu/Contest.h"
#include "passes/CodegenCpu/Kernels.h"
#include "passes/CodegenCpu/Planning.h"

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

Contest::Contest(kernel::GroupOp group, const Options &options,
                 const Measuring &measuring)
    : group(group), options(options), measuring(measuring) {
  if (measuring.isOn())
    work = workOf(group, options);
}

LogicalResult Contest::enterAll() {
  for (const Strategy *strategy : strategies()) {
    if (!strategy->matches(group))
      continue;
    PlannedChoices offered = choicesOf(*strategy);
    if (failed(offered))
      return failure();
    for (StageChoice &choice : *offered)
      enter(strategy->name, std::move(choice));
  }
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

void Contest::decide() {
  llvm::stable_sort(choices, [](const StageChoice &a, const StageChoice &b) {
    return a.time < b.time;
  });
  StageChoice &chosen =
      choices[measuring.attempt < 0 ? fastest() : attempted()];
  chosen.result.costs = costs.getDictionary(group.getContext());
  codegen::setPlan(group, chosen.result);
}
