//===- ListOfStreams.cpp - launches on streams by a list ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Schedule/Steps/Chains.h"
#include "llvm/ADT/STLExtras.h"
#include <set>
#include <tuple>

using namespace tenon;
using namespace tenon::sched;

namespace {
/// What runs when, each with the part of the device that it takes throughout.
class Occupancy {
public:
  /// The first moment from `start` on with room for a launch all the time.
  int64_t fit(const Launch &launch, int64_t start) const {
    while (true) {
      int64_t taken = launch.part, next = INT64_MAX;
      for (const Run &run : runs) {
        if (run.finish <= start || run.start >= start + launch.times.front())
          continue;
        taken += run.part;
        next = std::min(next, run.finish);
      }
      if (taken <= wholeDevice || next == INT64_MAX)
        return start;
      start = next;
    }
  }

  void add(const Launch &launch, int64_t start) {
    runs.push_back({start, start + launch.times.front(), launch.part});
  }

private:
  struct Run {
    int64_t start, finish, part;
  };
  std::vector<Run> runs;
};

class StreamList {
public:
  StreamList(const Problem &problem, unsigned streams, bool glued)
      : problem(problem), hop(problem.hop.value_or(0) / 2), glued(glued),
        before(problem.launches.size()), after(problem.launches.size()),
        missing(problem.launches.size(), 0), way(problem.launches.size(), 0),
        possible(problem.launches.size(), 0),
        finish(problem.launches.size(), -1),
        streamOf(problem.launches.size(), 0), free(streams, 0),
        last(streams, -1) {
    for (auto [one, other] : edgesOf(problem)) {
      before[other].push_back(one);
      after[one].push_back(other);
    }
    for (size_t launch = way.size(); launch-- > 0;) {
      for (unsigned next : after[launch])
        way[launch] = std::max(way[launch], way[next]);
      way[launch] += problem.launches[launch].times.front();
    }
  }

  Steps run() {
    for (unsigned launch = 0; launch < before.size(); ++launch) {
      missing[launch] = llvm::count_if(
          before[launch], [&](unsigned one) { return !isGlued(one); });
      if (!missing[launch] && !isGlued(launch))
        ready.insert(launch);
    }
    while (!ready.empty()) {
      unsigned launch = choose();
      ready.erase(launch);
      unsigned stream = streamFor(launch);
      for (unsigned source : before[launch])
        if (isGlued(source) && finish[source] < 0)
          put(source, stream);
      put(launch, stream);
    }
    return std::move(steps);
  }

private:
  /// Whether it runs directly before the first that needs it.
  bool isGlued(unsigned launch) const {
    return glued && before[launch].empty() && !after[launch].empty();
  }

  /// Only launches near the first one are looked at: what nothing urgent waits
  /// for would else be put off to the end, and keep what it reads in memory.
  unsigned choose() const {
    unsigned end = *ready.begin() + 4 * unsigned(free.size());
    int64_t now = *llvm::min_element(free);
    auto key = [&](unsigned launch) {
      return std::tuple(std::max(now, possible[launch]), -way[launch], launch);
    };
    unsigned best = *ready.begin();
    for (unsigned launch : ready)
      if (launch <= end && key(launch) < key(best))
        best = launch;
    return best;
  }

  void put(unsigned launch, unsigned stream) {
    int64_t start = startOn(launch, stream);
    finish[launch] = start + problem.launches[launch].times.front();
    occupancy.add(problem.launches[launch], start);
    free[stream] = finish[launch];
    last[stream] = launch;
    streamOf[launch] = stream;
    steps.push_back({{launch}, {}, stream});
    for (unsigned next : after[launch]) {
      possible[next] = std::max(possible[next], finish[launch]);
      if (!isGlued(launch) && --missing[next] == 0)
        ready.insert(next);
    }
  }

  /// The earlier start; then the stream whose last launch it waits for anyway,
  /// then the one that idles least.
  unsigned streamFor(unsigned launch) const {
    auto key = [&](unsigned stream) {
      bool follows =
          last[stream] >= 0 && llvm::is_contained(before[launch], last[stream]);
      return std::tuple(startOn(launch, stream), !follows, -free[stream]);
    };
    unsigned best = 0;
    for (unsigned stream = 1; stream < free.size(); ++stream)
      if (key(stream) < key(best))
        best = stream;
    return best;
  }

  int64_t startOn(unsigned launch, unsigned stream) const {
    int64_t time = std::max(possible[launch], free[stream]);
    for (unsigned one : before[launch])
      if (finish[one] >= 0 && streamOf[one] != stream)
        time = std::max(time, finish[one] + hop);
    return occupancy.fit(problem.launches[launch], time);
  }

  const Problem &problem;
  int64_t hop;
  bool glued;
  std::vector<std::vector<unsigned>> before, after;
  std::vector<unsigned> missing;
  std::vector<int64_t> way, possible, finish;
  std::vector<unsigned> streamOf;
  std::vector<int64_t> free, last; ///< of each stream
  std::set<unsigned> ready;
  Occupancy occupancy;
  Steps steps;
};
} // namespace

Steps sched::listOfStreams(const Problem &problem, unsigned streams,
                           bool glued) {
  return StreamList(problem, streams, glued).run();
}
