//===- LateOrder.cpp - an order that keeps little -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/Checkpoint/LateOrder.h"

#include "dialects/Graph/Graph.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::checkpoint;

namespace {
using Numbers = std::vector<unsigned>;

class Orderer {
public:
  explicit Orderer(const StepProgram &program) : program(program) {
    findReaders();
    findDepths();
  }

  Numbers run() {
    for (unsigned root : roots())
      demand(root);
    // Twice: what moved may have freed what another waits for.
    for (int sweep = 0; sweep < 2; ++sweep)
      moveUp();
    return order;
  }

private:
  void findReaders();
  void findDepths();
  Numbers producersOf(unsigned group) const;
  Numbers roots() const;
  void demand(unsigned root);
  void moveUp();
  void place();
  unsigned earliest(unsigned group) const;
  unsigned lastReadBeside(unsigned value, unsigned group) const;
  bool gains(unsigned group, unsigned place) const;
  int64_t bytesOf(unsigned value) const {
    if (program.returned[value])
      return 0;
    return graph::tensorBytes(program.values[value].getType()).value_or(0);
  }

  const StepProgram &program;
  std::vector<Numbers> readers; ///< groups, by value
  std::vector<unsigned> depths; ///< of groups: those before it on a longest way
  Numbers order;
  std::vector<unsigned> places; ///< in the order, by group
};
} // namespace

void Orderer::findReaders() {
  readers.resize(program.values.size());
  for (unsigned group = 0; group < program.groups.size(); ++group)
    for (unsigned value : program.reads[group])
      readers[value].push_back(group);
}

void Orderer::findDepths() {
  depths.resize(program.groups.size());
  for (unsigned group = 0; group < program.groups.size(); ++group)
    for (unsigned value : program.reads[group])
      depths[group] =
          std::max(depths[group], depths[program.makers[value]] + 1);
}

/// What a group reads from, that on the longest way first: the rest is of no
/// use before.
Numbers Orderer::producersOf(unsigned group) const {
  Numbers producers;
  for (unsigned value : program.reads[group])
    producers.push_back(program.makers[value]);
  llvm::stable_sort(
      producers, [&](unsigned a, unsigned b) { return depths[a] > depths[b]; });
  return producers;
}

/// Groups with results that leave the program or that nobody reads, those first
/// that can run first.
Numbers Orderer::roots() const {
  std::vector<bool> isRoot(program.groups.size());
  for (unsigned value = 0; value < program.values.size(); ++value)
    if (program.returned[value] || readers[value].empty())
      isRoot[program.makers[value]] = true;
  Numbers roots;
  for (unsigned group = 0; group < isRoot.size(); ++group)
    if (isRoot[group])
      roots.push_back(group);
  llvm::stable_sort(
      roots, [&](unsigned a, unsigned b) { return depths[a] < depths[b]; });
  return roots;
}

/// Appends a group behind all that it needs.
void Orderer::demand(unsigned root) {
  if (places.empty())
    places.assign(program.groups.size(), unsigned(-1));
  struct Visit {
    unsigned group;
    Numbers producers;
    size_t next = 0;
  };
  std::vector<Visit> open;
  auto enter = [&](unsigned group) {
    if (places[group] == unsigned(-1))
      open.push_back({group, producersOf(group)});
  };
  enter(root);
  while (!open.empty()) {
    Visit &visit = open.back();
    if (visit.next < visit.producers.size()) {
      enter(visit.producers[visit.next++]);
      continue;
    }
    unsigned group = visit.group;
    open.pop_back();
    if (places[group] != unsigned(-1))
      continue;
    places[group] = unsigned(order.size());
    order.push_back(group);
  }
}

void Orderer::place() {
  for (unsigned at = 0; at < order.size(); ++at)
    places[order[at]] = at;
}

/// The first place behind all that a group reads.
unsigned Orderer::earliest(unsigned group) const {
  unsigned place = 0;
  for (unsigned value : program.reads[group])
    place = std::max(place, places[program.makers[value]] + 1);
  return place;
}

/// The place behind which nobody else needs a value.
unsigned Orderer::lastReadBeside(unsigned value, unsigned group) const {
  unsigned last = places[program.makers[value]];
  for (unsigned reader : readers[value])
    if (reader != group)
      last = std::max(last, places[reader]);
  return last;
}

/// Whether bytes times steps become fewer with a group at an earlier place.
bool Orderer::gains(unsigned group, unsigned place) const {
  int64_t gain = 0;
  int64_t now = places[group];
  for (unsigned value : program.reads[group]) {
    int64_t rest = std::max(place, lastReadBeside(value, group));
    if (!program.returned[value])
      gain += bytesOf(value) * std::max<int64_t>(0, now - rest);
  }
  for (Value result : program.groups[group]->getResults())
    gain -= bytesOf(program.numbers.lookup(result)) * (now - int64_t(place));
  return gain > 0;
}

void Orderer::moveUp() {
  for (unsigned group : Numbers(order)) {
    unsigned place = earliest(group), now = places[group];
    if (place >= now || !gains(group, place))
      continue;
    std::rotate(order.begin() + place, order.begin() + now,
                order.begin() + now + 1);
    this->place();
  }
}

std::vector<unsigned> checkpoint::lateOrder(const StepProgram &program) {
  return Orderer(program).run();
}
