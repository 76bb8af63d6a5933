//===- Parts.cpp - what one step of a loop launches -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/Codegen/Steps/Parts.h"

#include "dialects/Kernel/Buffers.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::codegen;

//===-- Reading a body ----------------------------------------------------===//

/// Whether one part has to wait for another one of the group. Buffers of one
/// storage are one here: parts that write different slices of it wait.
bool StepParts::needs(kernel::LaunchOp launch, const Group &group) const {
  auto isSame = [&](Value a, Value b) {
    Place x = places.lookup(a), y = places.lookup(b);
    return x.kind == y.kind && x.number == y.number &&
           x.kind != Place::Constant && x.kind != Place::Fault;
  };
  auto meet = [&](ValueRange written, ValueRange others) {
    return llvm::any_of(written, [&](Value a) {
      return llvm::any_of(others, [&](Value b) { return isSame(a, b); });
    });
  };
  return llvm::any_of(group.parts, [&](const Part &part) {
    kernel::LaunchOp earlier = part.launch;
    return meet(earlier.getWrites(), launch->getOperands()) ||
           meet(launch.getWrites(), earlier->getOperands());
  });
}

void StepParts::addLaunch(kernel::LaunchOp launch) {
  auto module = launch->getParentOfType<ModuleOp>();
  auto kernel = module.lookupSymbol<func::FuncOp>(launch.getCallee());
  int64_t count = graph::Size(launch.getTiles()).fixed();
  int64_t turns =
      launch.getSteps() ? graph::Size(*launch.getSteps()).fixed() : 1;
  using Checked = kernel::KernelDialect::CheckedAttrHelper;
  if (Checked(launch.getContext()).isAttrPresent(kernel)) {
    places[launch.getScratch().back()] = {Place::Fault, 0, 0};
    isChecked = true;
  }
  tiles = std::max(tiles, count);
  threadScratch = std::max(threadScratch, int64_t(launch.getThreadScratch()));
  flops += int64_t(launch.getFlops());
  bytes += int64_t(launch.getBytes());
  Part part{launch, kernel, count};
  if (!groups.empty() && groups.back().turns == 1 && turns == 1 &&
      !needs(launch, groups.back()))
    groups.back().parts.push_back(part);
  else
    groups.push_back({{part}, turns});
}

void StepParts::add(Operation *op) {
  if (auto launch = dyn_cast<kernel::LaunchOp>(op))
    return addLaunch(launch);
  if (auto input = dyn_cast<memory::InputOp>(op)) {
    places[input] = {Place::Input, unsigned(input.getIndex()), 0};
  } else if (auto output = dyn_cast<memory::OutputOp>(op)) {
    places[output] = {Place::Output, unsigned(output.getIndex()), 0};
  } else if (auto constant = dyn_cast<memory::ConstantOp>(op)) {
    places[constant] = {Place::Constant, unsigned(constants.size()), 0};
    constants.push_back(constant);
  } else if (auto alloc = dyn_cast<memory::AllocOp>(op)) {
    places[alloc] = {Place::Scratch, unsigned(scratch.size()), 0};
    scratch.push_back(std::max<int64_t>(
        1, kernel::bytesOf(alloc.getBuffer().getType()).fixed()));
  } else if (auto view = dyn_cast<memory::ViewOp>(op)) {
    Place place = places.lookup(view.getSource());
    place.byteOffset += int64_t(view.getByteOffset());
    places[view] = place;
  }
}

StepParts::StepParts(graph::StepsOp steps) {
  for (int64_t next : steps.getNext())
    if (!steps.getStacked()[next])
      states.insert({unsigned(next), unsigned(states.size())});
  for (Operation &op : graph::bodyOf(steps).front())
    add(&op);
}

//===-- Threads -----------------------------------------------------------===//

int64_t StepParts::turns() const {
  int64_t sum = 0;
  for (const Group &group : groups)
    sum += group.turns;
  return sum;
}

static Time timeOf(kernel::LaunchOp launch) {
  return {double(launch.getTime().value_or(0))};
}

bool StepParts::paysToSplit(const tile::Target &target) const {
  // Beside the fork, a thread finds what others wrote in their caches.
  constexpr double barrierForks = 2;
  Time gained;
  for (const Group &group : groups)
    for (const Part &part : group.parts)
      gained += timeOf(part.launch) *
                (1 - 1 / double(std::min(part.tiles, target.threads)));
  Time fork = target.timeOf(target.forkCycles);
  return gained > fork * (barrierForks * double(turns()));
}
