//===- Streams.cpp - spread a program over streams ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Memory/Streams/Streams.h"

#include "llvm/ADT/STLExtras.h"
#include <set>
#include <tuple>

using namespace tenon::mem;

namespace {
class Scheduler {
public:
  Scheduler(const Program &program, unsigned count)
      : program(program), count(count), before(dependences(program)),
        after(before.size()), urgency(before.size(), 0),
        possible(before.size(), 0), finish(before.size(), 0),
        streamOf(before.size(), 0), sorted(*topologicalOrder(program)),
        free(count, 0), last(count) {
    for (unsigned n = 0; n < before.size(); ++n)
      for (unsigned earlier : before[n])
        after[earlier].push_back(n);
  }

  Program run() {
    rank();
    place();
    return rebuild();
  }

private:
  const Program &program;
  unsigned count;
  std::vector<std::vector<unsigned>> before, after;
  std::vector<int64_t> urgency, possible, finish;
  std::vector<unsigned> streamOf, sorted, order;
  std::vector<int64_t> free; ///< when each stream is
  std::vector<std::optional<unsigned>> last;

  /// The longest way from each node to the end.
  void rank() {
    for (unsigned n : llvm::reverse(sorted)) {
      for (unsigned next : after[n])
        urgency[n] = std::max(urgency[n], urgency[next]);
      urgency[n] += program.nodes[n].cost;
    }
  }

  void place() {
    std::vector<size_t> missing, placeOf(sorted.size());
    std::set<size_t> ready; // places in the given order
    for (size_t at = 0; at < sorted.size(); ++at)
      placeOf[sorted[at]] = at;
    for (unsigned n = 0; n < before.size(); ++n) {
      missing.push_back(before[n].size());
      if (before[n].empty())
        ready.insert(placeOf[n]);
    }
    while (!ready.empty()) {
      size_t at = choose(ready);
      ready.erase(at);
      launch(sorted[at]);
      for (unsigned next : after[sorted[at]]) {
        possible[next] = std::max(possible[next], finish[sorted[at]]);
        if (!--missing[next])
          ready.insert(placeOf[next]);
      }
    }
  }

  /// The node that can start first, then the most urgent one. Only nodes near
  /// the first that is ready are looked at: one that nothing urgent waits for
  /// would else be put off to the end, and keep all that it reads alive.
  size_t choose(const std::set<size_t> &ready) const {
    int64_t now = *llvm::min_element(free);
    auto key = [&](size_t at) {
      unsigned n = sorted[at];
      return std::tuple(std::max(now, possible[n]), -urgency[n], at);
    };
    size_t best = *ready.begin(), end = best + 4 * size_t(count);
    for (size_t at : ready) {
      if (at > end)
        break;
      if (key(at) < key(best))
        best = at;
    }
    return best;
  }

  void launch(unsigned n) {
    unsigned best = 0;
    for (unsigned s = 1; s < count; ++s)
      if (better(n, s, best, possible[n]))
        best = s;
    order.push_back(n);
    streamOf[n] = best;
    finish[n] = std::max(possible[n], free[best]) + program.nodes[n].cost;
    free[best] = finish[n];
    last[best] = n;
  }

  /// The earlier start; then the stream whose last node it waits for anyway,
  /// which saves an event; then the one that idles least.
  bool better(unsigned n, unsigned s, unsigned than, int64_t earliest) const {
    int64_t mine = std::max(earliest, free[s]);
    int64_t other = std::max(earliest, free[than]);
    if (mine != other)
      return mine < other;
    bool follows = last[s] && llvm::is_contained(before[n], *last[s]);
    bool otherFollows =
        last[than] && llvm::is_contained(before[n], *last[than]);
    if (follows != otherFollows)
      return follows;
    return free[s] > free[than];
  }

  Program rebuild() {
    Program result = program;
    result.streams = count;
    result.nodes.clear();
    std::vector<unsigned> placeOf(order.size());
    for (unsigned n : order) {
      placeOf[n] = unsigned(result.nodes.size());
      result.nodes.push_back(program.nodes[n]);
      result.nodes.back().stream = streamOf[n];
    }
    for (Tensor &tensor : result.tensors) {
      if (tensor.producer)
        tensor.producer = placeOf[*tensor.producer];
      for (unsigned &consumer : tensor.consumers)
        consumer = placeOf[consumer];
      llvm::sort(tensor.consumers);
    }
    addEvents(result, placeOf);
    return result;
  }

  /// Walks in launch order with the clock of each node at hand: a dependence
  /// that the clock knows needs no event. Of several, the one that was
  /// launched last may imply the others, never the other way round.
  void addEvents(Program &result, const std::vector<unsigned> &placeOf) const {
    std::vector<uint32_t> clocks(order.size() * count, 0);
    std::vector<uint32_t> index, length(count, 0);
    std::vector<std::optional<unsigned>> previous = result.streamPredecessors();
    result.events.clear();
    for (unsigned at = 0; at < order.size(); ++at) {
      index.push_back(length[result.nodes[at].stream]++);
      uint32_t *mine = &clocks[size_t(at) * count];
      auto learn = [&](unsigned from) {
        for (unsigned s = 0; s < count; ++s)
          mine[s] = std::max(mine[s], clocks[size_t(from) * count + s]);
        uint32_t &counter = mine[result.nodes[from].stream];
        counter = std::max(counter, index[from] + 1);
      };
      if (previous[at])
        learn(*previous[at]);
      std::vector<unsigned> waits;
      for (unsigned earlier : before[order[at]])
        waits.push_back(placeOf[earlier]);
      llvm::sort(waits, std::greater<>());
      for (unsigned from : waits) {
        if (mine[result.nodes[from].stream] > index[from])
          continue;
        result.events.push_back({from, at});
        learn(from);
      }
    }
  }
};
} // namespace

llvm::Expected<Program> tenon::mem::assignStreams(const Program &program,
                                                  unsigned count) {
  if (llvm::Error error = program.check())
    return error;
  if (count < 1 || count > 1024)
    return llvm::createStringError("a program has 1 to 1024 streams");
  Program result = Scheduler(program, count).run();
  if (llvm::Error error = result.check())
    return error;
  return result;
}

int64_t tenon::mem::makespan(const Program &program) {
  std::vector<int64_t> finish(program.nodes.size(), 0);
  std::vector<std::vector<unsigned>> waits(program.nodes.size());
  for (const Event &event : program.events)
    waits[event.before].push_back(event.after);
  auto previous = program.streamPredecessors();
  std::vector<unsigned> order = *topologicalOrder(program);
  int64_t most = 0;
  for (unsigned n : order) {
    if (previous[n])
      finish[n] = finish[*previous[n]];
    for (unsigned earlier : waits[n])
      finish[n] = std::max(finish[n], finish[earlier]);
    finish[n] += program.nodes[n].cost;
    most = std::max(most, finish[n]);
  }
  return most;
}
