//===- Canonical.cpp - exact search among canonical placements ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Memory/Search/Canonical.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"
#include <algorithm>

using namespace tenon::mem;

/// Units of work per open box: what a placement costs, compared with looking at
/// a placed piece.
static constexpr int64_t unitsPerBox = 24;

/// Failed states that are remembered.
static constexpr size_t mostFailures = 1 << 20;

/// Calls `visit` with each member of the intersection, without making it.
template <typename Visit>
static void eachOf(const llvm::BitVector &a, const llvm::BitVector &b,
                   Visit visit) {
  for (size_t w = 0; w < a.getData().size(); ++w)
    for (uint64_t bits = a.getData()[w] & b.getData()[w]; bits;
         bits &= bits - 1)
      visit(unsigned(w * 64 + llvm::countr_zero(bits)));
}

static uint64_t mix(uint64_t x) {
  x ^= x >> 30;
  x *= 0xbf58476d1ce4e5b9;
  x ^= x >> 27;
  x *= 0x94d049bb133111eb;
  return x ^ x >> 31;
}

CanonicalSearch::CanonicalSearch(const Boxes &boxes)
    : boxes(boxes), start(boxes.count()), unplaced(boxes.count()),
      pile(boxes.sectionBytes.size()), broken(boxes.sectionBytes.size(), 0),
      stampOf(boxes.sectionBytes.size(), 0), reached(boxes.count()) {}

Verdict CanonicalSearch::run(llvm::ArrayRef<unsigned> rank, Branch branch,
                             int64_t capacity, int64_t limit) {
  this->rank = rank;
  this->branch = branch;
  this->capacity = capacity;
  this->limit = limit;
  placed = 0;
  trail.clear();
  failed.clear();
  Set all;
  for (unsigned i = 0; i < boxes.count(); ++i) {
    start[i] = boxes.align(i, 0);
    unplaced.set(i);
    all.push_back(i);
  }
  if (pileSections(all) && solve(all, -1, 0))
    return Verdict::Found;
  return placed > limit ? Verdict::GaveUp : Verdict::Infeasible;
}

void CanonicalSearch::raise(unsigned box, int64_t to) {
  trail.emplace_back(box, start[box]);
  start[box] = to;
}

void CanonicalSearch::undo(size_t mark) {
  for (; trail.size() > mark; trail.pop_back())
    start[trail.back().first] = trail.back().second;
}

/// The sets of boxes that meeting pairs connect, the smallest first.
std::vector<CanonicalSearch::Set>
CanonicalSearch::components(const Set &open) const {
  llvm::BitVector left(boxes.count());
  for (unsigned box : open)
    left.set(box);
  std::vector<Set> result;
  for (unsigned seed : open) {
    if (!left.test(seed))
      continue;
    Set part = {seed};
    left.reset(seed);
    for (size_t i = 0; i < part.size(); ++i)
      eachOf(left, boxes.neighbours[part[i]], [&](unsigned box) {
        part.push_back(box);
        left.reset(box);
      });
    result.push_back(std::move(part));
  }
  llvm::stable_sort(
      result, [](const Set &a, const Set &b) { return a.size() < b.size(); });
  return result;
}

/// The starts of the open boxes decide what can follow: after support(), none
/// lies below the last offset.
uint64_t CanonicalSearch::fingerprint(const Set &open) const {
  uint64_t sum = 0;
  for (unsigned box : open)
    sum += mix(mix(box + 1) + uint64_t(start[box]));
  return sum;
}

bool CanonicalSearch::solve(const Set &open, int64_t last, unsigned lastRank) {
  for (const Set &part : components(open))
    if (!solveConnected(part, last, lastRank))
      return false;
  return true;
}

bool CanonicalSearch::solveConnected(const Set &open, int64_t last,
                                     unsigned lastRank) {
  uint64_t state = fingerprint(open);
  if (failed.count(state))
    return false;
  if (branchOn(open, last, lastRank))
    return true;
  if (placed <= limit && failed.size() < mostFailures)
    failed.insert(state);
  return false;
}

/// What may come next, the best first.
CanonicalSearch::Set CanonicalSearch::candidates(const Set &open, int64_t last,
                                                 unsigned lastRank) const {
  int64_t lowestEnd = INT64_MAX;
  for (unsigned box : open)
    lowestEnd = std::min(lowestEnd, start[box] + boxes.size[box]);
  Set result;
  for (unsigned box : open)
    if (start[box] < lowestEnd &&
        (start[box] > last || (start[box] == last && rank[box] >= lastRank)))
      result.push_back(box);
  llvm::sort(result, [&](unsigned a, unsigned b) {
    if (branch == Branch::ByStart && start[a] != start[b])
      return start[a] < start[b];
    return rank[a] < rank[b];
  });
  return result;
}

bool CanonicalSearch::branchOn(const Set &open, int64_t last,
                               unsigned lastRank) {
  for (unsigned box : candidates(open, last, lastRank)) {
    if (++placed > limit)
      return false;
    done += unitsPerBox * int64_t(open.size());
    size_t mark = trail.size();
    Set rest;
    for (unsigned other : open)
      if (other != box)
        rest.push_back(other);
    unplaced.reset(box);
    if (place(box, rest) && solve(rest, start[box], rank[box]))
      return true;
    undo(mark);
    for (unsigned other : open)
      unplaced.set(other);
    if (placed > limit)
      return false;
  }
  return false;
}

/// Puts a box at its start; false where the others can no longer fit.
bool CanonicalSearch::place(unsigned box, const Set &rest) {
  size_t mark = trail.size();
  if (start[box] + boxes.size[box] > capacity || !raiseNeighbours(box) ||
      !support(rest, start[box], rank[box]))
    return false;
  Set changed = {box};
  for (size_t i = mark; i < trail.size(); ++i)
    changed.push_back(trail[i].first);
  return pileSections(changed);
}

bool CanonicalSearch::raiseNeighbours(unsigned box) {
  int64_t end = start[box] + boxes.size[box];
  bool fits = true;
  eachOf(boxes.neighbours[box], unplaced, [&](unsigned other) {
    if (start[other] < end)
      raise(other, boxes.align(other, end));
    fits &= start[other] + boxes.size[other] <= capacity;
  });
  return fits;
}

bool CanonicalSearch::support(const Set &open, int64_t last,
                              unsigned lastRank) {
  for (unsigned box : open) {
    if (start[box] > last || (start[box] == last && rank[box] > lastRank))
      continue;
    int64_t lowest = INT64_MAX;
    eachOf(boxes.neighbours[box], unplaced, [&](unsigned other) {
      lowest =
          std::min(lowest, std::max(start[other], last) + boxes.size[other]);
    });
    if (lowest > capacity - boxes.size[box])
      return false;
    raise(box, boxes.align(box, lowest));
  }
  return true;
}

/// Only sections of boxes whose starts have changed can have become too high.
bool CanonicalSearch::pileSections(llvm::ArrayRef<unsigned> changed) {
  ++stamp;
  reached.reset();
  for (unsigned box : changed) {
    for (unsigned section : boxes.sectionsOf(box)) {
      pile[section] = 0;
      stampOf[section] = stamp;
    }
    reached.set(box);
    reached |= boxes.neighbours[box];
  }
  byStart.clear();
  eachOf(reached, unplaced,
         [&](unsigned box) { byStart.emplace_back(start[box], box); });
  llvm::sort(byStart);
  for (auto [at, box] : byStart)
    for (unsigned section : boxes.sectionsOf(box)) {
      if (stampOf[section] != stamp)
        continue;
      pile[section] = std::max(pile[section], at) + boxes.size[box];
      if (pile[section] > capacity) {
        ++broken[section];
        return false;
      }
    }
  return true;
}
