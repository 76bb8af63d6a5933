//===- Blocks.cpp - merge buffers that keep their distance ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Memory/Blocks.h"

#include <algorithm>
#include <numeric>

using namespace tenon::mem;

namespace {
/// Union-find in which each member knows its distance from its root.
class Distances {
public:
  explicit Distances(size_t count) : parent(count), delta(count, 0) {
    std::iota(parent.begin(), parent.end(), 0);
  }

  unsigned root(unsigned member) {
    unsigned top = member;
    int64_t distance = 0;
    for (; parent[top] != top; top = parent[top])
      distance += delta[top];
    while (parent[member] != top) {
      unsigned next = parent[member];
      int64_t rest = distance - delta[member];
      parent[member] = top;
      delta[member] = distance;
      distance = rest;
      member = next;
    }
    return top;
  }

  int64_t fromRoot(unsigned member) {
    root(member);
    return delta[member];
  }

  /// Puts `b` at `distance` after `a`; false where it already lies elsewhere.
  bool tie(unsigned a, unsigned b, int64_t distance) {
    unsigned rootA = root(a), rootB = root(b);
    int64_t wanted = fromRoot(a) + distance;
    if (rootA == rootB)
      return fromRoot(b) == wanted;
    delta[rootB] = wanted - fromRoot(b);
    parent[rootB] = rootA;
    return true;
  }

private:
  std::vector<unsigned> parent;
  std::vector<int64_t> delta;
};

/// Which buffers of one block may share bytes although they meet: declared
/// pairs, and two views of one storage of which at most one is written before
/// the storage's whole exists (as an input of a concatenation is).
class Leave {
public:
  explicit Leave(const Problem &problem)
      : problem(problem), wholes(problem.buffers.size()) {
    for (const Overlay &overlay : problem.overlays) {
      pairs.emplace_back(std::min(overlay.whole, overlay.part),
                         std::max(overlay.whole, overlay.part));
      if (overlay.kind == Overlay::View)
        wholes[overlay.part].push_back(overlay.whole);
    }
    std::sort(pairs.begin(), pairs.end());
  }

  bool given(unsigned a, unsigned b) const {
    if (a == b || std::binary_search(pairs.begin(), pairs.end(),
                                     std::pair(std::min(a, b), std::max(a, b))))
      return true;
    std::vector<unsigned> others = storages(b);
    for (unsigned whole : storages(a))
      if (std::find(others.begin(), others.end(), whole) != others.end() &&
          !(writes(a, whole) && writes(b, whole)))
        return true;
    return false;
  }

private:
  const Problem &problem;
  std::vector<std::vector<unsigned>> wholes;
  std::vector<std::pair<unsigned, unsigned>> pairs;

  /// The buffer, and all that it is a view of over any number of steps.
  std::vector<unsigned> storages(unsigned of) const {
    std::vector<unsigned> result = {of};
    for (size_t at = 0; at < result.size(); ++at)
      for (unsigned whole : wholes[result[at]])
        if (std::find(result.begin(), result.end(), whole) == result.end())
          result.push_back(whole);
    return result;
  }

  bool writes(unsigned part, unsigned whole) const {
    return !(problem.buffers[whole].lower <= problem.buffers[part].lower);
  }
};
} // namespace

static const char *idOf(const Problem &problem, unsigned buffer) {
  return problem.buffers[buffer].id.c_str();
}

static llvm::Error contradiction(const Problem &problem, unsigned a,
                                 unsigned b) {
  return llvm::createStringError(
      "buffers '%s' and '%s' would need two different distances",
      idOf(problem, a), idOf(problem, b));
}

static llvm::Expected<Distances> measure(const Problem &problem) {
  Distances distances(problem.buffers.size());
  for (const Contiguous &list : problem.lists)
    for (size_t i = 1; i < list.buffers.size(); ++i) {
      unsigned a = list.buffers[i - 1], b = list.buffers[i];
      if (!distances.tie(a, b, problem.buffers[a].size))
        return contradiction(problem, a, b);
    }
  for (const Overlay &overlay : problem.overlays)
    if (!distances.tie(overlay.whole, overlay.part, overlay.delta))
      return contradiction(problem, overlay.whole, overlay.part);
  return distances;
}

/// Makes the lowest piece start at 0.
static void shift(Block &block, int64_t lowest) {
  for (Piece &piece : block.pieces) {
    piece.delta -= lowest;
    block.size = std::max(block.size, piece.delta + piece.size);
  }
}

/// Demands that the buffer that lies `delta` into the block be aligned and at
/// its fixed place.
static llvm::Error constrain(Block &block, const Buffer &buffer,
                             int64_t delta) {
  const char *id = buffer.id.c_str();
  int64_t phase = -delta & (buffer.alignment - 1);
  int64_t common = std::min(block.alignment, buffer.alignment) - 1;
  if ((phase & common) != (block.phase & common))
    return llvm::createStringError(
        "buffer '%s' cannot be aligned where its list or view puts it", id);
  if (buffer.alignment > block.alignment) {
    block.alignment = buffer.alignment;
    block.phase = phase;
  }
  if (!buffer.fixed)
    return llvm::Error::success();
  int64_t start = *buffer.fixed - delta;
  if (start < 0 || (block.fixed && *block.fixed != start))
    return llvm::createStringError("buffer '%s' cannot lie at its fixed offset",
                                   id);
  block.fixed = start;
  return llvm::Error::success();
}

/// Whether a piece is a buffer's guard, which nothing may share.
static bool isGuard(const Problem &problem, const Blocks &blocks,
                    const Piece &piece) {
  return piece.delta != blocks.deltaOf[piece.buffer] ||
         piece.size != problem.buffers[piece.buffer].size;
}

static llvm::Error checkPieces(const Problem &problem, const Blocks &blocks,
                               const Block &block, const Leave &leave) {
  for (size_t i = 0; i < block.pieces.size(); ++i)
    for (size_t j = 0; j < i; ++j) {
      const Piece &a = block.pieces[i], &b = block.pieces[j];
      bool overlap = a.delta < b.delta + b.size && b.delta < a.delta + a.size;
      bool guard = a.buffer != b.buffer &&
                   (isGuard(problem, blocks, a) || isGuard(problem, blocks, b));
      if (overlap && problem.meet(a.buffer, b.buffer) &&
          (guard || !leave.given(a.buffer, b.buffer)))
        return llvm::createStringError(
            "buffers '%s' and '%s' would share bytes while both live",
            idOf(problem, b.buffer), idOf(problem, a.buffer));
    }
  return llvm::Error::success();
}

namespace {
struct Builder {
  const Problem &problem;
  Distances distances;
  Blocks result;
  std::vector<int64_t> lowest; // of each block, relative to its root

  void assignBlocks() {
    size_t count = problem.buffers.size();
    std::vector<int64_t> blockOfRoot(count, -1);
    result.blockOf.resize(count);
    result.deltaOf.resize(count);
    for (unsigned i = 0; i < count; ++i) {
      int64_t &block = blockOfRoot[distances.root(i)];
      if (block < 0) {
        block = int64_t(result.blocks.size());
        result.blocks.emplace_back();
        result.blocks.back().scope = problem.buffers[i].scope;
        lowest.push_back(INT64_MAX);
      }
      result.blockOf[i] = unsigned(block);
      add(i, distances.fromRoot(i), problem.buffers[i].size);
      result.deltaOf[i] = distances.fromRoot(i);
    }
  }

  /// Adds a piece that starts `delta` after the block's root, maybe before it.
  void add(unsigned buffer, int64_t delta, int64_t size) {
    unsigned block = result.blockOf[buffer];
    if (size)
      result.blocks[block].pieces.push_back({buffer, delta, size});
    lowest[block] = std::min(lowest[block], delta);
  }

  void addGuards() {
    for (const Contiguous &list : problem.lists) {
      unsigned first = list.buffers.front(), last = list.buffers.back();
      if (!list.guardBytes)
        continue;
      add(first, distances.fromRoot(first) - list.guardBytes, list.guardBytes);
      add(last, distances.fromRoot(last) + problem.buffers[last].size,
          list.guardBytes);
    }
  }

  llvm::Error finish() {
    Leave leave(problem);
    for (size_t i = 0; i < result.blocks.size(); ++i)
      shift(result.blocks[i], lowest[i]);
    for (unsigned i = 0; i < problem.buffers.size(); ++i) {
      Block &block = result.blocks[result.blockOf[i]];
      if (block.scope != problem.buffers[i].scope)
        return llvm::createStringError(
            "buffer '%s' is tied to one of another scope", idOf(problem, i));
      result.deltaOf[i] -= lowest[result.blockOf[i]];
      if (llvm::Error error =
              constrain(block, problem.buffers[i], result.deltaOf[i]))
        return error;
    }
    for (const Block &block : result.blocks)
      if (llvm::Error error = checkPieces(problem, result, block, leave))
        return error;
    return llvm::Error::success();
  }
};
} // namespace

llvm::Expected<Blocks> tenon::mem::buildBlocks(const Problem &problem) {
  llvm::Expected<Distances> distances = measure(problem);
  if (!distances)
    return distances.takeError();
  Builder builder{problem, std::move(*distances), {}, {}};
  builder.assignBlocks();
  builder.addGuards();
  if (llvm::Error error = builder.finish())
    return error;
  return std::move(builder.result);
}

bool Block::mayShare() const {
  int64_t bytes = 0;
  for (const Piece &piece : pieces)
    bytes += piece.size;
  return bytes > size;
}

int64_t
Block::coveredBytes(llvm::function_ref<bool(unsigned buffer)> lives) const {
  std::vector<std::pair<int64_t, int64_t>> spans;
  for (const Piece &piece : pieces)
    if (lives(piece.buffer))
      spans.emplace_back(piece.delta, piece.delta + piece.size);
  std::sort(spans.begin(), spans.end());
  int64_t covered = 0, end = 0;
  for (auto [from, to] : spans) {
    covered += std::max<int64_t>(0, to - std::max(from, end));
    end = std::max(end, to);
  }
  return covered;
}

Solution Blocks::solution(const Problem &problem,
                          llvm::ArrayRef<int64_t> starts) const {
  Solution result;
  result.arenas.assign(problem.scopes(), 0);
  for (size_t i = 0; i < problem.buffers.size(); ++i) {
    unsigned block = blockOf[i];
    result.offsets.push_back(starts[block] + deltaOf[i]);
    int64_t &arena = result.arenas[problem.buffers[i].scope];
    arena = std::max(arena, starts[block] + blocks[block].size);
  }
  return result;
}
