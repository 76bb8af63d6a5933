//===- Search.cpp - the best stages of a part -----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Schedule/Search.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <array>
#include <numeric>
#include <queue>

using namespace tenon;
using namespace tenon::sched;

std::vector<int64_t> sched::tailsOf(const Part &part) {
  std::vector<int64_t> tails(part.size(), 0);
  for (unsigned index = part.size(); index-- > 0;) {
    tails[index] += part.leastTime(index);
    forEach(part.needs[index], [&](unsigned before) {
      tails[before] = std::max(tails[before], tails[index]);
    });
  }
  return tails;
}

/// Of each set of eight items in a row, the longest tail.
using Longest = std::vector<std::array<int64_t, 256>>;

/// The search asks at each of its steps.
static Longest longestOf(llvm::ArrayRef<int64_t> tails) {
  Longest longest(llvm::divideCeil(tails.size(), 8));
  for (auto [index, tail] : llvm::enumerate(tails)) {
    std::array<int64_t, 256> &sets = longest[index / 8];
    auto last = unsigned(bit(index % 8));
    for (unsigned others = 0; others < last; ++others)
      sets[last + others] = std::max(sets[others], tail);
  }
  return longest;
}

namespace {
class Search {
public:
  Search(const Part &part, const SearchOptions &options)
      : part(part), options(options), ways(longestOf(tailsOf(part))) {
    if (options.kind != SearchOptions::Layers)
      setUpper();
  }

  SearchResult run();

private:
  struct State {
    int64_t peak;
    Mask from;
    Choice choice;
    bool closed = false;
  };
  /// What most steps of the search want to know, without the rest.
  struct Reached {
    int64_t time;
    size_t state;
  };
  /// What comes first, least first. Of equal times, fewer launches: so each
  /// state has all ways into it before it is closed.
  using Key = std::tuple<int64_t, int64_t, Mask>;

  Key keyOf(Mask ideal, int64_t time) const;
  int64_t wayFrom(Mask ideal) const;
  int64_t rest(Mask ideal) const;
  bool mayClose(Mask ideal);
  void setUpper();
  int64_t slowestTo(Mask next, int64_t time) const;
  bool expand(Mask ideal);
  void reach(Mask ideal, Mask next, int64_t time, int64_t peak, Choice choice);
  PartSolution solution();

  const Part &part;
  const SearchOptions &options;
  Longest ways;
  int64_t upper = INT64_MAX; ///< a time that is known to do
  State &stateOf(Mask ideal) {
    return states[reached.find(ideal)->second.state];
  }

  llvm::DenseMap<Mask, Reached> reached;
  std::vector<State> states;
  std::priority_queue<Key, std::vector<Key>, std::greater<Key>> open;
  int layer = -1;
  size_t inLayer = 0;
  SearchResult result;
};
} // namespace

/// The longest way through launches outside of the ideal.
int64_t Search::wayFrom(Mask ideal) const {
  int64_t longest = 0;
  Mask left = part.all() & ~ideal;
  for (size_t group = 0; left; left >>= 8, ++group)
    longest = std::max(longest, ways[group][left & 255]);
  return longest;
}

/// No more than what the launches outside of the ideal take: the longest way
/// through them, and their work by all threads.
int64_t Search::rest(Mask ideal) const {
  int64_t work = part.leastArea(part.all() & ~ideal);
  return std::max(wayFrom(ideal), work / int64_t(part.problem().threads));
}

Search::Key Search::keyOf(Mask ideal, int64_t time) const {
  int64_t count = llvm::popcount(ideal);
  if (options.kind == SearchOptions::Layers)
    return {count, 0, ideal};
  int64_t bound = time + rest(ideal);
  return options.kind == SearchOptions::Best ? Key(bound, count, ideal)
                                             : Key(count, bound, ideal);
}

/// Keeps the first ones of each layer only, for a beam.
bool Search::mayClose(Mask ideal) {
  if (options.kind != SearchOptions::Beam)
    return true;
  if (llvm::popcount(ideal) != layer)
    inLayer = 0;
  layer = llvm::popcount(ideal);
  return ++inLayer <= options.beam;
}

/// Simple ways to the end: nothing slower is looked at.
void Search::setUpper() {
  std::vector<unsigned> order(part.size());
  std::iota(order.begin(), order.end(), 0);
  for (const std::optional<PartSolution> &simple :
       {inOrder(part, order), listSchedule(part)})
    if (simple)
      upper = std::min(upper, simple->time);
}

/// What a stage to an ideal may take that begins at that time; less than
/// nothing if none is of use.
int64_t Search::slowestTo(Mask next, int64_t time) const {
  int64_t slowest = INT64_MAX;
  if (upper != INT64_MAX)
    slowest = upper - time - rest(next);
  if (slowest < 0)
    return slowest;
  auto known = reached.find(next);
  return known == reached.end() ? slowest
                                : std::min(slowest, known->second.time - time);
}

void Search::reach(Mask ideal, Mask next, int64_t time, int64_t peak,
                   Choice choice) {
  auto [found, isNew] = reached.try_emplace(next, Reached{time, states.size()});
  Reached &known = found->second;
  if (!isNew &&
      std::pair(known.time, states[known.state].peak) <= std::pair(time, peak))
    return;
  bool isFaster = isNew || time < known.time;
  known.time = time;
  if (isNew)
    states.emplace_back();
  states[known.state] = {peak, ideal, std::move(choice)};
  if (isFaster)
    open.push(keyOf(next, time));
}

bool Search::expand(Mask ideal) {
  int64_t time = reached.find(ideal)->second.time;
  int64_t peak = stateOf(ideal).peak;
  auto add = [&](llvm::ArrayRef<Mask> components,
                 llvm::ArrayRef<unsigned> units) {
    Mask next = ideal;
    for (Mask component : components)
      next |= component;
    int64_t slowest = slowestTo(next, time);
    if (slowest < 0)
      return;
    Choice choice = cheapest(part, ideal, components, slowest, units);
    if (!choice.exists())
      return;
    int64_t total = time + choice.time, most = std::max(peak, choice.peak);
    reach(ideal, next, total, most, std::move(choice));
  };
  return forStages(part, ideal, options.limits, result.transitions,
                   options.transitions, add);
}

PartSolution Search::solution() {
  PartSolution solution{
      {}, reached.find(part.all())->second.time, stateOf(part.all()).peak};
  for (Mask ideal = part.all(); ideal;) {
    const State &state = stateOf(ideal);
    solution.stages.push_back(stageOf(part, state.choice));
    ideal = state.from;
  }
  std::reverse(solution.stages.begin(), solution.stages.end());
  return solution;
}

SearchResult Search::run() {
  reach(0, 0, 0, 0, {});
  while (!open.empty()) {
    Mask ideal = std::get<2>(open.top());
    open.pop();
    if (stateOf(ideal).closed || !mayClose(ideal))
      continue;
    stateOf(ideal).closed = true;
    ++result.states;
    if (ideal == part.all()) {
      result.solution = solution();
      break;
    }
    if (int64_t(states.size()) > options.states || !expand(ideal)) {
      result.complete = false;
      break;
    }
  }
  return std::move(result);
}

SearchResult sched::search(const Part &part, const SearchOptions &options) {
  return Search(part, options).run();
}
