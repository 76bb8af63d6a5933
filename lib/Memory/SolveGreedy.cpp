//===- SolveGreedy.cpp - one buffer after the other -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Memory/Solve.h"

#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <numeric>

using namespace tenon::mem;

/// Larger key first; ties in the problem's order.
static __int128 sortKey(const Buffer &buffer, Order order) {
  __int128 size = buffer.size, life = buffer.upper - buffer.lower;
  switch (order) {
  case Order::BySize:
    return size;
  case Order::ByArea:
    return size * life;
  case Order::ByLifetime:
    return life;
  case Order::ByTime:
    return -__int128(buffer.lower);
  }
  return 0;
}

static std::vector<size_t> placementOrder(const Problem &problem, Order order) {
  std::vector<size_t> indices(problem.buffers.size());
  std::iota(indices.begin(), indices.end(), 0);
  std::stable_sort(indices.begin(), indices.end(), [&](size_t a, size_t b) {
    const Buffer &x = problem.buffers[a], &y = problem.buffers[b];
    __int128 kx = sortKey(x, order), ky = sortKey(y, order);
    return kx != ky ? kx > ky : x.size > y.size;
  });
  return indices;
}

namespace {
struct Interval {
  int64_t begin, end;
};
} // namespace

/// What placed buffers cover while `buffer` lives, sorted by offset.
static std::vector<Interval> covered(const Problem &problem,
                                     const Solution &solution,
                                     const std::vector<size_t> &placed,
                                     const Buffer &buffer) {
  std::vector<Interval> result;
  for (size_t i : placed) {
    const Buffer &other = problem.buffers[i];
    if (other.size && other.lower < buffer.upper && buffer.lower < other.upper)
      result.push_back({solution.offsets[i], solution.offsets[i] + other.size});
  }
  std::sort(result.begin(), result.end(),
            [](Interval a, Interval b) { return a.begin < b.begin; });
  return result;
}

static int64_t chooseOffset(const std::vector<Interval> &taken,
                            const Buffer &buffer, Fit fit) {
  int64_t cursor = 0, best = -1, bestGap = 0;
  for (Interval interval : taken) {
    int64_t gap = interval.begin - cursor;
    if (gap >= buffer.size && (best < 0 || gap < bestGap)) {
      best = cursor;
      bestGap = gap;
      if (fit == Fit::First)
        return best;
    }
    int64_t end = llvm::alignTo(interval.end, buffer.alignment);
    cursor = std::max(cursor, end);
  }
  return best < 0 ? cursor : best;
}

Solution tenon::mem::solveGreedy(const Problem &problem, Order order, Fit fit) {
  Solution solution;
  solution.offsets.assign(problem.buffers.size(), 0);
  std::vector<size_t> placed;
  for (size_t i : placementOrder(problem, order)) {
    const Buffer &buffer = problem.buffers[i];
    int64_t offset =
        chooseOffset(covered(problem, solution, placed, buffer), buffer, fit);
    solution.offsets[i] = offset;
    solution.arenaBytes = std::max(solution.arenaBytes, offset + buffer.size);
    placed.push_back(i);
  }
  return solution;
}

Solution tenon::mem::solvePortfolio(const Problem &problem) {
  int64_t bound = problem.lowerBound();
  Solution best;
  bool first = true;
  for (Order order :
       {Order::BySize, Order::ByArea, Order::ByLifetime, Order::ByTime})
    for (Fit fit : {Fit::First, Fit::Best}) {
      Solution solution = solveGreedy(problem, order, fit);
      if (first || solution.arenaBytes < best.arenaBytes)
        best = std::move(solution);
      first = false;
      if (best.arenaBytes == bound)
        return best;
    }
  return best;
}
