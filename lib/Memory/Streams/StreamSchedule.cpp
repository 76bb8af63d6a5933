//===- StreamSchedule.cpp - when and where nodes run ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Memory/Streams/StreamSchedule.h"
#include "lib/Memory/Streams/LiveBytes.h"

#include "llvm/ADT/STLExtras.h"
#include <limits>
#include <set>
#include <tuple>

using namespace tenon::mem;

int64_t Occupancy::fit(unsigned node, int64_t start, int64_t cost) const {
  for (int64_t width = widthOf(node); width;) {
    int64_t taken = width, next = std::numeric_limits<int64_t>::max();
    for (const Run &run : runs) {
      if (run.finish <= start || run.start >= start + cost)
        continue;
      taken += run.width;
      next = std::min(next, run.finish);
    }
    if (taken <= resources.capacity)
      break;
    start = next;
  }
  return start;
}

void Occupancy::add(unsigned node, int64_t start, int64_t cost) {
  if (int64_t width = widthOf(node))
    runs.push_back({start, start + cost, width});
}

namespace {
class Scheduler {
public:
  Scheduler(const Program &program,
            const std::vector<std::vector<unsigned>> &before,
            const ScheduleStyle &style)
      : program(program), style(style), sorted(*topologicalOrder(program)),
        after(before.size()), missing(before.size(), 0),
        placeOf(before.size(), 0), urgency(before.size(), 0),
        possible(before.size(), 0), start(before.size(), 0),
        finish(before.size(), 0), late(before.size(), false), bytes(program),
        limit(LiveBytes::peakOf(program, sorted)),
        occupancy(this->style.resources), free(style.streams, 0),
        launched(style.streams) {
    result.streamOf.resize(before.size(), 0);
    result.waits = before;
    for (size_t at = 0; at < sorted.size(); ++at)
      placeOf[sorted[at]] = at;
    for (unsigned n = 0; n < before.size(); ++n)
      for (unsigned earlier : before[n])
        after[earlier].push_back(n);
    rank();
  }

  Schedule run() {
    for (unsigned n = 0; n < late.size(); ++n)
      late[n] = style.sources != Sources::Early && result.waits[n].empty() &&
                !after[n].empty();
    for (unsigned n = 0; n < late.size(); ++n)
      missing[n] = llvm::count_if(result.waits[n],
                                  [&](unsigned other) { return !late[other]; });
    for (unsigned n = 0; n < late.size(); ++n)
      if (!late[n] && !missing[n])
        release(n, 0);
    while (!ready.empty()) {
      unsigned n = sorted[choose()];
      ready.erase(placeOf[n]);
      launch(n);
    }
    for (int64_t end : finish)
      result.makespan = std::max(result.makespan, end);
    return std::move(result);
  }

private:
  const Program &program;
  ScheduleStyle style;
  std::vector<unsigned> sorted; // the given order
  std::vector<std::vector<unsigned>> after;
  std::vector<size_t> missing, placeOf; // place in the given order
  std::vector<int64_t> urgency, possible, start, finish;
  std::vector<bool> late; // sources that wait for their reader, not yet ready
  LiveBytes bytes;
  int64_t limit; // bytes of the given order
  Occupancy occupancy;
  std::vector<int64_t> free;                   // when each stream is
  std::vector<std::vector<unsigned>> launched; // on each stream
  std::set<size_t> ready;                      // places
  Schedule result;

  /// The longest way from each node to the end.
  void rank() {
    for (unsigned n : llvm::reverse(sorted)) {
      for (unsigned next : after[n])
        urgency[n] = std::max(urgency[n], urgency[next]);
      urgency[n] += program.nodes[n].cost;
    }
  }

  /// All that `n` waits for was launched, the last of it at `time`, but for
  /// sources that are late.
  void release(unsigned n, int64_t time) {
    bool complete = true;
    for (unsigned source : result.waits[n]) {
      if (!late[source])
        continue;
      complete &= style.sources == Sources::Glued;
      if (style.sources != Sources::Anchored || ready.count(placeOf[source]))
        continue;
      possible[source] = time;
      ready.insert(placeOf[source]);
    }
    if (complete)
      ready.insert(placeOf[n]);
  }

  /// Only nodes near the first that is ready are looked at: one that nothing
  /// urgent waits for would else be put off to the end, and keep all that it
  /// reads alive.
  size_t choose() const {
    size_t best = *ready.begin(), end = best + 4 * size_t(style.streams);
    int64_t now = *llvm::min_element(free);
    auto least = key(best, now);
    for (size_t at : llvm::drop_begin(ready)) {
      if (at > end)
        break;
      auto other = key(at, now);
      if (other < least)
        std::tie(best, least) = std::pair(at, other);
    }
    return best;
  }

  using Key = std::tuple<bool, int64_t, int64_t, size_t>;
  Key key(size_t at, int64_t now) const {
    unsigned n = sorted[at];
    if (style.sparing && bytes.now() + bytes.taken(n) > limit &&
        bytes.change(n) > 0)
      return {true, 0, 0, at};
    return {false, std::max(now, possible[n]), -urgency[n], at};
  }

  void launch(unsigned n) {
    unsigned stream = streamFor(n);
    for (unsigned source : result.waits[n])
      if (late[source] && style.sources == Sources::Glued)
        put(source, stream);
    put(n, stream);
  }

  void put(unsigned n, unsigned stream) {
    bool wasLate = late[n];
    late[n] = false;
    start[n] = startOn(n, stream);
    finish[n] = start[n] + program.nodes[n].cost;
    occupancy.add(n, start[n], program.nodes[n].cost);
    if (wasLate && style.sources == Sources::Anchored)
      anchor(n, stream);
    free[stream] = finish[n];
    result.order.push_back(n);
    result.streamOf[n] = stream;
    launched[stream].push_back(n);
    bytes.launch(n);
    for (unsigned next : after[n])
      finished(n, next, wasLate);
  }

  void finished(unsigned n, unsigned next, bool wasLate) {
    possible[next] = std::max(possible[next], finish[n]);
    if (!wasLate)
      --missing[next];
    bool waits = !missing[next] && !late[next];
    if (waits && (!wasLate || style.sources == Sources::Anchored))
      release(next, start[n]);
  }

  /// On a stream of its own a source would run as early as it likes. It waits
  /// for the last node that is over by then anyway.
  void anchor(unsigned n, unsigned stream) {
    std::optional<unsigned> best;
    for (unsigned s = 0; s < launched.size(); ++s) {
      auto over =
          llvm::find_if(llvm::reverse(launched[s]), [&](unsigned other) {
            return finish[other] <= start[n];
          });
      if (s != stream && over != launched[s].rend() &&
          (!best || finish[*over] > finish[*best]))
        best = *over;
    }
    if (best)
      result.waits[n].push_back(*best);
  }

  unsigned streamFor(unsigned n) const {
    unsigned best = 0;
    for (unsigned s = 1; s < style.streams; ++s)
      if (better(n, s, best))
        best = s;
    return best;
  }

  /// The earlier start; then the stream whose last node it waits for anyway,
  /// which saves an event; then the one that idles least.
  bool better(unsigned n, unsigned s, unsigned than) const {
    int64_t mine = startOn(n, s), other = startOn(n, than);
    if (mine != other)
      return mine < other;
    bool follows = isAfterLast(n, s), otherFollows = isAfterLast(n, than);
    if (follows != otherFollows)
      return follows;
    return free[s] > free[than];
  }

  int64_t startOn(unsigned n, unsigned s) const {
    int64_t time = std::max(possible[n], free[s]);
    for (unsigned earlier : result.waits[n])
      if (finish[earlier] && result.streamOf[earlier] != s)
        time = std::max(time, finish[earlier] + style.resources.eventCost);
    return occupancy.fit(n, time, program.nodes[n].cost);
  }

  bool isAfterLast(unsigned n, unsigned s) const {
    return !launched[s].empty() &&
           llvm::is_contained(result.waits[n], launched[s].back());
  }
};
} // namespace

Schedule
tenon::mem::scheduleStreams(const Program &program,
                            const std::vector<std::vector<unsigned>> &before,
                            const ScheduleStyle &style) {
  return Scheduler(program, before, style).run();
}
