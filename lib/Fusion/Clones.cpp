//===- Clones.cpp - atoms that live in their users ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Fusion/Clones.h"
#include "lib/Support/SortUnique.h"

using namespace tenon;
using namespace tenon::fusion;

/// Edges to all users must be shared: else a clone would not touch its group.
CloneSearch::CloneSearch(const Problem &problem,
                         const std::vector<bool> &shared, Answers &answers,
                         const Options &options)
    : answers(answers), options(options), mayBe(problem.atoms, false),
      at(problem.atoms) {
  if (problem.cloneable.empty())
    return;
  auto isAlone = [&](unsigned atom) {
    return !problem.alone.empty() && problem.alone[atom];
  };
  for (auto [from, to] : problem.edges)
    mayBe[from] = problem.cloneable[from] && !isAlone(from);
  for (auto [edge, shares] : llvm::zip(problem.edges, shared))
    if (!shares || isAlone(edge.to))
      mayBe[edge.from] = false;
}

/// Where all users are in its group, an atom is in no memory anyway.
bool CloneSearch::mayBeCloned(const Grouping &grouping, unsigned atom) const {
  const Graph &graph = grouping.graph();
  return mayBe[atom] && !graph.isCloned(atom) &&
         llvm::any_of(graph.after[atom], [&](unsigned user) {
           return grouping.placeOf(user) != grouping.placeOf(atom);
         });
}

/// The groups that have the atom or need it, once these compute it.
std::vector<Group> CloneSearch::groupsWith(const Grouping &grouping,
                                           llvm::ArrayRef<unsigned> places,
                                           unsigned atom) const {
  const Graph &graph = grouping.graph();
  std::vector<Group> groups;
  for (unsigned place : places) {
    std::vector<unsigned> atoms = grouping.groups()[place].atoms;
    llvm::erase(atoms, atom);
    if (atoms.empty())
      continue;
    groups.push_back(graph.group(atoms));
    auto needs = [&](unsigned user) {
      return llvm::is_contained(graph.before[user], atom);
    };
    if (!llvm::any_of(atoms, needs))
      continue;
    std::vector<unsigned> &clones = groups.back().clones;
    clones.push_back(atom);
    llvm::append_range(clones, graph.clones[atom]);
    sortUnique(clones);
  }
  return groups;
}

bool CloneSearch::pays(const Grouping &grouping, unsigned atom) {
  const Graph &graph = grouping.graph();
  std::vector<unsigned> atoms(graph.after[atom].begin(),
                              graph.after[atom].end());
  atoms.push_back(atom);
  std::vector<unsigned> places = grouping.placesOf(atoms);
  Cost old, bound, now;
  for (unsigned place : places)
    old += grouping.groups()[place].cost;
  std::vector<Group> groups = groupsWith(grouping, places, atom);
  for (const Group &group : groups) {
    const std::optional<Cost> &cost = answers.of(group).cost;
    if (!cost)
      return false;
    bound += *cost;
  }
  if (bound >= old)
    return false;
  for (const Group &group : groups) {
    const std::optional<Cost> &cost = answers.ask(group);
    if (!cost)
      return false;
    now += *cost;
  }
  return now < old;
}

std::optional<unsigned> CloneSearch::next(const Grouping &grouping) {
  while (at > 0 && answers.asked < options.mostAskedInAll)
    if (--at; mayBeCloned(grouping, at) && pays(grouping, at))
      return at;
  return std::nullopt;
}
