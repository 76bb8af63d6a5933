//===- Strategies.cpp - the table of strategies ---------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/CodegenCpu/Strategies.h"

#include "passes/CodegenCpu/Layout/Views.h"

#include <atomic>

using namespace tenon;
using codegen::Strategy;

/// Strategies that compete for the same groups follow each other, plain
/// arithmetic first: the others must beat it.
llvm::ArrayRef<const Strategy *> codegen::strategies() {
  static const Strategy *const all[] = {
      &gemmStrategy,       &gemvStrategy,          &bf16x6Strategy,
      &winogradStrategy,   &stencilStrategy,       &depthwiseStrategy,
      &poolStrategy,       &lrnStrategy,           &stagesStrategy,
      &recurrenceStrategy, &loopsStrategy,         &copyStrategy,
      &resizeStrategy,     &convTransposeStrategy, &argStrategy,
      &topKStrategy,       &prefixStrategy,        &scatterStrategy,
      &detStrategy,        &stepsStrategy};
  return all;
}

const Strategy *codegen::findStrategy(llvm::StringRef name) {
  const auto *found =
      llvm::find_if(strategies(), [&](const Strategy *strategy) {
        return strategy->name == name;
      });
  return found == strategies().end() ? nullptr : *found;
}

const Strategy *codegen::strategyOf(kernel::GroupOp group) {
  kernel::PlanAttr plan = group.getPlanAttr();
  return plan ? findStrategy(plan.getStrategy()) : nullptr;
}

static std::atomic<codegen::CanAddress (*)(llvm::StringRef)> otherDevices =
    nullptr;

void codegen::setOtherDevices(CanAddress (*find)(llvm::StringRef name)) {
  otherDevices = find;
}

bool codegen::canAddressBuffer(kernel::GroupOp group, unsigned index,
                               const PlacedBuffer &buffer) {
  if (const Strategy *strategy = strategyOf(group))
    return strategy->canAddress(group, index, buffer.type);
  auto *find = otherDevices.load();
  kernel::PlanAttr plan = group.getPlanAttr();
  CanAddress can = find && plan ? find(plan.getStrategy()) : nullptr;
  return can && can(group, index, buffer);
}
