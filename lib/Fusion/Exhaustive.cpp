//===- Exhaustive.cpp - the cheapest of all groupings ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// As plain as can be: it shares no code with the other solvers.
//===----------------------------------------------------------------------===//
#include "lib/Fusion/Exhaustive.h"
#include "llvm/ADT/STLExtras.h"

#include <map>

using namespace tenon;
using namespace tenon::fusion;

static bool in(unsigned set, unsigned atom) { return set >> atom & 1; }

namespace {
class Exhaustion {
public:
  Exhaustion(const Problem &problem, Oracle &oracle)
      : problem(problem), oracle(oracle), groupOf(problem.atoms, 0) {
    for (auto [from, to] : problem.edges)
      if (oracle.mayShare(from, to))
        shared.push_back({from, to});
  }

  /// All partitions of the atoms that are not in the set.
  void run(unsigned cloned);

  Solution best;
  bool isFound = false;

private:
  void place(unsigned atom, unsigned groups);
  void compare(unsigned groups);
  unsigned clonesOf(unsigned atoms) const;
  bool isGroup(unsigned atoms, unsigned clones) const;
  std::optional<Cost> cost(unsigned atoms);
  std::optional<std::vector<unsigned>> order(unsigned groups) const;
  Group group(unsigned atoms) const;

  const Problem &problem;
  Oracle &oracle;
  std::vector<Problem::Edge> shared;
  unsigned cloned = 0;
  std::vector<unsigned> groupOf, members;
  std::map<unsigned, std::optional<Cost>> costs; ///< by atoms
};
} // namespace

/// What a group computes again: what any of it needs, as far as it is cloned.
unsigned Exhaustion::clonesOf(unsigned atoms) const {
  unsigned clones = 0;
  for (unsigned round = 0; round < problem.atoms; ++round)
    for (auto [from, to] : problem.edges)
      if (in(cloned, from) && in(atoms | clones, to))
        clones |= 1u << from;
  return clones;
}

bool Exhaustion::isGroup(unsigned atoms, unsigned clones) const {
  unsigned all = atoms | clones, reached = all & -all;
  for (unsigned round = 0; round < problem.atoms; ++round) {
    for (auto [from, to] : shared)
      if (in(all, from) && in(all, to) &&
          (in(reached, from) || in(reached, to)))
        reached |= 1u << from | 1u << to;
    for (const std::vector<unsigned> &set : problem.readers) {
      unsigned readers = 0;
      for (unsigned reader : set)
        readers |= 1u << reader;
      if (readers & reached)
        reached |= readers & all;
    }
  }
  if (reached != all)
    return false;
  for (unsigned atom = 0; atom < problem.atoms; ++atom)
    if (!problem.alone.empty() && problem.alone[atom] && in(all, atom) &&
        all != 1u << atom)
      return false;
  return true;
}

Group Exhaustion::group(unsigned atoms) const {
  Group group;
  for (unsigned atom = 0; atom < problem.atoms; ++atom) {
    if (in(atoms, atom))
      group.atoms.push_back(atom);
    if (in(clonesOf(atoms), atom))
      group.clones.push_back(atom);
  }
  return group;
}

std::optional<Cost> Exhaustion::cost(unsigned atoms) {
  auto [entry, isNew] = costs.try_emplace(atoms);
  if (isNew && isGroup(atoms, clonesOf(atoms)))
    entry->second = oracle.cost(group(atoms));
  return entry->second;
}

/// Takes a group that needs none of the others, again and again.
std::optional<std::vector<unsigned>> Exhaustion::order(unsigned groups) const {
  std::vector<unsigned> order;
  unsigned have = 0;
  for (unsigned round = 0; round < groups; ++round)
    for (unsigned atoms : llvm::ArrayRef(members).take_front(groups)) {
      unsigned all = atoms | clonesOf(atoms);
      bool isReady = !(have & atoms);
      for (auto [from, to] : problem.edges)
        if (in(all, to) && !in(all | have, from))
          isReady = false;
      if (!isReady)
        continue;
      have |= atoms;
      order.push_back(atoms);
    }
  if (order.size() < groups)
    return std::nullopt;
  return order;
}

void Exhaustion::compare(unsigned groups) {
  members.assign(groups, 0);
  for (unsigned atom = 0; atom < problem.atoms; ++atom)
    if (!in(cloned, atom))
      members[groupOf[atom]] |= 1u << atom;
  Cost sum;
  for (unsigned atoms : members) {
    std::optional<Cost> part = cost(atoms);
    if (!part)
      return;
    sum += *part;
  }
  if (isFound && best.cost <= sum)
    return;
  std::optional<std::vector<unsigned>> sequence = order(groups);
  if (!sequence)
    return;
  isFound = true;
  best.cost = sum;
  best.groups.clear();
  for (unsigned atoms : *sequence)
    best.groups.push_back(group(atoms));
}

void Exhaustion::place(unsigned atom, unsigned groups) {
  if (atom == problem.atoms)
    return compare(groups);
  if (in(cloned, atom))
    return place(atom + 1, groups);
  for (unsigned index = 0; index <= groups; ++index) {
    groupOf[atom] = index;
    place(atom + 1, std::max(groups, index + 1));
  }
}

void Exhaustion::run(unsigned set) {
  for (unsigned atom = 0; atom < problem.atoms; ++atom) {
    auto isUser = [&](const Problem::Edge &edge) { return edge.from == atom; };
    if (in(set, atom) &&
        (problem.cloneable.empty() || !problem.cloneable[atom] ||
         !llvm::any_of(problem.edges, isUser)))
      return;
  }
  cloned = set;
  costs.clear();
  place(0, 0);
}

Solution fusion::solveExhaustively(const Problem &problem, Oracle &oracle,
                                   bool clones) {
  assert(problem.atoms <= 8);
  Exhaustion exhaustion(problem, oracle);
  for (unsigned cloned = 0; cloned < (clones ? 1u << problem.atoms : 1u);
       ++cloned)
    exhaustion.run(cloned);
  return exhaustion.best;
}
