//===- StepProgram.cpp - groups and the values between them ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/Checkpoint/StepProgram.h"

#include "dialects/Graph/Graph.h"
#include "dialects/Kernel/Facts.h"
#include "lib/Support/SortUnique.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::checkpoint;

/// What stands between groups and is no kernel: a reshape, a pack of a
/// constant.
static bool isView(Operation *op) {
  return op && !isa<kernel::GroupOp>(op) && op->getNumOperands() == 1 &&
         op->getNumResults() == 1;
}

Value checkpoint::storageOf(Value value) {
  while (isView(value.getDefiningOp()))
    value = value.getDefiningOp()->getOperand(0);
  return value;
}

StepProgram::StepProgram(func::FuncOp function) : function(function) {
  for (auto group : function.getOps<kernel::GroupOp>()) {
    for (Value result : group.getResults()) {
      numbers[result] = unsigned(values.size());
      values.push_back(result);
      makers.push_back(unsigned(groups.size()));
    }
    groups.push_back(group);
  }
  returned.resize(values.size());
  for (Value output : function.front().getTerminator()->getOperands())
    if (auto number = numberOf(output))
      returned[*number] = true;
  for (kernel::GroupOp group : groups) {
    std::vector<unsigned> &list = reads.emplace_back();
    for (Value operand : group.getOperands_())
      if (auto number = numberOf(operand))
        list.push_back(*number);
    sortUnique(list);
  }
}

std::optional<unsigned> StepProgram::numberOf(Value operand) const {
  auto found = numbers.find(storageOf(operand));
  return found == numbers.end() ? std::nullopt : std::optional(found->second);
}

std::string StepProgram::nodesOf(unsigned group) const {
  std::string nodes = kernel::nodesOf(groups[group]->getLoc());
  return nodes.empty() ? "group" : nodes;
}

std::string StepProgram::nameOf(unsigned group) const {
  std::string nodes = nodesOf(group);
  auto [first, rest] = StringRef(nodes).split(';');
  std::string name = first.str();
  if (!rest.empty())
    name += " and " + std::to_string(rest.count(';') + 1) + " more";
  return name;
}

static void moveWithViews(Operation *op, Operation *end) {
  op->moveBefore(end);
  for (Operation *user : op->getUsers())
    if (isView(user))
      moveWithViews(user, end);
}

void checkpoint::reorder(func::FuncOp function,
                         ArrayRef<kernel::GroupOp> order) {
  Operation *end = function.front().getTerminator();
  // Views of inputs and constants stay in front of all groups.
  for (kernel::GroupOp group : order)
    moveWithViews(group, end);
}
