//===- Simulate.cpp - when steps begin and end ----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Schedule/Steps/Simulate.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include <queue>

using namespace tenon;
using namespace tenon::sched;

static bool isOnSameThread(const Step &one, const Step &other) {
  return one.first == other.first && one.threads == 1 && other.threads == 1;
}

static Timing simulateThreads(const Course &course) {
  Timing timing;
  timing.begins.resize(course.steps.size());
  timing.ends.resize(course.steps.size());
  std::vector<int64_t> free;
  for (unsigned number : course.order) {
    const Step &step = course.steps[number];
    if (free.size() < step.first + step.threads)
      free.resize(step.first + step.threads, 0);
    int64_t ready = 0;
    for (unsigned wait : course.waits[number]) {
      bool here = isOnSameThread(course.steps[wait], step);
      ready = std::max(ready, timing.ends[wait] + (here ? 0 : travelTime));
    }
    int64_t begin = INT64_MAX, end = 0;
    for (int64_t &thread :
         llvm::MutableArrayRef(free).slice(step.first, step.threads)) {
      int64_t start = std::max(ready, thread);
      begin = std::min(begin, start);
      thread = start + course.costs[number].time;
      end = std::max(end, thread);
    }
    timing.begins[number] = begin;
    timing.ends[number] = end;
    timing.time = std::max(timing.time, end);
  }
  return timing;
}

namespace {
/// Steps of streams that share a GPU. Moments are counted in pieces of a
/// nanosecond, as rates are no integers.
class Fluid {
public:
  Fluid(int64_t hop, const Course &course)
      : hop(hop * pieces), course(course), missing(course.steps.size(), 0),
        hops(course.steps.size(), false),
        firstAfter(course.steps.size() + 1, 0) {
    addEdges();
    timing.begins.resize(course.steps.size());
    timing.ends.resize(course.steps.size());
  }

  Timing run() {
    for (unsigned step : course.order)
      if (missing[step] == 0)
        starts.push({0, step});
    while (!running.empty() || !starts.empty()) {
      begin();
      if (running.empty())
        now = starts.top().first;
      else
        advance();
    }
    timing.time = nanoseconds(now);
    return std::move(timing);
  }

private:
  static constexpr int64_t pieces = 64; ///< all times together stay in range
  struct Running {
    unsigned step;
    int64_t left, part;
  };

  static int64_t nanoseconds(int64_t moment) {
    return (moment + pieces / 2) / pieces;
  }

  /// a * b / c, which fits.
  static int64_t scale(int64_t a, int64_t b, int64_t c, bool up) {
    int64_t rest = up ? c - 1 : 0, product = 0;
    if (!__builtin_mul_overflow(a, b, &product) &&
        !__builtin_add_overflow(product, rest, &product))
      return product / c;
    return int64_t((__int128(a) * b + rest) / c);
  }

  /// What waits for what, sorted by what is waited for.
  void addEdges() {
    std::vector<std::pair<unsigned, unsigned>> edges;
    llvm::SmallVector<int64_t> last;
    for (unsigned number : course.order) {
      unsigned stream = course.steps[number].first;
      for (unsigned wait : course.waits[number]) {
        edges.emplace_back(wait, number);
        hops[number] = hops[number] || course.steps[wait].first != stream;
      }
      if (last.size() <= stream)
        last.resize(stream + 1, -1);
      if (last[stream] >= 0)
        edges.emplace_back(unsigned(last[stream]), number);
      last[stream] = number;
    }
    for (auto [before, step] : edges) {
      ++firstAfter[before + 1];
      ++missing[step];
    }
    for (size_t step = 1; step < firstAfter.size(); ++step)
      firstAfter[step] += firstAfter[step - 1];
    after.resize(edges.size());
    std::vector<unsigned> next = firstAfter;
    for (auto [before, step] : edges)
      after[next[before]++] = step;
  }

  void begin() {
    while (!starts.empty() && starts.top().first <= now) {
      unsigned step = starts.top().second;
      starts.pop();
      timing.begins[step] = nanoseconds(now);
      const StepCost &cost = course.costs[step];
      running.push_back({step, cost.time * pieces, cost.part});
    }
  }

  /// To the next end or begin.
  void advance() {
    int64_t load = 0, least = INT64_MAX;
    for (const Running &one : running) {
      load += one.part;
      least = std::min(least, one.left);
    }
    load = std::max(load, wholeDevice);
    int64_t passed = scale(least, load, wholeDevice, /*up=*/true);
    if (!starts.empty())
      passed = std::min(passed, starts.top().first - now);
    now += passed;
    int64_t done = scale(passed, wholeDevice, load, /*up=*/false);
    size_t still = 0;
    for (size_t at = 0; at < running.size(); ++at) {
      Running one = running[at];
      one.left -= done;
      if (one.left > 0)
        running[still++] = one;
      else
        end(one.step);
    }
    running.truncate(still);
  }

  void end(unsigned step) {
    timing.ends[step] = nanoseconds(now);
    for (unsigned at = firstAfter[step]; at < firstAfter[step + 1]; ++at)
      if (--missing[after[at]] == 0)
        starts.push({now + (hops[after[at]] ? hop : 0), after[at]});
  }

  int64_t hop;
  const Course &course;
  std::vector<unsigned> missing;
  std::vector<bool> hops;
  std::vector<unsigned> after, firstAfter; ///< of each step, in a row
  using Start = std::pair<int64_t, unsigned>;
  std::priority_queue<Start, std::vector<Start>, std::greater<Start>> starts;
  llvm::SmallVector<Running> running;
  int64_t now = 0;
  Timing timing;
};
} // namespace

Timing sched::simulate(const Problem &problem, const Course &course) {
  return problem.isGpu() ? Fluid(*problem.hop, course).run()
                         : simulateThreads(course);
}

Timing sched::simulate(const Problem &problem, llvm::ArrayRef<Step> steps) {
  std::vector<StepCost> costs;
  std::vector<unsigned> order;
  std::vector<std::vector<unsigned>> waits;
  for (auto [number, step] : llvm::enumerate(steps)) {
    order.push_back(unsigned(number));
    costs.push_back(costOf(problem, step));
    waits.push_back(step.waits);
  }
  return simulate(problem, {steps, order, waits, costs});
}
