//===- Greedy.cpp - one merge after the other -----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Fusion/Greedy.h"
#include "lib/Fusion/Grouping.h"
#include "lib/Support/SortUnique.h"

#include <queue>

using namespace tenon;
using namespace tenon::fusion;

namespace {
/// Two groups by their lowest atoms, and what a merge of them saves.
struct Merge {
  Cost gain;
  unsigned one, other;
  std::vector<unsigned> atoms; ///< of both

  bool operator<(const Merge &second) const {
    return std::tie(gain, second.one, second.other) <
           std::tie(second.gain, one, other);
  }
};

class Merging {
public:
  Merging(const Graph &graph, Answers &answers, const Options &options,
          Grouping &grouping)
      : graph(graph), answers(answers), options(options), grouping(grouping) {}

  void run();

private:
  std::vector<unsigned> touching(llvm::ArrayRef<unsigned> atoms) const;
  void offer(unsigned one, unsigned other);
  void merge(const Merge &merge);
  const Grouping::Member &groupOf(unsigned atom) const {
    return grouping.groups()[grouping.placeOf(atom)];
  }

  const Graph &graph;
  Answers &answers;
  const Options &options;
  Grouping &grouping;
  std::priority_queue<Merge> queue;
};
} // namespace

/// The lowest atoms of groups that touch some atoms.
std::vector<unsigned> Merging::touching(llvm::ArrayRef<unsigned> atoms) const {
  std::vector<unsigned> found;
  for (unsigned atom : atoms) {
    llvm::append_range(found, graph.touches[atom]);
    for (unsigned set : graph.readersOf[atom])
      llvm::append_range(found, graph.readers[set]);
  }
  llvm::erase_if(found, [&](unsigned atom) { return graph.isAlone(atom); });
  for (unsigned &atom : found)
    atom = groupOf(atom).atoms.front();
  sortUnique(found);
  return found;
}

void Merging::offer(unsigned one, unsigned other) {
  const Grouping::Member &first = groupOf(one), &second = groupOf(other);
  if (first.atoms.size() + second.atoms.size() > options.mostAtoms ||
      answers.asked >= options.mostAskedInAll)
    return;
  std::vector<unsigned> atoms = first.atoms;
  llvm::append_range(atoms, second.atoms);
  llvm::sort(atoms);
  Cost gain = first.cost + second.cost;
  if (std::optional<Cost> cost = answers.ask(graph.group(atoms))) {
    gain -= *cost;
    if (gain > Cost())
      queue.push({gain, one, other, std::move(atoms)});
  }
}

void Merging::merge(const Merge &merge) {
  const Grouping::Member &one = groupOf(merge.one),
                         &other = groupOf(merge.other);
  // One of the two may have grown since.
  if (one.atoms.size() + other.atoms.size() != merge.atoms.size() ||
      one.atoms.front() != merge.one || other.atoms.front() != merge.other)
    return;
  auto [from, to] =
      std::minmax(grouping.placeOf(merge.one), grouping.placeOf(merge.other));
  if (grouping.isBetween(from, to))
    return;
  Cost cost = one.cost + other.cost;
  cost -= merge.gain;
  grouping.replace(Grouping::Member{merge.atoms, cost});
  unsigned merged = merge.atoms.front();
  for (unsigned next : touching(merge.atoms))
    if (next != merged)
      offer(std::min(next, merged), std::max(next, merged));
}

void Merging::run() {
  for (unsigned atom = 0; atom < graph.size(); ++atom)
    if (!graph.isAlone(atom))
      for (unsigned other : touching({atom}))
        if (atom < other)
          offer(atom, other);
  while (!queue.empty()) {
    Merge next = queue.top();
    queue.pop();
    merge(next);
  }
}

Solution fusion::solveGreedily(const Problem &problem, Oracle &oracle,
                               const Options &options) {
  Answers answers(oracle);
  Graph graph(problem, sharedEdges(problem, oracle),
              std::vector<bool>(problem.atoms, false));
  std::vector<std::vector<unsigned>> singles;
  for (unsigned atom = 0; atom < problem.atoms; ++atom)
    singles.push_back({atom});
  std::optional<Grouping> grouping = Grouping::create(graph, answers, singles);
  assert(grouping && "one atom must have a cost");
  Merging(graph, answers, options, *grouping).run();
  Solution solution;
  for (const Grouping::Member &group : grouping->groups())
    solution.groups.push_back(graph.group(group.atoms));
  solution.cost = grouping->cost();
  solution.statistics.asked = answers.asked;
  return solution;
}
