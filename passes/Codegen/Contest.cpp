//===- Contest.cpp - the fastest plan for a group -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/Codegen/Contest.h"

#include "passes/Codegen/Programs/Kernels.h"

#include "mlir/IR/Matchers.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/xxhash.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::codegen;

/// Plans of one strategy that are worth measuring.
static constexpr size_t mostCandidates = 6;

/// The device, and a hash of the group's text and of which operands are
/// constants, which can be packed.
static std::string workOf(kernel::GroupOp group, const Device &device) {
  std::string text = structureOf(group);
  for (Value operand : group.getOperands_())
    text += matchPattern(operand, m_Constant()) ? 'c' : 'v';
  return device.name() + " " +
         llvm::utohexstr(llvm::xxh3_64bits(text), /*LowerCase=*/true, 16);
}

static std::string textOf(const StageChoice &choice) {
  std::string text;
  llvm::raw_string_ostream(text) << choice.result.plan;
  return text;
}

Contest::Contest(kernel::GroupOp group, const Device &device,
                 const Measuring &measuring)
    : contested(group), device(device), measuring(measuring) {
  if (measuring.isOn())
    work = workOf(group, device);
}

Time Contest::least() const {
  Time least = Time::infinite();
  for (const StageChoice &choice : choices)
    least = std::min(least, choice.time);
  return least;
}

LogicalResult Contest::enter(const Strategy &strategy, PlanRequest request) {
  request.bound = least();
  request.most = measuring.isOn() ? mostCandidates : 1;
  PlannedChoices offered = strategy.plan(request);
  if (failed(offered))
    return failure();
  for (StageChoice &choice : *offered)
    enter(strategy.name, std::move(choice));
  return success();
}

void Contest::enter(StringRef name, StageChoice choice) {
  Builder b(contested.getContext());
  if (!costs.get(name))
    costs.append(name, b.getI64IntegerAttr(choice.time.rounded()));
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
  auto number = size_t(measuring.attempt);
  if (number >= choices.size())
    return fastest();
  Builder b(contested.getContext());
  std::string plan = textOf(choices[number]);
  contested->setDiscardableAttr(triedAttr, b.getStrArrayAttr({work, plan}));
  return number;
}

StageChoice Contest::decide() {
  llvm::stable_sort(choices, [](const StageChoice &a, const StageChoice &b) {
    return a.time < b.time;
  });
  StageChoice &chosen =
      choices[measuring.attempt < 0 ? fastest() : attempted()];
  chosen.result.costs = costs.getDictionary(contested.getContext());
  chosen.result.time = chosen.time;
  return std::move(chosen);
}
