//===- Simulate.cpp - when steps begin and end ----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Schedule/Steps/Simulate.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include <queue>

using namespace tenon;
using namespace tenon::sched;

static bool isOnSameThread(const Step &one, const Step &other) {
  return one.first == other.first && one.threads == 1 && other.threads == 1;
}

static Timing simulateThreads(llvm::ArrayRef<Step> steps,
                              llvm::ArrayRef<StepCost> costs) {
  Timing timing;
  std::vector<int64_t> free;
  for (auto [step, cost] : llvm::zip_equal(steps, costs)) {
    if (free.size() < step.first + step.threads)
      free.resize(step.first + step.threads, 0);
    int64_t ready = 0;
    for (unsigned wait : step.waits)
      ready = std::max(
          ready, timing.ends[wait] +
                     (isOnSameThread(steps[wait], step) ? 0 : travelTime));
    int64_t begin = INT64_MAX, end = 0;
    for (int64_t &thread :
         llvm::MutableArrayRef(free).slice(step.first, step.threads)) {
      int64_t start = std::max(ready, thread);
      begin = std::min(begin, start);
      thread = start + cost.time;
      end = std::max(end, thread);
    }
    timing.begins.push_back(begin);
    timing.ends.push_back(end);
    timing.time = std::max(timing.time, end);
  }
  return timing;
}

namespace {
/// Steps of streams that share a GPU. Moments are counted in pieces of a
/// nanosecond, as rates are no integers.
class Fluid {
public:
  Fluid(const Problem &problem, llvm::ArrayRef<Step> steps,
        llvm::ArrayRef<StepCost> costs)
      : problem(problem), steps(steps), costs(costs), after(steps.size()),
        missing(steps.size(), 0), hops(steps.size(), false) {
    llvm::DenseMap<unsigned, unsigned> last;
    for (auto [number, step] : llvm::enumerate(steps)) {
      for (unsigned wait : step.waits) {
        addEdge(wait, unsigned(number));
        hops[number] = hops[number] || steps[wait].first != step.first;
      }
      auto [found, isFirst] = last.try_emplace(step.first, unsigned(number));
      if (!isFirst)
        addEdge(found->second, unsigned(number));
      found->second = unsigned(number);
    }
    timing.begins.resize(steps.size());
    timing.ends.resize(steps.size());
  }

  Timing run() {
    for (unsigned step = 0; step < steps.size(); ++step)
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
  using Wide = __int128;
  static constexpr int64_t pieces = 1024;
  struct Running {
    unsigned step;
    int64_t left, part;
  };

  static int64_t nanoseconds(int64_t moment) {
    return (moment + pieces / 2) / pieces;
  }

  void addEdge(unsigned before, unsigned step) {
    after[before].push_back(step);
    ++missing[step];
  }

  void begin() {
    while (!starts.empty() && starts.top().first <= now) {
      unsigned step = starts.top().second;
      starts.pop();
      timing.begins[step] = nanoseconds(now);
      running.push_back({step, costs[step].time * pieces, costs[step].part});
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
    int64_t passed =
        int64_t((Wide(least) * load + wholeDevice - 1) / wholeDevice);
    if (!starts.empty())
      passed = std::min(passed, starts.top().first - now);
    now += passed;
    int64_t done = int64_t(Wide(passed) * wholeDevice / load);
    std::vector<Running> still;
    for (Running &one : running) {
      one.left -= done;
      if (one.left > 0)
        still.push_back(one);
      else
        end(one.step);
    }
    running = std::move(still);
  }

  void end(unsigned step) {
    timing.ends[step] = nanoseconds(now);
    for (unsigned next : after[step])
      if (--missing[next] == 0)
        starts.push({now + (hops[next] ? *problem.hop * pieces : 0), next});
  }

  const Problem &problem;
  llvm::ArrayRef<Step> steps;
  llvm::ArrayRef<StepCost> costs;
  std::vector<std::vector<unsigned>> after;
  std::vector<unsigned> missing;
  std::vector<bool> hops;
  using Start = std::pair<int64_t, unsigned>;
  std::priority_queue<Start, std::vector<Start>, std::greater<Start>> starts;
  std::vector<Running> running;
  int64_t now = 0;
  Timing timing;
};
} // namespace

Timing sched::simulate(const Problem &problem, llvm::ArrayRef<Step> steps,
                       llvm::ArrayRef<StepCost> costs) {
  return problem.isGpu() ? Fluid(problem, steps, costs).run()
                         : simulateThreads(steps, costs);
}

Timing sched::simulate(const Problem &problem, llvm::ArrayRef<Step> steps) {
  std::vector<StepCost> costs;
  for (const Step &step : steps)
    costs.push_back(costOf(problem, step));
  return simulate(problem, steps, costs);
}
