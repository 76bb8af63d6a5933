//===- Slices.cpp - how much of a batch runs at once ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Schedule/Slices.h"

#include <algorithm>
#include <cstddef>

using namespace tenon;
using namespace tenon::sched;

namespace {
/// Items that may be a range, and what that takes.
struct Edge {
  unsigned begin, end;
  int64_t images, time, peak;
};

using EdgesByEnd = std::vector<std::vector<Edge>>;

/// All ranges of one way that begin at an item.
class Ranges {
public:
  Ranges(const SliceProblem &problem, const SliceWay &way)
      : problem(problem), way(way), isCut(problem.items() + 1),
        timeAt(problem.items()) {
    for (unsigned at = 0; at < isCut.size(); ++at)
      isCut[at] = problem.cuts[at].has_value();
    for (const SliceKernel &kernel : way.kernels) {
      timeAt[kernel.last] += kernel.time;
      for (unsigned at = kernel.first + 1; at <= kernel.last; ++at)
        isCut[at] = false;
    }
  }

  /// To where each of them ends.
  void addFrom(unsigned begin, EdgesByEnd &edges) const;

private:
  bool isWhole() const { return way.images == problem.images; }
  std::vector<int64_t> liveFrom(unsigned begin) const;

  const SliceProblem &problem;
  const SliceWay &way;
  std::vector<bool> isCut; ///< and no kernel lies across
  std::vector<int64_t> timeAt;
};
} // namespace

/// Bytes in use at each item: of a slice, of what is written from `begin` on.
std::vector<int64_t> Ranges::liveFrom(unsigned begin) const {
  std::vector<int64_t> live(problem.items() + 1);
  for (const SliceValue &value : way.values) {
    if (value.written < begin && !isWhole())
      continue;
    live[value.written] += value.bytes;
    live[value.lastRead + 1] -= value.bytes;
  }
  for (size_t at = 1; at < live.size(); ++at)
    live[at] += live[at - 1];
  return live;
}

void Ranges::addFrom(unsigned begin, EdgesByEnd &edges) const {
  if (!isCut[begin])
    return;
  std::vector<int64_t> live = liveFrom(begin);
  int64_t slices = problem.images / way.images, time = 0, inside = 0;
  // In one, kernels count what lies around, and so do values.
  auto around = [&](unsigned cut) {
    return isWhole() ? SliceCut{0, 0} : *problem.cuts[cut];
  };
  SliceCut front = around(begin);
  for (unsigned at = begin; at < problem.items(); ++at) {
    if (!isWhole() && !problem.isSplit[at])
      return;
    time += timeAt[at];
    inside = std::max(inside, live[at]);
    if (!isCut[at + 1])
      continue;
    SliceCut back = around(at + 1);
    edges[at + 1].push_back({begin, at + 1, way.images,
                             slices * time + front.time + back.time,
                             front.bytes + inside + back.bytes});
  }
}

static EdgesByEnd edgesOf(const SliceProblem &problem) {
  EdgesByEnd edges(problem.items() + 1);
  for (const SliceWay &way : problem.ways) {
    Ranges ranges(problem, way);
    for (unsigned begin = 0; begin < problem.items(); ++begin)
      ranges.addFrom(begin, edges);
  }
  return edges;
}

namespace {
/// The best way to an item.
struct Reached {
  std::optional<int64_t> time;
  const Edge *by = nullptr;
};
} // namespace

static void follow(const Edge &edge, std::vector<Reached> &reached) {
  const Reached &from = reached[edge.begin];
  Reached &to = reached[edge.end];
  if (!from.time)
    return;
  int64_t time = *from.time + edge.time;
  if (!to.time || time < *to.time)
    to = {time, &edge};
}

static SlicePlan planTo(const std::vector<Reached> &reached, unsigned end) {
  SlicePlan plan{{}, *reached[end].time, 0};
  for (unsigned at = end; at > 0; at = reached[at].by->begin) {
    const Edge &edge = *reached[at].by;
    plan.ranges.push_back({edge.begin, edge.end, edge.images});
    plan.peak = std::max(plan.peak, edge.peak);
  }
  std::reverse(plan.ranges.begin(), plan.ranges.end());
  return plan;
}

/// The fastest plan of edges below a peak; none if there is no plan.
static std::optional<SlicePlan> fastest(const EdgesByEnd &edges,
                                        std::optional<int64_t> below) {
  std::vector<Reached> reached(edges.size());
  reached[0].time = 0;
  for (const std::vector<Edge> &ending : edges)
    for (const Edge &edge : ending)
      if (!below || edge.peak < *below)
        follow(edge, reached);
  if (!reached.back().time)
    return std::nullopt;
  return planTo(reached, unsigned(edges.size()) - 1);
}

SlicePlan sched::wholePlan(const SliceProblem &problem) {
  EdgesByEnd edges(problem.items() + 1);
  Ranges(problem, problem.ways.front()).addFrom(0, edges);
  const Edge &all = edges.back().front();
  return {{{all.begin, all.end, all.images}}, all.time, all.peak};
}

std::vector<SlicePlan> sched::sliceFront(const SliceProblem &problem) {
  EdgesByEnd edges = edgesOf(problem);
  std::vector<SlicePlan> front;
  std::optional<int64_t> below;
  while (auto plan = fastest(edges, below)) {
    below = plan->peak;
    front.push_back(std::move(*plan));
  }
  return front;
}

const SlicePlan &sched::chooseSlices(const std::vector<SlicePlan> &front,
                                     int64_t percent) {
  const SlicePlan *chosen = &front.front();
  for (const SlicePlan &plan : front)
    if (plan.time <= front.front().time / 100 * percent)
      chosen = &plan;
  return *chosen;
}
