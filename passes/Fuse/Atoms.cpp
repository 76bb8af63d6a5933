//===- Atoms.cpp - groups as the atoms of a problem -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/Fuse/Atoms.h"

#include "dialects/Graph/Graph.h"
#include "dialects/Kernel/Footprint.h"
#include "lib/Support/SortUnique.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::fuse;

static bool hasStaticShapes(kernel::GroupOp group) {
  auto isStatic = [](Type type) {
    return cast<RankedTensorType>(type).hasStaticShape();
  };
  return llvm::all_of(group->getOperandTypes(), isStatic) &&
         llvm::all_of(group->getResultTypes(), isStatic);
}

bool fuse::canBeStage(kernel::GroupOp group) {
  return group.getNumResults() == 1 && !group.isStaged() &&
         hasStaticShapes(group) && !group.getResult(0).use_empty() &&
         llvm::all_of(group.getBlock().without_terminator(), [](Operation &op) {
           return isa<graph::ConstantOp>(op) || kernel::worksOnParts(&op);
         });
}

/// Whether its users may compute it for themselves: it is element-wise, and
/// they are groups.
static bool isCloneable(kernel::GroupOp group) {
  return canBeStage(group) &&
         llvm::all_of(
             group->getUsers(),
             [](Operation *user) { return isa<kernel::GroupOp>(user); }) &&
         llvm::all_of(group.getBlock().without_terminator(), [](Operation &op) {
           return op.hasTrait<graph::Elementwise>();
         });
}

Atoms::Atoms(func::FuncOp function) {
  llvm::append_range(inputs, function.getArguments());
  for (auto group : function.getOps<kernel::GroupOp>()) {
    numbers[group] = unsigned(groups.size());
    groups.push_back(group);
  }
}

/// Edges to all groups that read `value`, through views, too.
void Atoms::addUses(Value value, unsigned from,
                    fusion::Problem &problem) const {
  for (Operation *user : value.getUsers())
    if (auto found = numbers.find(user); found != numbers.end())
      problem.edges.push_back({from, found->second});
    else
      for (Value view : user->getResults())
        addUses(view, from, problem);
}

/// The groups that read `value` as it is.
void Atoms::addReaders(Value value, fusion::Problem &problem) const {
  std::vector<unsigned> readers;
  for (Operation *user : value.getUsers())
    if (auto found = numbers.find(user); found != numbers.end())
      readers.push_back(found->second);
  sortUnique(readers);
  if (readers.size() > 1)
    problem.readers.push_back(std::move(readers));
}

fusion::Problem Atoms::problem() const {
  fusion::Problem problem;
  problem.atoms = unsigned(groups.size());
  for (unsigned number = 0; number < groups.size(); ++number) {
    kernel::GroupOp group = groups[number];
    problem.alone.push_back(!canBeStage(group));
    problem.cloneable.push_back(isCloneable(group));
    for (Value result : group.getResults()) {
      addUses(result, number, problem);
      addReaders(result, problem);
    }
  }
  for (Value input : inputs)
    addReaders(input, problem);
  sortUnique(problem.edges);
  return problem;
}

Members Atoms::membersOf(const fusion::Group &group) const {
  SmallVector<std::pair<unsigned, bool>> numbers;
  for (unsigned atom : group.atoms)
    numbers.push_back({atom, false});
  for (unsigned atom : group.clones)
    numbers.push_back({atom, true});
  llvm::sort(numbers);
  Members members;
  for (auto [number, isClone] : numbers) {
    members.groups.push_back(groups[number]);
    members.clones.push_back(isClone);
  }
  return members;
}
