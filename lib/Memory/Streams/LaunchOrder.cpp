//===- LaunchOrder.cpp - orders that keep less alive ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Memory/Streams/LaunchOrder.h"
#include "llvm/ADT/STLExtras.h"

using namespace tenon;
using namespace tenon::mem;

/// Nodes and tensors that are looked at.
static constexpr int64_t mostSteps = 20'000'000;
/// Nodes on each side of a peak that may move.
static constexpr unsigned reach = 40;

namespace {
/// The most bytes that live at once, and at how many nodes they do.
struct Peak {
  int64_t bytes = 0, nodes = 0;
  auto operator<=>(const Peak &) const = default;
};

class OrderSearch {
public:
  explicit OrderSearch(const Program &program);

  std::vector<unsigned> run();

private:
  /// A tensor, by the nodes that use it.
  struct Life {
    int64_t bytes;
    std::vector<unsigned> users;
  };

  std::pair<unsigned, unsigned> spanOf(const Life &life) const;
  /// Bytes that live at each place.
  std::vector<int64_t> profile() const;
  Peak peak() const;
  bool improveAt(unsigned moment);
  bool tryAlone(unsigned first, unsigned last);
  void set(const std::vector<unsigned> &to);
  bool keepIfLower(const std::vector<unsigned> &trial);

  std::vector<unsigned> order, places;
  std::vector<std::vector<unsigned>> needs, users; ///< of each node
  std::vector<Life> lives;
  int64_t steps = 0;
};
} // namespace

OrderSearch::OrderSearch(const Program &program)
    : order(program.nodes.size()), places(order.size()), needs(order.size()),
      users(order.size()) {
  for (unsigned node = 0; node < order.size(); ++node)
    order[node] = places[node] = node;
  auto add = [&](unsigned before, unsigned after) {
    needs[after].push_back(before);
    users[before].push_back(after);
  };
  for (const Event &event : program.events)
    add(event.after, event.before);
  for (auto [number, tensor] : llvm::enumerate(program.tensors)) {
    for (unsigned writer : program.producersOf(unsigned(number)))
      for (unsigned consumer : tensor.consumers)
        if (consumer != writer)
          add(writer, consumer);
    // What lives to either end lives at every peak, or nearly so.
    bool moves = !tensor.input && !tensor.output && !tensor.lifelong;
    if (moves && tensor.size > 0)
      lives.push_back({tensor.size, program.usesOf(unsigned(number))});
  }
}

std::pair<unsigned, unsigned> OrderSearch::spanOf(const Life &life) const {
  auto first = unsigned(places.size()), last = 0u;
  for (unsigned user : life.users) {
    first = std::min(first, places[user]);
    last = std::max(last, places[user]);
  }
  return {first, last};
}

std::vector<int64_t> OrderSearch::profile() const {
  std::vector<int64_t> bytes(order.size() + 1, 0);
  for (const Life &life : lives) {
    auto [first, last] = spanOf(life);
    bytes[first] += life.bytes;
    bytes[last + 1] -= life.bytes;
  }
  for (size_t place = 1; place < bytes.size(); ++place)
    bytes[place] += bytes[place - 1];
  return bytes;
}

Peak OrderSearch::peak() const {
  Peak peak;
  for (int64_t bytes : profile()) {
    if (bytes > peak.bytes)
      peak = {bytes, 0};
    peak.nodes += bytes == peak.bytes;
  }
  return peak;
}

void OrderSearch::set(const std::vector<unsigned> &to) {
  order = to;
  for (auto [place, node] : llvm::enumerate(to))
    places[node] = unsigned(place);
}

bool OrderSearch::keepIfLower(const std::vector<unsigned> &trial) {
  steps += int64_t(order.size() + lives.size());
  Peak before = peak();
  std::vector<unsigned> old = order;
  set(trial);
  if (peak() < before)
    return true;
  set(old);
  return false;
}

/// The node at `last`, and all that it needs of those from `first` on, run
/// before the rest of them.
bool OrderSearch::tryAlone(unsigned first, unsigned last) {
  std::vector<bool> moves(order.size(), false);
  moves[order[last]] = true;
  for (unsigned place = last; place-- > first;)
    moves[order[place]] = llvm::any_of(
        users[order[place]], [&](unsigned user) { return moves[user]; });
  std::vector<unsigned> trial(order);
  std::stable_partition(trial.begin() + first, trial.begin() + last + 1,
                        [&](unsigned node) { return moves[node]; });
  return keepIfLower(trial);
}

/// Lets something behind a moment run before it, or what is there wait.
bool OrderSearch::improveAt(unsigned moment) {
  unsigned end = std::min<size_t>(order.size(), moment + reach);
  unsigned begin = moment - std::min(moment, reach);
  for (unsigned last = moment; last < end; ++last)
    for (unsigned first = moment + 1; first-- > begin;)
      if (tryAlone(first, last))
        return true;
  return false;
}

std::vector<unsigned> OrderSearch::run() {
  std::vector<unsigned> start = order;
  int64_t before = peak().bytes;
  for (bool better = true; better && steps < mostSteps;) {
    std::vector<int64_t> bytes = profile();
    better = improveAt(unsigned(llvm::max_element(bytes) - bytes.begin()));
  }
  return peak().bytes < before ? order : start;
}

std::vector<unsigned> mem::lowerPeak(const Program &program) {
  return OrderSearch(program).run();
}
