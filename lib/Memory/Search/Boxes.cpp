//===- Boxes.cpp - meeting boxes and their sections -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Memory/Search/Boxes.h"
#include "lib/Memory/Search/Packing.h"

#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <numeric>

using namespace tenon::mem;

/// A matrix of neighbours of more boxes would be too large.
static constexpr size_t mostBoxes = 4096;

/// BitVector::test() says whether something is left of one set without another.
static bool contains(const llvm::BitVector &whole,
                     const llvm::BitVector &part) {
  return !part.test(whole);
}

static bool isBox(const Problem &problem, const Block &block) {
  if (block.fixed || block.pieces.empty())
    return false;
  const Buffer &first = problem.buffers[block.pieces.front().buffer];
  std::vector<std::pair<int64_t, int64_t>> spans;
  for (const Piece &piece : block.pieces) {
    const Buffer &buffer = problem.buffers[piece.buffer];
    if (!(buffer.lower == first.lower && buffer.upper == first.upper))
      return false;
    spans.emplace_back(piece.delta, piece.delta + piece.size);
  }
  llvm::sort(spans);
  int64_t end = 0;
  for (auto [from, to] : spans) {
    if (from > end)
      return false;
    end = std::max(end, to);
  }
  return true;
}

bool Boxes::describe(const Arena &arena) {
  return arena.size() <= mostBoxes &&
         llvm::all_of(arena.members, [&](const Block &block) {
           return isBox(arena.problem, block);
         });
}

/// The cuts at all births, without those that the next one contains.
static std::vector<llvm::BitVector> findSections(const Arena &arena) {
  std::vector<std::pair<int64_t, unsigned>> births;
  for (unsigned i = 0; i < arena.size(); ++i)
    births.emplace_back(greedyKey(arena.problem, arena.members[i]).born, i);
  llvm::sort(births);
  std::vector<llvm::BitVector> result;
  for (auto [moment, seed] : births) {
    auto bufferOf = [&](unsigned i) -> const Buffer & {
      return arena.problem.buffers[arena.members[i].pieces.front().buffer];
    };
    const Clock &cut = bufferOf(seed).lower;
    llvm::BitVector section(arena.size());
    for (unsigned i = 0; i < arena.size(); ++i)
      if (bufferOf(i).lower <= cut && !(bufferOf(i).upper <= cut))
        section.set(i);
    if (!result.empty() && contains(section, result.back()))
      result.back() = std::move(section);
    else if (result.empty() || !contains(result.back(), section))
      result.push_back(std::move(section));
  }
  return result;
}

Boxes::Boxes(const Arena &arena)
    : neighbours(arena.size(), llvm::BitVector(arena.size())) {
  step = 0;
  for (const Block &block : arena.members) {
    size.push_back(block.size);
    alignment.push_back(block.alignment);
    phase.push_back(block.phase);
    life.push_back(greedyKey(arena.problem, block).life);
    step = std::gcd(std::gcd(step, block.size),
                    std::gcd(block.alignment, block.phase));
  }
  // An alignment of 1 says nothing about offsets, which are sums of sizes.
  if (llvm::all_of(alignment, [](int64_t a) { return a == 1; }))
    step = std::accumulate(size.begin(), size.end(), int64_t(0),
                           [](int64_t a, int64_t b) { return std::gcd(a, b); });
  step = std::max<int64_t>(step, 1);
  for (unsigned i = 0; i < count(); ++i)
    for (unsigned j = 0; j < i; ++j)
      if (arena.meet(i, j)) {
        neighbours[i].set(j);
        neighbours[j].set(i);
      }
  std::vector<llvm::BitVector> sets = findSections(arena);
  sectionBytes.assign(sets.size(), 0);
  for (unsigned i = 0; i < count(); ++i) {
    sectionBegin.push_back(unsigned(sections.size()));
    for (unsigned s = 0; s < sets.size(); ++s)
      if (sets[s].test(i)) {
        sections.push_back(s);
        sectionBytes[s] += size[i];
      }
  }
  sectionBegin.push_back(unsigned(sections.size()));
}
