//===- Bound.cpp - bytes that must be there at once -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file bounds arenas from below. At any consistent cut through the
// program, the buffers that are born and not yet free meet pairwise: were a
// done before b began, it would be free at the cut. So their bytes must be
// there at once. With one stream the cuts are the moments, and a sweep finds
// the best. With several, the births are tried as cuts, and each of the
// heaviest is completed by further buffers that meet all of it.
//===----------------------------------------------------------------------===//
#include "lib/Memory/Blocks.h"

#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <numeric>

using namespace tenon::mem;

namespace {
/// A change of the live bytes at a moment of the only stream.
struct Change {
  int64_t time, bytes;
};
} // namespace

/// Bytes covered by the pieces of a block that live at `time`.
static int64_t coveredAt(const Problem &problem, const Block &block,
                         int64_t time) {
  std::vector<std::pair<int64_t, int64_t>> spans;
  for (const Piece &piece : block.pieces) {
    const Buffer &buffer = problem.buffers[piece.buffer];
    if (buffer.lower[0] <= time && time < buffer.upper[0])
      spans.emplace_back(piece.delta, piece.delta + piece.size);
  }
  llvm::sort(spans);
  int64_t covered = 0, end = 0;
  for (auto [from, to] : spans) {
    covered += std::max<int64_t>(0, to - std::max(from, end));
    end = std::max(end, to);
  }
  return covered;
}

static void addChanges(const Problem &problem, const Block &block,
                       std::vector<Change> &changes) {
  std::vector<int64_t> times;
  for (const Piece &piece : block.pieces) {
    times.push_back(problem.buffers[piece.buffer].lower[0]);
    times.push_back(problem.buffers[piece.buffer].upper[0]);
  }
  llvm::sort(times);
  times.erase(std::unique(times.begin(), times.end()), times.end());
  int64_t before = 0;
  for (int64_t time : times) {
    int64_t now = coveredAt(problem, block, time);
    changes.push_back({time, now - before});
    before = now;
  }
}

static int64_t sweep(std::vector<Change> changes) {
  // Deaths come before births of the same moment.
  llvm::sort(changes, [](const Change &a, const Change &b) {
    return std::pair(a.time, a.bytes) < std::pair(b.time, b.bytes);
  });
  int64_t live = 0, most = 0;
  for (size_t i = 0; i < changes.size(); ++i) {
    live += changes[i].bytes;
    most = std::max(most, live);
  }
  return most;
}

namespace {
/// Cliques among the buffers of one scope that meet, for several streams.
class Cliques {
public:
  Cliques(const Problem &problem, const Blocks &blocks, unsigned scope)
      : problem(problem) {
    // Overlays let buffers of one block share; its largest stands for it.
    for (const Block &block : blocks.blocks) {
      if (block.scope != scope || block.pieces.empty())
        continue;
      if (mayShare(block)) {
        members.push_back(
            llvm::max_element(block.pieces, [](const Piece &a, const Piece &b) {
              return a.size < b.size;
            })->buffer);
        continue;
      }
      for (const Piece &piece : block.pieces)
        members.push_back(piece.buffer);
    }
    llvm::stable_sort(members, [&](unsigned a, unsigned b) {
      return problem.buffers[a].size > problem.buffers[b].size;
    });
  }

  int64_t heaviest() const {
    int64_t work = 0, most = 0;
    for (unsigned seed : members) {
      std::vector<unsigned> clique = cutAt(problem.buffers[seed].lower);
      most = std::max(most, complete(clique));
      work += int64_t(members.size()) * int64_t(clique.size() + 1);
      if (work > mostWork)
        break;
    }
    return most;
  }

private:
  static constexpr int64_t mostWork = 200'000'000;
  const Problem &problem;
  std::vector<unsigned> members; // largest first

  static bool mayShare(const Block &block) {
    int64_t bytes = 0;
    for (const Piece &piece : block.pieces)
      bytes += piece.size;
    return bytes > block.size;
  }

  std::vector<unsigned> cutAt(const Clock &cut) const {
    std::vector<unsigned> result;
    for (unsigned i : members)
      if (problem.buffers[i].lower <= cut && !(problem.buffers[i].upper <= cut))
        result.push_back(i);
    return result;
  }

  int64_t complete(std::vector<unsigned> &clique) const {
    for (unsigned i : members)
      if (llvm::all_of(clique, [&](unsigned other) {
            return other != i && problem.meet(i, other);
          }))
        clique.push_back(i);
    int64_t bytes = 0;
    for (unsigned i : clique)
      bytes += problem.buffers[i].size;
    return bytes;
  }
};
} // namespace

/// No arena is smaller than its tallest block that is born, or fixed, whole.
static int64_t endOfFixed(const Blocks &blocks, unsigned scope) {
  int64_t most = 0;
  for (const Block &block : blocks.blocks)
    if (block.scope == scope)
      most = std::max(most, block.fixed.value_or(block.phase) + block.size);
  return most;
}

std::vector<int64_t> tenon::mem::lowerBounds(const Problem &problem) {
  Blocks blocks = llvm::cantFail(buildBlocks(problem));
  std::vector<std::vector<Change>> changes(problem.scopes());
  if (problem.streams() == 1)
    for (const Block &block : blocks.blocks)
      addChanges(problem, block, changes[block.scope]);
  std::vector<int64_t> bounds;
  for (unsigned scope = 0; scope < problem.scopes(); ++scope) {
    int64_t live = problem.streams() == 1
                       ? sweep(std::move(changes[scope]))
                       : Cliques(problem, blocks, scope).heaviest();
    bounds.push_back(std::max(live, endOfFixed(blocks, scope)));
  }
  return bounds;
}

int64_t tenon::mem::lowerBound(const Problem &problem) {
  std::vector<int64_t> bounds = lowerBounds(problem);
  return std::accumulate(bounds.begin(), bounds.end(), int64_t(0));
}
