//===- Validate.cpp - whether groups are a solution -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Fusion/Validate.h"
#include "llvm/ADT/STLExtras.h"

using namespace tenon;
using namespace tenon::fusion;

static constexpr unsigned nowhere = ~0u;

namespace {
class Validation {
public:
  Validation(const Problem &problem, Oracle &oracle, const Solution &solution)
      : problem(problem), oracle(oracle), solution(solution),
        owner(problem.atoms, nowhere), needs(problem.atoms) {
    for (const Problem::Edge &edge : problem.edges)
      needs[edge.to].push_back(edge.from);
  }

  llvm::Error run();

private:
  llvm::Error checkNumbers(const Group &group) const;
  llvm::Error own();
  llvm::Error checkClones(const Group &group) const;
  llvm::Error checkNeeds(unsigned place) const;
  bool isConnected(const Group &group);
  llvm::Error checkCost();

  const Problem &problem;
  Oracle &oracle;
  const Solution &solution;
  std::vector<unsigned> owner; ///< the place of the group of each atom
  std::vector<std::vector<unsigned>> needs;
};
} // namespace

static bool has(const std::vector<bool> &flags, unsigned atom) {
  return !flags.empty() && flags[atom];
}

static bool computes(const Group &group, unsigned atom) {
  return llvm::is_contained(group.atoms, atom) ||
         llvm::is_contained(group.clones, atom);
}

llvm::Error Validation::checkNumbers(const Group &group) const {
  if (group.atoms.empty())
    return llvm::createStringError("a group has no atoms");
  for (const std::vector<unsigned> *list : {&group.atoms, &group.clones}) {
    if (!list->empty() && list->back() >= problem.atoms)
      return llvm::createStringError("%u is no atom", list->back());
    for (size_t index = 1; index < list->size(); ++index)
      if ((*list)[index - 1] >= (*list)[index])
        return llvm::createStringError("the atoms of a group do not ascend");
  }
  for (unsigned atom : group.atoms)
    if (has(problem.alone, atom) &&
        group.atoms.size() + group.clones.size() > 1)
      return llvm::createStringError("atom %u is not alone", atom);
  return llvm::Error::success();
}

llvm::Error Validation::own() {
  for (auto [place, group] : llvm::enumerate(solution.groups)) {
    if (llvm::Error error = checkNumbers(group))
      return error;
    for (unsigned atom : group.atoms) {
      if (owner[atom] != nowhere)
        return llvm::createStringError("atom %u is in two groups", atom);
      owner[atom] = place;
    }
  }
  for (unsigned atom = 0; atom < problem.atoms; ++atom) {
    auto isUser = [&](const Problem::Edge &edge) { return edge.from == atom; };
    if (owner[atom] == nowhere &&
        (!has(problem.cloneable, atom) || !llvm::any_of(problem.edges, isUser)))
      return llvm::createStringError("atom %u is in no group", atom);
  }
  return llvm::Error::success();
}

llvm::Error Validation::checkClones(const Group &group) const {
  for (unsigned clone : group.clones) {
    if (owner[clone] != nowhere)
      return llvm::createStringError("atom %u is cloned, and in a group",
                                     clone);
    auto isUse = [&](const Problem::Edge &edge) {
      return edge.from == clone && computes(group, edge.to);
    };
    if (!llvm::any_of(problem.edges, isUse))
      return llvm::createStringError("clone %u has no use", clone);
  }
  return llvm::Error::success();
}

llvm::Error Validation::checkNeeds(unsigned place) const {
  const Group &group = solution.groups[place];
  for (const std::vector<unsigned> *list : {&group.atoms, &group.clones})
    for (unsigned atom : *list)
      for (unsigned need : needs[atom])
        // An atom that no group owns is nowhere: behind all of them.
        if (!computes(group, need) && owner[need] >= place)
          return llvm::createStringError("atom %u needs atom %u too early",
                                         atom, need);
  return llvm::Error::success();
}

bool Validation::isConnected(const Group &group) {
  std::vector<unsigned> all = group.atoms;
  llvm::append_range(all, group.clones);
  std::vector<unsigned> reached = {all.front()};
  auto reach = [&](unsigned atom) {
    if (llvm::is_contained(all, atom) && !llvm::is_contained(reached, atom))
      reached.push_back(atom);
  };
  for (size_t index = 0; index < reached.size(); ++index) {
    unsigned atom = reached[index];
    for (auto [from, to] : problem.edges)
      if ((from == atom || to == atom) && computes(group, from) &&
          computes(group, to) && oracle.mayShare(from, to))
        reach(from == atom ? to : from);
    for (const std::vector<unsigned> &readers : problem.readers)
      if (llvm::is_contained(readers, atom))
        llvm::for_each(readers, reach);
  }
  return reached.size() == all.size();
}

llvm::Error Validation::checkCost() {
  Cost sum, apart;
  for (const Group &group : solution.groups) {
    std::optional<Cost> cost = oracle.cost(group);
    if (!cost)
      return llvm::createStringError("the group of atom %u is no kernel",
                                     group.atoms.front());
    sum += *cost;
  }
  if (sum != solution.cost)
    return llvm::createStringError("the cost is not the sum of the groups'");
  for (unsigned atom = 0; atom < problem.atoms; ++atom)
    apart += oracle.cost({{atom}, {}}).value_or(Cost());
  if (sum > apart)
    return llvm::createStringError("single atoms cost less");
  return llvm::Error::success();
}

llvm::Error Validation::run() {
  if (llvm::Error error = own())
    return error;
  for (auto [place, group] : llvm::enumerate(solution.groups)) {
    if (llvm::Error error = checkClones(group))
      return error;
    if (llvm::Error error = checkNeeds(place))
      return error;
    if (!isConnected(group))
      return llvm::createStringError("the group of atom %u falls apart",
                                     group.atoms.front());
  }
  return checkCost();
}

llvm::Error fusion::validate(const Problem &problem, Oracle &oracle,
                             const Solution &solution) {
  return Validation(problem, oracle, solution).run();
}
