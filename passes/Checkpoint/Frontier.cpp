//===- Frontier.cpp - what bytes cost in time, for reports ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/Checkpoint/Frontier.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::checkpoint;

static constexpr llvm::StringLiteral kFrontier = "tenon.frontier";

static void append(std::vector<int64_t> &numbers, const StepPlan &plan) {
  numbers.insert(numbers.end(),
                 {plan.nanoseconds, plan.arenaBytes, plan.clones});
}

void checkpoint::setFrontier(ModuleOp module, const StepFrontier &frontier) {
  Builder b(module.getContext());
  // The bound, what was taken, the program without clones, plans, others.
  std::vector<int64_t> numbers = {frontier.boundBytes};
  append(numbers, frontier.taken);
  append(numbers, frontier.none);
  for (const StepPlan &plan : frontier.plans)
    append(numbers, plan);
  SmallVector<StringRef> others;
  for (const OtherStepPlan &other : frontier.others) {
    append(numbers, other.plan);
    others.push_back(other.name);
  }
  SmallVector<StringRef> again(frontier.again.begin(), frontier.again.end());
  module->setAttr(
      kFrontier,
      b.getDictionaryAttr(
          {b.getNamedAttr("again", b.getStrArrayAttr(again)),
           b.getNamedAttr("numbers", b.getDenseI64ArrayAttr(numbers)),
           b.getNamedAttr("others", b.getStrArrayAttr(others))}));
}

static std::vector<std::string> textsOf(DictionaryAttr fields, StringRef name) {
  std::vector<std::string> texts;
  if (auto list = fields.getAs<ArrayAttr>(name))
    for (Attribute entry : list)
      if (auto text = dyn_cast<StringAttr>(entry))
        texts.push_back(text.str());
  return texts;
}

std::optional<StepFrontier> checkpoint::frontierOf(ModuleOp module) {
  auto fields = module->getAttrOfType<DictionaryAttr>(kFrontier);
  if (!fields)
    return std::nullopt;
  auto numbers = fields.getAs<DenseI64ArrayAttr>("numbers");
  std::vector<std::string> others = textsOf(fields, "others");
  int64_t beginOfOthers =
      numbers ? numbers.size() - 3 * int64_t(others.size()) : 0;
  // There is one plan at least.
  if (beginOfOthers < 10 || beginOfOthers % 3 != 1)
    return std::nullopt;
  StepFrontier frontier;
  frontier.boundBytes = numbers[0];
  auto planAt = [&](int64_t i) {
    return StepPlan{numbers[i], numbers[i + 1], numbers[i + 2]};
  };
  frontier.taken = planAt(1);
  frontier.none = planAt(4);
  for (int64_t i = 7; i < beginOfOthers; i += 3)
    frontier.plans.push_back(planAt(i));
  for (auto [i, name] : llvm::enumerate(others))
    frontier.others.push_back({name, planAt(beginOfOthers + 3 * int64_t(i))});
  frontier.again = textsOf(fields, "again");
  return frontier;
}
