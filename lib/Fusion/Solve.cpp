//===- Solve.cpp - the cheapest kernels -----------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Fusion/Solve.h"
#include "lib/Fusion/Clones.h"
#include "lib/Fusion/Greedy.h"
#include "lib/Fusion/Programme.h"
#include "lib/Fusion/Windows.h"

using namespace tenon;
using namespace tenon::fusion;

namespace {
class Solver {
public:
  Solver(const Problem &problem, Oracle &oracle, const Options &options)
      : problem(problem), options(options), answers(oracle),
        shared(sharedEdges(problem, oracle)), cloned(problem.atoms, false) {
    this->options.mostInRegion =
        std::min(options.mostInRegion, Region::mostAtoms);
  }

  Solution run();

private:
  void begin();
  void improveAll();
  void improve(llvm::ArrayRef<unsigned> atoms);
  bool improveAtOnce(llvm::ArrayRef<unsigned> atoms);
  void replaceIfCheaper(llvm::ArrayRef<Grouping::Member> groups);
  void improveInWindows(llvm::ArrayRef<unsigned> atoms);
  bool cloneSome();
  bool clone(unsigned atom);
  void takeBack(unsigned atom);
  bool setCloned(unsigned atom, std::vector<std::vector<unsigned>> sets);
  std::vector<std::vector<unsigned>> sets() const;
  Solution solution();

  const Problem &problem;
  Options options;
  Answers answers;
  std::vector<bool> shared, cloned;
  std::unique_ptr<Graph> graph;
  std::optional<Grouping> grouping; ///< the best so far
  Solution::Statistics statistics;
};
} // namespace

//===-- Groups ------------------------------------------------------------===//

void Solver::begin() {
  graph = std::make_unique<Graph>(problem, shared, cloned);
  std::vector<std::vector<unsigned>> singles, start;
  for (unsigned atom = 0; atom < problem.atoms; ++atom)
    singles.push_back({atom});
  for (const Group &group : options.start)
    start.push_back(group.atoms);
  grouping = Grouping::create(*graph, answers, singles);
  assert(grouping && "one atom must have a cost");
  if (start.empty())
    return;
  std::optional<Grouping> given = Grouping::create(*graph, answers, start);
  if (given && given->cost() < grouping->cost())
    grouping = std::move(given);
}

/// Groups are connected, so sets that do not touch are solved apart. What needs
/// each other is solved together all the same: the groups of one restrict those
/// of the other.
void Solver::improveAll() {
  std::vector<unsigned> atoms;
  for (unsigned atom = 0; atom < problem.atoms; ++atom)
    if (!cloned[atom] && !graph->isAlone(atom))
      atoms.push_back(atom);
  auto regions = joinCycles(*graph, connectedSets(*graph, atoms));
  for (const std::vector<unsigned> &region : regions)
    improve(region);
}

void Solver::improve(llvm::ArrayRef<unsigned> atoms) {
  if (atoms.size() < 2 || statistics.steps >= options.mostSteps ||
      improveAtOnce(atoms))
    return;
  std::vector<std::vector<unsigned>> sets = connectedSets(*graph, atoms);
  if (sets.size() == 1)
    return improveInWindows(atoms);
  for (const std::vector<unsigned> &set : sets)
    improve(set);
}

/// With groups of fewer atoms where there are too many; then greedy merges say
/// which larger ones to think of.
bool Solver::improveAtOnce(llvm::ArrayRef<unsigned> atoms) {
  if (atoms.size() > options.mostInRegion)
    return false;
  Programme programme(*grouping, atoms, answers, options, statistics);
  if (!programme.findIdeals())
    return false;
  for (unsigned most : {options.mostAtoms, 8u, 6u, 4u}) {
    if (most > options.mostAtoms)
      continue;
    if (auto groups = programme.run(most)) {
      replaceIfCheaper(*groups);
      return true;
    }
    mergeGreedily(*grouping, atoms, answers, options);
  }
  return false;
}

void Solver::replaceIfCheaper(llvm::ArrayRef<Grouping::Member> groups) {
  Cost old, now;
  std::vector<unsigned> atoms;
  for (const Grouping::Member &group : groups) {
    llvm::append_range(atoms, group.atoms);
    now += group.cost;
  }
  for (unsigned place : grouping->placesOf(atoms))
    old += grouping->groups()[place].cost;
  assert(now <= old && "the groups that were there are candidates");
  if (now >= old)
    return;
  [[maybe_unused]] bool hasOrder = grouping->replace(groups);
  assert(hasOrder && "ideals are in one");
}

/// What the cuts of one round part, the next round has in its middles. Greedy
/// merges know of no cuts: where there are many edges, they do well.
void Solver::improveInWindows(llvm::ArrayRef<unsigned> atoms) {
  ++statistics.cut;
  mergeGreedily(*grouping, atoms, answers, options);
  unsigned most =
      std::min<unsigned>(options.mostInRegion, (atoms.size() + 1) / 2);
  for (unsigned round = 0; round < 4; ++round) {
    Cost old = grouping->cost();
    for (const std::vector<unsigned> &window :
         windowsOf(*grouping, atoms, most, round % 2 ? most / 2 : most))
      if (window.size() < atoms.size())
        for (const std::vector<unsigned> &set : connectedSets(*graph, window))
          improve(set);
    if (round > 0 && grouping->cost() == old)
      return;
  }
}

//===-- Clones ------------------------------------------------------------===//

std::vector<std::vector<unsigned>> Solver::sets() const {
  std::vector<std::vector<unsigned>> sets;
  for (const Grouping::Member &group : grouping->groups())
    sets.push_back(group.atoms);
  return sets;
}

/// Makes an atom a clone, or one of its own again, if that costs no more.
bool Solver::setCloned(unsigned atom, std::vector<std::vector<unsigned>> sets) {
  cloned[atom] = !cloned[atom];
  auto next = std::make_unique<Graph>(problem, shared, cloned);
  bool isWhole = llvm::all_of(sets, [&](const std::vector<unsigned> &set) {
    return connectedSets(*next, set).size() == 1;
  });
  std::optional<Grouping> found;
  if (isWhole)
    found = Grouping::create(*next, answers, sets);
  if (!found || found->cost() > grouping->cost()) {
    cloned[atom] = !cloned[atom];
    return false;
  }
  grouping = std::move(found);
  graph = std::move(next);
  return true;
}

/// Groups keep their order: what the atom needs comes before it, its users
/// after.
bool Solver::clone(unsigned atom) {
  std::vector<std::vector<unsigned>> sets = this->sets();
  llvm::erase(sets[grouping->placeOf(atom)], atom);
  llvm::erase_if(sets, [](const auto &set) { return set.empty(); });
  return setCloned(atom, std::move(sets));
}

/// What only one group computes is no clone.
void Solver::takeBack(unsigned atom) {
  std::vector<std::vector<unsigned>> sets = this->sets(), users;
  std::vector<unsigned> *user = nullptr;
  for (std::vector<unsigned> &set : sets) {
    if (!llvm::is_contained(graph->group(set).clones, atom))
      continue;
    if (user)
      return;
    user = &set;
  }
  user->insert(llvm::lower_bound(*user, atom), atom);
  setCloned(atom, std::move(sets));
}

bool Solver::cloneSome() {
  bool isChanged = false;
  CloneSearch search(problem, shared, answers, options);
  while (std::optional<unsigned> atom = search.next(*grouping))
    isChanged |= clone(*atom);
  return isChanged;
}

//===-- The whole ---------------------------------------------------------===//

Solution Solver::solution() {
  grouping->replace(grouping->groups());
  Solution solution;
  for (const Grouping::Member &group : grouping->groups())
    solution.groups.push_back(graph->group(group.atoms));
  solution.cost = grouping->cost();
  statistics.asked = answers.asked;
  statistics.cloned = llvm::count(cloned, true);
  solution.statistics = statistics;
  return solution;
}

Solution Solver::run() {
  begin();
  // With clones, other groups may be best.
  for (unsigned round = 0; round < 3; ++round) {
    improveAll();
    if (!options.clones || !cloneSome())
      break;
  }
  for (unsigned atom = problem.atoms; atom-- > 0;)
    if (cloned[atom])
      takeBack(atom);
  return solution();
}

Solution fusion::solve(const Problem &problem, Oracle &oracle,
                       const Options &options) {
  if (problem.atoms == 0)
    return {};
  return Solver(problem, oracle, options).run();
}
