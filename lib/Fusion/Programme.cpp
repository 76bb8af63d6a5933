//===- Programme.cpp - the best groups of a region ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Fusion/Programme.h"
#include "lib/Support/SortUnique.h"

using namespace tenon;
using namespace tenon::fusion;

//===-- Ideals and groups -------------------------------------------------===//

/// Layer by layer: each ideal is a smaller one and an atom that needs nothing
/// else.
bool Programme::findIdeals() {
  ideals = {0};
  indexOf = {{0, 0}};
  for (unsigned index = 0; index < ideals.size(); ++index) {
    Mask ideal = ideals[index];
    forEach(region.all() & ~ideal, [&](unsigned atom) {
      Mask next = ideal | bit(atom);
      if ((region.needs[atom] & ~ideal) == 0 &&
          indexOf.try_emplace(next, ideals.size()).second)
        ideals.push_back(next);
    });
    statistics.steps += region.size();
    if (int64_t(ideals.size()) > options.mostIdeals)
      return false;
  }
  return true;
}

/// Sets grow by an atom that touches them and by what lies on paths between.
/// That finds each connected convex set T: as long as a set S in it is smaller,
/// some atom of T touches S; S grows by it and stays in T, as T is convex. On
/// the way sets may fall apart, so only those that are complete are tested.
bool Programme::findCandidates(unsigned mostAtoms) {
  candidates.clear();
  std::vector<Mask> sets;
  llvm::DenseSet<Mask> seen;
  for (unsigned atom = 0; atom < region.size(); ++atom)
    sets.push_back(bit(atom));
  for (size_t index = 0; index < sets.size(); ++index) {
    Mask set = sets[index];
    Mask before = region.before(set), after = region.after(set);
    if (llvm::popcount(set) >= int(mostAtoms))
      continue;
    forEach(region.touching(set) & ~set, [&](unsigned atom) {
      Mask grown = set | bit(atom);
      grown |= (before | region.needs[atom]) & (after | region.users[atom]);
      if (llvm::popcount(grown) <= int(mostAtoms) && region.isConvex(grown) &&
          seen.insert(grown).second)
        sets.push_back(grown);
      ++statistics.steps;
    });
    if (int64_t(sets.size()) > options.mostAsked)
      return false;
  }
  addGroups(sets);
  for (Mask set : sets)
    if (region.isConnected(set))
      add(set);
  return true;
}

/// Groups that are there, however large: what is found is no worse than they.
void Programme::addGroups(std::vector<Mask> &sets) const {
  for (unsigned place : grouping.placesOf(region.atoms))
    sets.push_back(region.maskOf(grouping.groups()[place].atoms));
  for (const Group &group : options.start) {
    auto isInside = [&](unsigned atom) {
      return llvm::binary_search(region.atoms, atom);
    };
    if (!llvm::all_of(group.atoms, isInside))
      continue;
    Mask set = region.maskOf(group.atoms);
    if (region.isConvex(set))
      sets.push_back(set);
  }
  sortUnique(sets);
}

void Programme::add(Mask set) {
  Group group = grouping.graph().group(region.atomsOf(set));
  Answer &answer = answers.of(group);
  if (answer.cost)
    candidates.push_back({set, region.before(set) & ~set,
                          region.after(set) & ~set, std::move(group), &answer});
}

//===-- Transitions -------------------------------------------------------===//

static unsigned highestOf(Mask set) { return 63 - llvm::countl_zero(set); }

/// Of the orders in which groups can run, one is enough: taken from the end,
/// the group of the highest atom that is left comes as soon as it can. What
/// comes before it needs something, or it would not have to. So groups that
/// need nothing are asked for by their highest atom. Others are by an atom that
/// none of the group needs: in an ideal that it ends, nothing else does either.
void Programme::sortCandidates() {
  free.assign(region.size(), {});
  bound.assign(region.size(), {});
  for (auto [index, candidate] : llvm::enumerate(candidates)) {
    unsigned highest = highestOf(candidate.atoms), last = highest;
    forEach(candidate.atoms, [&, &candidate = candidate](unsigned atom) {
      if ((region.users[atom] & candidate.atoms) == 0)
        last = atom;
    });
    if (candidate.needs)
      bound[last].push_back(index);
    else
      free[highest].push_back(index);
  }
}

bool Programme::findTransitions() {
  sortCandidates();
  transitions.clear();
  first = {0, 0};
  int64_t most = statistics.steps + 20 * options.mostTransitions;
  for (Mask ideal : llvm::drop_begin(ideals)) {
    addEndings(ideal, free[highestOf(ideal)]);
    forEach(ideal, [&](unsigned last) {
      if ((region.users[last] & ideal) == 0)
        addEndings(ideal, bound[last]);
    });
    first.push_back(transitions.size());
    if (int64_t(transitions.size()) > options.mostTransitions ||
        statistics.steps > most)
      return false;
  }
  statistics.transitions += transitions.size();
  return true;
}

void Programme::addEndings(Mask ideal, llvm::ArrayRef<unsigned> some) {
  statistics.steps += some.size();
  for (unsigned index : some) {
    const Candidate &candidate = candidates[index];
    if ((candidate.atoms & ~ideal) == 0 && (candidate.after & ideal) == 0)
      transitions.push_back(
          {indexOf.find(ideal & ~candidate.atoms)->second, index});
  }
}

//===-- The search --------------------------------------------------------===//

/// Over all candidates, where a bound stands for a cost that is not known, or
/// over those with a known one. What the ideals below `begin` are worth has not
/// changed.
void Programme::findBest(unsigned begin, bool onlyFinal) {
  for (unsigned ideal = begin; ideal < ideals.size(); ++ideal) {
    via[ideal] = -1;
    Cost &least = best[ideal];
    for (unsigned index = first[ideal]; index < first[ideal + 1]; ++index) {
      auto [from, candidate] = transitions[index];
      const Answer &answer = *candidates[candidate].answer;
      bool isOpen = answer.cost && (answer.isFinal || !onlyFinal) &&
                    (from == 0 || via[from] >= 0);
      // The time decides nearly always.
      if (!isOpen ||
          (via[ideal] >= 0 && best[from].time + answer.cost->time > least.time))
        continue;
      Cost cost = best[from] + *answer.cost;
      if (via[ideal] >= 0 && least <= cost)
        continue;
      least = cost;
      via[ideal] = index;
    }
  }
  statistics.steps += transitions.size() - first[begin];
}

std::vector<unsigned> Programme::way() const {
  std::vector<unsigned> way;
  for (unsigned ideal = ideals.size() - 1; ideal != 0;) {
    const Transition &transition = transitions[via[ideal]];
    way.push_back(transition.candidate);
    ideal = transition.from;
  }
  return way;
}

/// The cheapest way with bounds in place of unknown costs is no dearer than any
/// other; as soon as it has none of them, it is the cheapest. Else the oracle
/// is asked about what it goes through, and nothing else. A bound of nothing
/// does not help: there the oracle is asked at once.
std::vector<unsigned> Programme::search() {
  int64_t mostAsked =
      std::min(answers.asked + options.mostAsked, options.mostAskedInAll);
  int64_t mostSteps = std::min(statistics.steps + 50 * options.mostTransitions,
                               options.mostSteps);
  for (Candidate &candidate : candidates)
    if (candidate.answer->cost == Cost() && answers.asked < mostAsked)
      answers.ask(candidate.group, *candidate.answer);
  best.assign(ideals.size(), Cost());
  via.assign(ideals.size(), -1);
  unsigned begin = 1;
  while (answers.asked < mostAsked && statistics.steps < mostSteps) {
    findBest(begin, /*onlyFinal=*/false);
    std::vector<unsigned> cheapest = way();
    begin = ideals.size();
    for (unsigned index : cheapest) {
      Candidate &candidate = candidates[index];
      if (candidate.answer->isFinal)
        continue;
      answers.ask(candidate.group, *candidate.answer);
      // No smaller ideal ends with it than what it needs and itself.
      Mask least = candidate.atoms | candidate.needs;
      begin = std::min(begin, indexOf.find(least)->second);
    }
    if (begin == ideals.size())
      return cheapest;
  }
  findBest(1, /*onlyFinal=*/true);
  return way();
}

std::optional<std::vector<Grouping::Member>>
Programme::run(unsigned mostAtoms) {
  if (!findCandidates(mostAtoms) || !findTransitions())
    return std::nullopt;
  ++statistics.regions;
  statistics.ideals += ideals.size();
  statistics.candidates += candidates.size();
  std::vector<Grouping::Member> groups;
  for (unsigned index : search())
    groups.push_back({region.atomsOf(candidates[index].atoms),
                      *candidates[index].answer->cost});
  return groups;
}
