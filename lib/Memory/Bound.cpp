//===- Bound.cpp - bytes that must be there at once -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file bounds arenas from below. At any consistent cut through the
// program, the buffers that are born and not yet free meet pairwise: were a
// done before b began, it would be free at the cut. So their bytes must be
// there at once. With one stream the cuts are the moments, and a sweep finds
// the best; alignments count where all offsets have one. With several, the
// births are tried as cuts, and each is completed by further buffers that meet
// all of it, the largest first; and so is each buffer alone, for what meets
// pairwise but at no birth.
//===----------------------------------------------------------------------===//
#include "lib/Memory/Bound.h"
#include "lib/Support/SortUnique.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <numeric>

using namespace tenon;
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
  return block.coveredBytes([&](unsigned i) {
    const Buffer &buffer = problem.buffers[i];
    return buffer.lower[0] <= time && time < buffer.upper[0];
  });
}

static void addChanges(const Problem &problem, const Block &block,
                       int64_t alignment, std::vector<Change> &changes) {
  std::vector<int64_t> times;
  for (const Piece &piece : block.pieces) {
    times.push_back(problem.buffers[piece.buffer].lower[0]);
    times.push_back(problem.buffers[piece.buffer].upper[0]);
  }
  sortUnique(times);
  int64_t before = 0;
  for (int64_t time : times) {
    int64_t now =
        int64_t(llvm::alignTo(coveredAt(problem, block, time), alignment));
    changes.push_back({time, now - before});
    before = now;
  }
}

/// The first moment with the most live bytes.
static Change sweep(std::vector<Change> changes) {
  // Deaths come before births of the same moment.
  llvm::sort(changes, [](const Change &a, const Change &b) {
    return std::pair(a.time, a.bytes) < std::pair(b.time, b.bytes);
  });
  int64_t live = 0;
  Change most = {0, 0};
  for (const Change &change : changes) {
    live += change.bytes;
    if (live > most.bytes)
      most = {change.time, live};
  }
  return most;
}

/// What every offset of a scope is a multiple of, if blocks start with their
/// pieces; else 1.
static int64_t commonAlignment(const Blocks &blocks, unsigned scope) {
  int64_t common = INT64_MAX;
  for (const Block &block : blocks.blocks) {
    if (block.scope != scope || block.pieces.empty())
      continue;
    bool raised = llvm::any_of(
        block.pieces, [](const Piece &piece) { return piece.delta != 0; });
    common = std::min(common, raised ? 1 : block.alignment);
  }
  return common == INT64_MAX ? 1 : common;
}

/// The moment with the most live bytes, each block's rounded up to `alignment`,
/// of which every offset is a multiple: what lies between the end of a block
/// and the next multiple is lost, except above the highest.
static Change roundedPeak(const Problem &problem, const Blocks &blocks,
                          unsigned scope, int64_t alignment) {
  std::vector<Change> changes;
  for (const Block &block : blocks.blocks)
    if (block.scope == scope)
      addChanges(problem, block, alignment, changes);
  Change most = sweep(std::move(changes));
  int64_t above = 0;
  for (const Block &block : blocks.blocks)
    if (block.scope == scope && alignment > 1) {
      int64_t bytes = coveredAt(problem, block, most.time);
      above = std::max(above, int64_t(llvm::alignTo(bytes, alignment)) - bytes);
    }
  return {most.time, most.bytes - above};
}

/// The peak of one stream: what lives at the sweep's moment.
static Peak peakOfMoments(const Problem &problem, const Blocks &blocks,
                          unsigned scope) {
  Change most = roundedPeak(problem, blocks, scope, 1);
  int64_t alignment = commonAlignment(blocks, scope);
  if (alignment > 1)
    if (Change rounded = roundedPeak(problem, blocks, scope, alignment);
        rounded.bytes > most.bytes)
      most = rounded;
  Peak peak = {most.bytes, {}};
  for (unsigned i = 0; i < problem.buffers.size(); ++i) {
    const Buffer &buffer = problem.buffers[i];
    if (buffer.scope == scope && buffer.lower[0] <= most.time &&
        most.time < buffer.upper[0])
      peak.buffers.push_back(i);
  }
  return peak;
}

namespace {
/// Cliques among the buffers of one scope that meet, for several streams.
class Cliques {
public:
  Cliques(const Problem &problem, const Blocks &blocks, unsigned scope)
      : problem(problem), bytesOf(problem.buffers.size(), 0) {
    for (const Block &block : blocks.blocks)
      if (block.scope == scope && !block.pieces.empty())
        addBlock(block);
    for (unsigned i = 0; i < bytesOf.size(); ++i)
      if (bytesOf[i])
        members.push_back(i);
    llvm::stable_sort(members, [&](unsigned a, unsigned b) {
      return bytesOf[a] > bytesOf[b];
    });
  }

  Peak heaviest() const {
    int64_t work = 0;
    Peak most;
    for (unsigned seed : members) {
      // Its birth, and the largest that meet it, at whatever moment.
      for (std::vector<unsigned> clique :
           {cutAt(problem.buffers[seed].lower), {seed}}) {
        int64_t bytes = complete(clique);
        if (bytes > most.bytes)
          most = {bytes, clique};
        work += int64_t(members.size()) * int64_t(clique.size() + 1);
      }
      if (work > mostWork)
        break;
    }
    return most;
  }

private:
  static constexpr int64_t mostWork = 200'000'000;
  const Problem &problem;
  std::vector<int64_t> bytesOf;  // per buffer, with its guards
  std::vector<unsigned> members; // largest first

  /// Overlays let buffers of one block share; its largest piece stands for it.
  void addBlock(const Block &block) {
    const Piece *largest = &block.pieces.front();
    for (const Piece &piece : block.pieces)
      if (piece.size > largest->size)
        largest = &piece;
    if (block.mayShare()) {
      bytesOf[largest->buffer] = largest->size;
      return;
    }
    for (const Piece &piece : block.pieces)
      bytesOf[piece.buffer] += piece.size;
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
      bytes += bytesOf[i];
    return bytes;
  }
};
} // namespace

/// No arena is smaller than where a block that is fixed, or aligned, ends.
static int64_t endOfBlocks(const Blocks &blocks, unsigned scope) {
  int64_t most = 0;
  for (const Block &block : blocks.blocks)
    if (block.scope == scope)
      most = std::max(most, block.fixed.value_or(block.phase) + block.size);
  return most;
}

std::vector<Peak> tenon::mem::findPeaks(const Problem &problem,
                                        const Blocks &blocks) {
  std::vector<Peak> peaks;
  for (unsigned scope = 0; scope < problem.scopes(); ++scope) {
    Peak peak = problem.streams() == 1
                    ? peakOfMoments(problem, blocks, scope)
                    : Cliques(problem, blocks, scope).heaviest();
    peak.bytes = std::max(peak.bytes, endOfBlocks(blocks, scope));
    peaks.push_back(std::move(peak));
  }
  return peaks;
}

std::vector<int64_t> tenon::mem::lowerBounds(const Problem &problem) {
  std::vector<int64_t> bounds;
  for (const Peak &peak :
       findPeaks(problem, llvm::cantFail(buildBlocks(problem))))
    bounds.push_back(peak.bytes);
  return bounds;
}

int64_t tenon::mem::lowerBound(const Problem &problem) {
  std::vector<int64_t> bounds = lowerBounds(problem);
  return std::accumulate(bounds.begin(), bounds.end(), int64_t(0));
}
