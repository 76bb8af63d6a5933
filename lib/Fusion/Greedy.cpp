//===- Greedy.cpp - one merge after the other -----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Fusion/Greedy.h"
#include "lib/Support/SortUnique.h"

#include <queue>

using namespace tenon;
using namespace tenon::fusion;

namespace {
/// Two groups by their lowest atoms, and what a merge of them saves: at most,
/// until the oracle is asked.
struct Merge {
  Cost gain;
  unsigned one, other;
  Group group;

  bool operator<(const Merge &second) const {
    return std::tie(gain, second.one, second.other) <
           std::tie(second.gain, one, other);
  }
};

class Merging {
public:
  Merging(Grouping &grouping, llvm::ArrayRef<unsigned> atoms, Answers &answers,
          const Options &options)
      : graph(grouping.graph()), grouping(grouping), answers(answers),
        options(options), isInside(graph.size(), false),
        mostAsked(std::min(answers.asked + options.mostAsked,
                           options.mostAskedInAll)),
        mostOffered(4 * options.mostAsked) {
    for (unsigned atom : atoms)
      isInside[atom] = true;
  }

  void run();

private:
  std::vector<unsigned> touching(llvm::ArrayRef<unsigned> atoms) const;
  void offer(unsigned one, unsigned other);
  void push(Merge merge);
  bool isStale(const Merge &merge) const;
  void merge(const Merge &merge);
  const Grouping::Member &groupOf(unsigned atom) const {
    return grouping.groups()[grouping.placeOf(atom)];
  }

  const Graph &graph;
  Grouping &grouping;
  Answers &answers;
  const Options &options;
  std::vector<bool> isInside;
  int64_t mostAsked, mostOffered;
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
  llvm::erase_if(found, [&](unsigned atom) { return !isInside[atom]; });
  for (unsigned &atom : found)
    atom = groupOf(atom).atoms.front();
  sortUnique(found);
  return found;
}

void Merging::offer(unsigned one, unsigned other) {
  const Grouping::Member &first = groupOf(one), &second = groupOf(other);
  if (first.atoms.size() + second.atoms.size() > options.mostAtoms ||
      mostOffered-- <= 0)
    return;
  std::vector<unsigned> atoms = first.atoms;
  llvm::append_range(atoms, second.atoms);
  llvm::sort(atoms);
  push({{}, one, other, graph.group(atoms)});
}

void Merging::push(Merge merge) {
  const std::optional<Cost> &cost = answers.of(merge.group).cost;
  merge.gain = groupOf(merge.one).cost + groupOf(merge.other).cost;
  if (!cost)
    return;
  merge.gain -= *cost;
  if (merge.gain > Cost())
    queue.push(std::move(merge));
}

/// One of the two may have grown since they were offered.
bool Merging::isStale(const Merge &merge) const {
  const Grouping::Member &one = groupOf(merge.one),
                         &other = groupOf(merge.other);
  return one.atoms.size() + other.atoms.size() != merge.group.atoms.size() ||
         one.atoms.front() != merge.one || other.atoms.front() != merge.other;
}

void Merging::merge(const Merge &merge) {
  const std::vector<unsigned> &atoms = merge.group.atoms;
  auto [from, to] =
      std::minmax(grouping.placeOf(merge.one), grouping.placeOf(merge.other));
  if (grouping.isBetween(from, to))
    return;
  grouping.replace(Grouping::Member{atoms, *answers.of(merge.group).cost});
  unsigned merged = atoms.front();
  for (unsigned next : touching(atoms))
    if (next != merged)
      offer(std::min(next, merged), std::max(next, merged));
}

void Merging::run() {
  for (unsigned place = 0; place < grouping.groups().size(); ++place) {
    const Grouping::Member &group = grouping.groups()[place];
    unsigned atom = group.atoms.front();
    if (!isInside[atom])
      continue;
    for (unsigned other : touching(group.atoms))
      if (atom < other)
        offer(atom, other);
  }
  while (!queue.empty()) {
    Merge next = queue.top();
    queue.pop();
    if (isStale(next))
      continue;
    Answer &answer = answers.of(next.group);
    if (answer.isFinal) {
      merge(next);
    } else if (answers.asked < mostAsked) {
      answers.ask(next.group, answer);
      push(std::move(next));
    }
  }
}

void fusion::mergeGreedily(Grouping &grouping, llvm::ArrayRef<unsigned> atoms,
                           Answers &answers, const Options &options) {
  Merging(grouping, atoms, answers, options).run();
}

Solution fusion::solveGreedily(const Problem &problem, Oracle &oracle,
                               const Options &options) {
  Answers answers(oracle);
  Graph graph(problem, sharedEdges(problem, oracle),
              std::vector<bool>(problem.atoms, false));
  std::vector<std::vector<unsigned>> singles;
  std::vector<unsigned> atoms;
  for (unsigned atom = 0; atom < problem.atoms; ++atom) {
    singles.push_back({atom});
    if (!graph.isAlone(atom))
      atoms.push_back(atom);
  }
  std::optional<Grouping> grouping = Grouping::create(graph, answers, singles);
  assert(grouping && "one atom must have a cost");
  mergeGreedily(*grouping, atoms, answers, options);
  Solution solution;
  for (const Grouping::Member &group : grouping->groups())
    solution.groups.push_back(graph.group(group.atoms));
  solution.cost = grouping->cost();
  solution.statistics.asked = answers.asked;
  return solution;
}
