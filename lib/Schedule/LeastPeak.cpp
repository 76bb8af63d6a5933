//===- LeastPeak.cpp - the order with the least peak ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Schedule/LeastPeak.h"
#include "lib/Support/SortUnique.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseMap.h"
#include <queue>

using namespace tenon;
using namespace tenon::sched;

namespace {
class LeastPeak {
public:
  LeastPeak(const Problem &problem, Items given, int64_t most)
      : problem(problem), items(std::move(given)), most(most),
        itemOf(problem.launches.size()), placeOf(problem.launches.size()),
        usesOf(problem.launches.size()), overwrites(problem.launches.size()) {
    for (auto [item, launches] : llvm::enumerate(items.launches))
      for (auto [place, launch] : llvm::enumerate(launches)) {
        itemOf[launch] = unsigned(item);
        placeOf[launch] = unsigned(place);
      }
    for (auto [number, tensor] : llvm::enumerate(problem.tensors)) {
      std::vector<unsigned> users = tensor.writers;
      llvm::append_range(users, tensor.readers);
      sortUnique(users);
      for (unsigned launch : users)
        usesOf[launch].push_back(unsigned(number));
      usersOf.push_back(std::move(users));
    }
    for (auto [launch, tensor] : problem.inPlace)
      overwrites[launch].push_back(tensor);
    after.resize(items.launches.size());
    for (auto [item, before] : llvm::enumerate(items.before))
      for (unsigned first : before)
        after[first].push_back(unsigned(item));
  }

  std::optional<LaunchOrder> run();

private:
  /// Where an order is: items that are done, and launches of one more.
  struct Moment {
    const llvm::BitVector &done;
    unsigned item, place;
  };
  struct Step {
    int64_t most, change; ///< bytes above what is live before it
  };
  struct State {
    llvm::BitVector done, ready; ///< ready: not done, but all before it is
    int64_t live = 0, peak = 0;
    int parent = -1;
    std::vector<unsigned> steps = {}; ///< items since the parent
  };
  /// Peak, -items, number of the state.
  using Key = std::tuple<int64_t, int, int>;

  bool isDone(const Moment &moment, unsigned launch) const {
    return moment.done.test(itemOf[launch]) ||
           (itemOf[launch] == moment.item && placeOf[launch] < moment.place);
  }
  bool isBegun(const Moment &moment, unsigned tensor) const;
  bool isLastUse(const Moment &moment, unsigned tensor, unsigned launch) const;
  int64_t begun(const Moment &moment, unsigned launch) const;
  Step step(const llvm::BitVector &done, unsigned item) const;
  bool isReady(const llvm::BitVector &done, unsigned item) const;
  void take(State &state, unsigned item, const Step &step) const;
  void takeFree(State &state) const;
  void expand(int number);
  void add(State state);
  LaunchOrder orderOf(int number) const;

  const Problem &problem;
  Items items;
  int64_t most;
  std::vector<unsigned> itemOf, placeOf;
  std::vector<std::vector<unsigned>> usesOf, usersOf, overwrites;
  std::vector<std::vector<unsigned>> after; ///< of each item
  std::vector<State> states;
  llvm::DenseMap<llvm::BitVector, int64_t> best; ///< peaks
  std::priority_queue<Key, std::vector<Key>, std::greater<Key>> open;
};
} // namespace

bool LeastPeak::isBegun(const Moment &moment, unsigned tensor) const {
  const std::vector<unsigned> &writers = problem.tensors[tensor].writers;
  return writers.empty() || llvm::any_of(writers, [&](unsigned writer) {
           return isDone(moment, writer);
         });
}

bool LeastPeak::isLastUse(const Moment &moment, unsigned tensor,
                          unsigned launch) const {
  return !problem.tensors[tensor].output &&
         llvm::all_of(usersOf[tensor], [&](unsigned user) {
           return user == launch || isDone(moment, user);
         });
}

/// Bytes that a launch begins, less what its first result shares with an
/// operand.
int64_t LeastPeak::begun(const Moment &moment, unsigned launch) const {
  int64_t bytes = 0, saved = 0;
  std::optional<int64_t> first;
  for (unsigned tensor : usesOf[launch])
    if (!isBegun(moment, tensor)) {
      bytes += problem.tensors[tensor].bytes;
      first = first.value_or(problem.tensors[tensor].bytes);
    }
  for (unsigned operand : overwrites[launch])
    if (isLastUse(moment, operand, launch))
      saved = std::max(
          saved, std::min(first.value_or(0), problem.tensors[operand].bytes));
  return bytes - saved;
}

LeastPeak::Step LeastPeak::step(const llvm::BitVector &done,
                                unsigned item) const {
  Step result{0, 0};
  Moment moment{done, item, 0};
  for (unsigned launch : items.launches[item]) {
    result.most = std::max(result.most, result.change + begun(moment, launch));
    for (unsigned tensor : usesOf[launch]) {
      int64_t bytes = problem.tensors[tensor].bytes;
      result.change += isBegun(moment, tensor) ? 0 : bytes;
      result.change -= isLastUse(moment, tensor, launch) ? bytes : 0;
    }
    ++moment.place;
  }
  return result;
}

bool LeastPeak::isReady(const llvm::BitVector &done, unsigned item) const {
  return llvm::all_of(items.before[item],
                      [&](unsigned before) { return done.test(before); });
}

void LeastPeak::take(State &state, unsigned item, const Step &step) const {
  state.peak = std::max(state.peak, state.live + step.most);
  state.live += step.change;
  state.done.set(item);
  state.ready.reset(item);
  for (unsigned next : after[item])
    if (isReady(state.done, next))
      state.ready.set(next);
  state.steps.push_back(item);
}

/// What raises neither the peak nor what is live afterwards.
void LeastPeak::takeFree(State &state) const {
  for (bool again = true; again;) {
    again = false;
    for (unsigned item : state.ready.set_bits()) {
      Step next = step(state.done, item);
      if (next.change > 0 || state.live + next.most > state.peak)
        continue;
      take(state, item, next);
      again = true;
    }
  }
}

void LeastPeak::add(State state) {
  takeFree(state);
  auto [found, isNew] = best.try_emplace(state.done, state.peak);
  if (!isNew && found->second <= state.peak)
    return;
  found->second = state.peak;
  open.push({state.peak, -int(state.done.count()), int(states.size())});
  states.push_back(std::move(state));
}

void LeastPeak::expand(int number) {
  llvm::BitVector ready = states[number].ready; // states move
  for (unsigned item : ready.set_bits()) {
    State next = states[number];
    next.parent = number;
    next.steps.clear();
    take(next, item, step(next.done, item));
    add(std::move(next));
  }
}

LaunchOrder LeastPeak::orderOf(int number) const {
  LaunchOrder order{{}, states[number].peak};
  std::vector<int> way;
  for (int at = number; at >= 0; at = states[at].parent)
    way.push_back(at);
  for (int at : llvm::reverse(way))
    for (unsigned item : states[at].steps)
      llvm::append_range(order.launches, items.launches[item]);
  return order;
}

std::optional<LaunchOrder> LeastPeak::run() {
  llvm::BitVector none(items.launches.size());
  State first{none, none};
  for (unsigned item = 0; item < items.launches.size(); ++item)
    if (isReady(none, item))
      first.ready.set(item);
  for (const Tensor &tensor : problem.tensors)
    first.live += tensor.writers.empty() ? tensor.bytes : 0;
  first.peak = first.live;
  add(std::move(first));
  while (!open.empty() && int64_t(states.size()) <= most) {
    auto [peak, count, number] = open.top();
    open.pop();
    if (best[states[number].done] < peak)
      continue;
    if (states[number].done.all())
      return orderOf(number);
    expand(number);
  }
  return std::nullopt;
}

std::optional<LaunchOrder> sched::leastPeakOrder(const Problem &problem,
                                                 const Predecessors &before,
                                                 int64_t states) {
  // A state has a bit for each launch, and looks at each.
  constexpr int64_t mostBits = 20'000'000;
  int64_t size = std::max<int64_t>(problem.launches.size(), 1);
  return LeastPeak(problem, joinedItems(problem, before, /*chains=*/false),
                   std::min(states, mostBits / size))
      .run();
}
