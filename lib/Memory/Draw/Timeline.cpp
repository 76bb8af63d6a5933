//===- Timeline.cpp - a problem on one time axis --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Memory/Draw/Timeline.h"
#include "lib/Support/SortUnique.h"

#include "llvm/ADT/STLExtras.h"
#include <algorithm>

using namespace tenon;
using namespace tenon::mem;

static double momentOf(const Clock &clock) { return double(clock.total()); }

namespace {
/// The moments of several streams: births by the sum of their counters, ends
/// by the first birth that knows them.
class Moments {
public:
  explicit Moments(const Problem &problem) {
    Clock all = problem.buffers.front().upper;
    for (const Buffer &buffer : problem.buffers) {
      births.push_back({momentOf(buffer.lower), &buffer.lower});
      for (size_t s = 0; s < all.streams(); ++s)
        all[s] = std::max({all[s], buffer.lower[s], buffer.upper[s]});
    }
    llvm::sort(births, [](const Birth &a, const Birth &b) {
      return a.moment < b.moment;
    });
    last = momentOf(all);
  }

  double endOf(const Buffer &buffer) const {
    double born = momentOf(buffer.lower);
    auto birth = llvm::lower_bound(
        births, born, [](const Birth &b, double m) { return b.moment < m; });
    for (; birth != births.end(); ++birth)
      if (buffer.upper <= *birth->clock)
        return birth->moment;
    return last;
  }

private:
  struct Birth {
    double moment;
    const Clock *clock;
  };

  std::vector<Birth> births;
  double last;
};
} // namespace

Timeline::Timeline(const Problem &problem) {
  if (problem.buffers.empty())
    return;
  std::optional<Moments> moments;
  if (problem.streams() > 1)
    moments.emplace(problem);
  for (const Buffer &buffer : problem.buffers) {
    double lower = momentOf(buffer.lower);
    double upper = moments ? moments->endOf(buffer) : momentOf(buffer.upper);
    lives.emplace_back(lower, std::max(lower, upper));
  }
  first = lives.front().first, last = lives.front().second;
  for (auto [lower, upper] : lives) {
    first = std::min(first, lower);
    last = std::max(last, upper);
  }
  last = std::max(last, first + 1);
}

double Timeline::coveredAt(const Block &block, double time) const {
  return double(block.coveredBytes([&](unsigned buffer) {
    return lower(buffer) <= time && time < upper(buffer);
  }));
}

void Timeline::addChanges(const Block &block,
                          std::vector<LiveStep> &changes) const {
  if (!block.mayShare()) {
    for (const Piece &piece : block.pieces) {
      changes.push_back({lower(piece.buffer), double(piece.size)});
      changes.push_back({upper(piece.buffer), -double(piece.size)});
    }
    return;
  }
  std::vector<double> times;
  for (const Piece &piece : block.pieces) {
    times.push_back(lower(piece.buffer));
    times.push_back(upper(piece.buffer));
  }
  sortUnique(times);
  double before = 0;
  for (double time : times) {
    double now = coveredAt(block, time);
    changes.push_back({time, now - before});
    before = now;
  }
}

std::vector<LiveStep> Timeline::profile(const Blocks &blocks,
                                        unsigned scope) const {
  std::vector<LiveStep> changes, steps;
  for (const Block &block : blocks.blocks)
    if (block.scope == scope)
      addChanges(block, changes);
  llvm::sort(changes, [](const LiveStep &a, const LiveStep &b) {
    return std::pair(a.time, a.bytes) < std::pair(b.time, b.bytes);
  });
  double live = 0;
  for (const LiveStep &change : changes) {
    live += change.bytes;
    if (!steps.empty() && steps.back().time == change.time)
      steps.back().bytes = live;
    else
      steps.push_back({change.time, live});
  }
  return steps;
}
