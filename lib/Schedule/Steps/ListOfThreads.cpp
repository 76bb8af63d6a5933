//===- ListOfThreads.cpp - launches on threads, by a list -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Schedule/Steps/Chains.h"
#include "lib/Schedule/Steps/Simulate.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace tenon;
using namespace tenon::sched;

namespace {
class ThreadList {
public:
  ThreadList(const Problem &problem, int64_t price)
      : problem(problem), price(price), after(problem.launches.size()),
        missing(problem.launches.size(), 0), ready(problem.launches.size(), 0),
        tails(problem.launches.size(), 0), free(problem.threads, 0) {
    for (auto [one, other] : edgesOf(problem)) {
      after[one].push_back(other);
      ++missing[other];
    }
    for (unsigned launch = unsigned(tails.size()); launch-- > 0;) {
      for (unsigned next : after[launch])
        tails[launch] = std::max(tails[launch], tails[next]);
      tails[launch] += problem.timeOf(launch, problem.threads);
      if (missing[launch] == 0)
        open.push_back(launch);
    }
  }

  Steps run() {
    while (!open.empty()) {
      auto next = choose();
      unsigned launch = *next;
      open.erase(next);
      put(launch);
    }
    return std::move(steps);
  }

private:
  /// Not all places are tried for many threads.
  bool isMany() const { return problem.threads > 64; }

  struct Place {
    unsigned first, threads;
    int64_t end, score;
  };

  std::vector<unsigned>::iterator choose() {
    int64_t now = *llvm::min_element(free), first = INT64_MAX;
    for (unsigned launch : open)
      first = std::min(first, ready[launch]);
    now = std::max(now, first);
    return std::min_element(
        open.begin(), open.end(), [&](unsigned a, unsigned b) {
          auto key = [&](unsigned launch) {
            return std::tuple(ready[launch] > now, -tails[launch], launch);
          };
          return key(a) < key(b);
        });
  }

  void put(unsigned launch) {
    Place best{0, 1, 0, INT64_MAX};
    int64_t fastest = INT64_MAX;
    for (unsigned threads = 1; threads <= problem.threads; ++threads) {
      int64_t time = problem.timeOf(launch, threads);
      if (time >= fastest || (isMany() && !llvm::isPowerOf2_32(threads)))
        continue;
      fastest = time;
      tryPlaces(launch, threads, time, best);
    }
    for (unsigned thread = 0; thread < best.threads; ++thread)
      free[best.first + thread] = best.end;
    steps.push_back({{launch}, {}, best.first, best.threads});
    for (unsigned next : after[launch]) {
      ready[next] = std::max(ready[next], best.end + travelTime);
      if (--missing[next] == 0)
        open.push_back(next);
    }
  }

  /// All first threads for that many, at the price of what they take and wait.
  void tryPlaces(unsigned launch, unsigned threads, int64_t time,
                 Place &best) const {
    unsigned stride = isMany() ? threads : 1;
    for (unsigned first = 0; first + threads <= free.size(); first += stride) {
      llvm::ArrayRef<int64_t> taken =
          llvm::ArrayRef(free).slice(first, threads);
      int64_t begin = std::max(ready[launch], *llvm::max_element(taken));
      __int128 area = __int128(time) * threads;
      for (int64_t moment : taken)
        area += begin - moment;
      int64_t score =
          begin + time + int64_t(price * area / (1000 * problem.threads));
      if (score < best.score)
        best = {first, threads, begin + time, score};
    }
  }

  const Problem &problem;
  int64_t price;
  std::vector<std::vector<unsigned>> after;
  std::vector<unsigned> missing, open;
  std::vector<int64_t> ready, tails, free;
  Steps steps;
};
} // namespace

Steps sched::listOfThreads(const Problem &problem, int64_t price) {
  return ThreadList(problem, price).run();
}
