//===- Grouping.cpp - groups in an order in which they can run ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Fusion/Grouping.h"
#include "lib/Support/SortUnique.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

#include <queue>

using namespace tenon;
using namespace tenon::fusion;

std::optional<Grouping>
Grouping::create(const Graph &graph, Answers &answers,
                 llvm::ArrayRef<std::vector<unsigned>> sets) {
  Grouping grouping(graph);
  for (const std::vector<unsigned> &set : sets) {
    std::optional<Cost> cost = answers.ask(graph.group(set));
    if (!cost)
      return std::nullopt;
    grouping.order.push_back({set, *cost});
    grouping.sum += *cost;
  }
  grouping.setPlaces(0, sets.size());
  return grouping;
}

void Grouping::setPlaces(unsigned from, unsigned to) {
  for (unsigned place = from; place < to; ++place)
    for (unsigned atom : order[place].atoms)
      places[atom] = place;
}

std::vector<unsigned> Grouping::placesOf(llvm::ArrayRef<unsigned> atoms) const {
  std::vector<unsigned> found;
  for (unsigned atom : atoms)
    found.push_back(places[atom]);
  sortUnique(found);
  return found;
}

namespace {
/// Sorts groups so that each needs earlier ones only, lower atoms first.
class Sorting {
public:
  Sorting(const Graph &graph, llvm::ArrayRef<Grouping::Member> groups)
      : graph(graph), groups(groups), open(groups.size(), 0) {
    for (auto [index, group] : llvm::enumerate(groups))
      for (unsigned atom : group.atoms)
        groupOf[atom] = index;
  }

  /// None if some need each other.
  std::optional<std::vector<unsigned>> run() {
    for (unsigned index = 0; index < groups.size(); ++index)
      forEachUser(index, [&](unsigned user) { ++open[user]; });
    for (unsigned index = 0; index < groups.size(); ++index)
      if (open[index] == 0)
        enter(index);
    std::vector<unsigned> sorted;
    while (!ready.empty()) {
      unsigned index = ready.top().second;
      ready.pop();
      sorted.push_back(index);
      forEachUser(index, [&](unsigned user) {
        if (--open[user] == 0)
          enter(user);
      });
    }
    if (sorted.size() < groups.size())
      return std::nullopt;
    return sorted;
  }

private:
  void enter(unsigned index) {
    ready.push({groups[index].atoms.front(), index});
  }

  /// Once for each edge.
  template <typename Function>
  void forEachUser(unsigned index, Function function) {
    for (unsigned atom : groups[index].atoms)
      for (unsigned user : graph.after[atom])
        if (auto found = groupOf.find(user);
            found != groupOf.end() && found->second != index)
          function(found->second);
  }

  const Graph &graph;
  llvm::ArrayRef<Grouping::Member> groups;
  std::vector<unsigned> open; ///< edges from groups that are not sorted yet
  llvm::DenseMap<unsigned, unsigned> groupOf;
  std::priority_queue<std::pair<unsigned, unsigned>,
                      std::vector<std::pair<unsigned, unsigned>>,
                      std::greater<>>
      ready;
};
} // namespace

bool Grouping::replace(llvm::ArrayRef<Member> groups) {
  std::vector<unsigned> old;
  for (const Member &group : groups)
    llvm::append_range(old, placesOf(group.atoms));
  sortUnique(old);
  unsigned begin = old.front(), end = old.back() + 1;
  std::vector<Member> all = groups.vec();
  for (unsigned place = begin; place < end; ++place)
    if (!llvm::binary_search(old, place))
      all.push_back(order[place]);
  std::optional<std::vector<unsigned>> sorted = Sorting(*of, all).run();
  if (!sorted)
    return false;
  for (unsigned place : old)
    sum -= order[place].cost;
  for (const Member &group : groups)
    sum += group.cost;
  // What stands behind moves up or down.
  std::vector<Member> tail(std::make_move_iterator(order.begin() + end),
                           std::make_move_iterator(order.end()));
  bool sameNumber = groups.size() == old.size();
  order.resize(begin);
  for (unsigned index : *sorted)
    order.push_back(std::move(all[index]));
  unsigned middle = order.size();
  order.insert(order.end(), std::make_move_iterator(tail.begin()),
               std::make_move_iterator(tail.end()));
  setPlaces(begin, sameNumber ? middle : order.size());
  return true;
}

bool Grouping::isBetween(unsigned from, unsigned to) const {
  llvm::SmallVector<unsigned> stack = {from};
  llvm::DenseSet<unsigned> seen;
  while (!stack.empty()) {
    unsigned place = stack.pop_back_val();
    for (unsigned atom : order[place].atoms)
      for (unsigned user : of->after[atom]) {
        unsigned next = places[user];
        if (next == to && place != from)
          return true;
        if (next < to && next != place && seen.insert(next).second)
          stack.push_back(next);
      }
  }
  return false;
}
