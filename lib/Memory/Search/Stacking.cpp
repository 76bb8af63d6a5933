//===- Stacking.cpp - exact search over who lies below --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Memory/Search/Stacking.h"

#include <algorithm>

using namespace tenon::mem;

StackingSearch::StackingSearch(const Arena &arena)
    : arena(arena), rests(arena.size()), start(arena.size()) {
  for (unsigned a = 0; a < arena.size(); ++a)
    for (unsigned b = 0; b < a; ++b)
      for (const Piece &p : arena.members[a].pieces)
        for (const Piece &q : arena.members[b].pieces)
          if (arena.lives.meet(p.buffer, q.buffer))
            pairs.push_back(
                {a, b, p.delta + p.size - q.delta, q.delta + q.size - p.delta});
}

void StackingSearch::undo(size_t mark) {
  for (; trail.size() > mark; trail.pop_back())
    start[trail.back().first] = trail.back().second;
}

/// Moves a block up, and all that rests on it. A circle of blocks that rest on
/// each other pushes itself above the capacity.
bool StackingSearch::push(unsigned block, int64_t to) {
  std::vector<std::pair<unsigned, int64_t>> todo = {{block, to}};
  while (!todo.empty()) {
    auto [moved, lowest] = todo.back();
    todo.pop_back();
    const Block &member = arena.members[moved];
    if (lowest <= start[moved])
      continue;
    if (member.fixed || member.align(lowest) + member.size > capacity)
      return false;
    trail.emplace_back(moved, start[moved]);
    start[moved] = member.align(lowest);
    for (const Rest &rest : rests[moved])
      todo.emplace_back(rest.above, start[moved] + rest.distance);
  }
  return true;
}

/// The pair that overlaps the most, if any does.
const StackingSearch::Pair *StackingSearch::worst() const {
  const Pair *result = nullptr;
  int64_t most = 0;
  for (const Pair &pair : pairs) {
    int64_t overlap = std::min(start[pair.a] + pair.upper - start[pair.b],
                               start[pair.b] + pair.lower - start[pair.a]);
    if (overlap > most) {
      most = overlap;
      result = &pair;
    }
  }
  return result;
}

bool StackingSearch::decide(unsigned below, unsigned above, int64_t distance,
                            int64_t &work) {
  size_t mark = trail.size();
  rests[below].push_back({above, distance});
  if (push(above, start[below] + distance) && search(work))
    return true;
  rests[below].pop_back();
  undo(mark);
  return false;
}

bool StackingSearch::search(int64_t &work) {
  work -= int64_t(pairs.size()) + 1;
  if (work <= 0)
    return false;
  const Pair *pair = worst();
  if (!pair)
    return true;
  // The way that pushes less is tried first.
  int64_t pushB = start[pair->a] + pair->upper - start[pair->b];
  int64_t pushA = start[pair->b] + pair->lower - start[pair->a];
  auto [a, b, upper, lower] = *pair;
  if (pushB <= pushA)
    return decide(a, b, upper, work) || decide(b, a, lower, work);
  return decide(b, a, lower, work) || decide(a, b, upper, work);
}

Verdict StackingSearch::find(int64_t bytes, int64_t &work) {
  capacity = bytes;
  trail.clear();
  for (unsigned i = 0; i < arena.size(); ++i) {
    const Block &block = arena.members[i];
    rests[i].clear();
    start[i] = block.fixed ? *block.fixed : block.align(0);
    if (start[i] + block.size > capacity)
      return Verdict::Infeasible;
  }
  if (search(work))
    return Verdict::Found;
  return work <= 0 ? Verdict::GaveUp : Verdict::Infeasible;
}
