//===- SolveGreedy.cpp - one block after the other ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Memory/Search/Packing.h"

#include "llvm/ADT/STLExtras.h"
#include <algorithm>

using namespace tenon::mem;

GreedyKey tenon::mem::greedyKey(const Problem &problem, const Block &block) {
  if (block.pieces.empty())
    return {};
  int64_t born = INT64_MAX, end = INT64_MIN;
  for (const Piece &piece : block.pieces) {
    born = std::min(born, problem.buffers[piece.buffer].lower.total());
    end = std::max(end, problem.buffers[piece.buffer].upper.total());
  }
  return {block.size, born, end - born};
}

/// Larger first; ties by size, then in the problem's order.
static __int128 rank(const GreedyKey &key, Order order) {
  switch (order) {
  case Order::BySize:
    return key.size;
  case Order::ByArea:
    return __int128(key.size) * key.life;
  case Order::ByLifetime:
    return key.life;
  case Order::ByTime:
    return -__int128(key.born);
  }
  return 0;
}

std::vector<unsigned> tenon::mem::placementOrder(const Arena &arena,
                                                 Order order) {
  std::vector<GreedyKey> keys;
  for (const Block &block : arena.members)
    keys.push_back(greedyKey(arena.problem, block));
  std::vector<unsigned> indices = numbersBelow(arena.size());
  llvm::stable_sort(indices, [&](unsigned a, unsigned b) {
    bool fixedA = arena.members[a].fixed.has_value();
    bool fixedB = arena.members[b].fixed.has_value();
    if (fixedA != fixedB)
      return fixedA;
    __int128 rankA = rank(keys[a], order), rankB = rank(keys[b], order);
    return rankA != rankB ? rankA > rankB : keys[a].size > keys[b].size;
  });
  return indices;
}

Placement tenon::mem::placeInOrder(const Arena &arena,
                                   llvm::ArrayRef<unsigned> order, Fit fit,
                                   int64_t &work) {
  Packing packing(arena);
  Placement result;
  result.starts.resize(arena.size());
  for (unsigned i : order) {
    result.starts[i] = packing.find(arena.members[i], fit);
    packing.place(arena.members[i], result.starts[i]);
  }
  result.height = packing.height();
  work += packing.work();
  return result;
}
