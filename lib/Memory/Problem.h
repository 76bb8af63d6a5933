//===- Problem.h - placing buffers in arenas --------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file states the allocation problem and its solution. Buffers that may
// be needed at the same time may not share a byte. Find an offset for each so
// that the arena is small:
//
//   offset ^
//          |      +---------+
//          |      |    b    |         b and c never live together,
//          |  +---+----+----+--+      so they may share bytes
//          |  |   a    |   c   |
//          +--+--------+-------+--> time
//
// Time is a clock with one counter per stream, because streams run at the same
// time. A buffer is born when `lower[s]` nodes of each stream s have surely
// finished, and its bytes are free once `upper[s]` have. So a is done before b
// exactly if a.upper <= b.lower in every counter. One stream makes clocks
// integers, lives half-open intervals, and "not before each other" their
// intersection. Program.h derives clocks from nodes, streams and events.
//
// What must hold beyond that is a distance between two offsets: contiguous
// lists, in-place results and views. Blocks.h merges the buffers that such
// distances tie together into rigid blocks, and solvers place blocks.
//
// The problem is NP-hard (dynamic storage allocation); solvers are free
// functions in Solve.h, and validate() trusts none of them.
//===----------------------------------------------------------------------===//
#ifndef TENON_LIB_MEMORY_PROBLEM_H
#define TENON_LIB_MEMORY_PROBLEM_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Error.h"
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tenon::mem {

/// Sizes, offsets and the sum of all sizes stay below, so that no sum of them
/// overflows.
inline constexpr int64_t mostBytes = int64_t(1) << 60;

/// A moment: for each stream, how many of its nodes have surely finished. An
/// integer is a moment of the only stream.
class Clock {
public:
  Clock(int64_t tick = 0) : ticks(1, tick) {}
  explicit Clock(llvm::ArrayRef<int64_t> ticks)
      : ticks(ticks.begin(), ticks.end()) {}

  size_t streams() const { return ticks.size(); }
  int64_t operator[](size_t stream) const { return ticks[stream]; }
  int64_t &operator[](size_t stream) { return ticks[stream]; }
  bool operator==(const Clock &other) const { return ticks == other.ticks; }
  /// Whether no counter is larger: a partial order.
  bool operator<=(const Clock &other) const;
  /// The sum of all counters, which grows along every order of the nodes: with
  /// one stream, the moment itself.
  int64_t total() const;

private:
  llvm::SmallVector<int64_t, 1> ticks;
};

/// A piece of storage that is needed from `lower` to `upper`.
struct Buffer {
  std::string id;        ///< for text and diagnostics; unique
  Clock lower;           ///< its birth: what has finished before
  Clock upper;           ///< its end: what must finish before bytes are free
  int64_t size = 0;      ///< bytes; may be zero
  int64_t alignment = 1; ///< of the offset; a power of two
  unsigned scope = 0;    ///< the arena it lies in: host, device, ...
  unsigned stream = 0;   ///< the stream that writes it first
  std::optional<int64_t> fixed = {}; ///< the offset, where it is given
};

/// Buffers that lie one directly after the other, in this order: the inputs of
/// a fused collective. `guardBytes` before the first and after the last belong
/// to them as well.
struct Contiguous {
  std::vector<unsigned> buffers;
  int64_t guardBytes = 0;
};

/// Two buffers that share bytes although they meet: `part` begins `delta` bytes
/// after `whole`.
struct Overlay {
  enum Kind {
    /// The node that first writes `part` reads `whole` for the last time and
    /// declares that it may overwrite it; `delta` is 0.
    InPlace,
    /// `part` is a piece of `whole`: a slice that is read in place, or the
    /// input of a concatenation that is written in place.
    View,
  };
  unsigned whole = 0, part = 0;
  int64_t delta = 0;
  Kind kind = View;
};

/// Buffers, their arenas and the distances between them.
struct Problem {
  std::vector<Buffer> buffers;
  std::vector<Contiguous> lists = {};
  std::vector<Overlay> overlays = {};

  /// The first thing that is wrong with the problem itself, if any: sizes,
  /// lives, alignments, distances that contradict each other. A problem that
  /// passes has a solution.
  llvm::Error check() const;

  /// One more than the largest scope; at least 1.
  unsigned scopes() const;

  /// The number of streams: the counters of each clock.
  unsigned streams() const;

  /// Whether neither of two buffers is done before the other begins. Scopes
  /// and overlays do not matter here.
  bool meet(size_t a, size_t b) const {
    return !(buffers[a].upper <= buffers[b].lower) &&
           !(buffers[b].upper <= buffers[a].lower);
  }
};

/// One offset per buffer, in the problem's order, and the size of each arena.
struct Solution {
  std::vector<int64_t> offsets;
  std::vector<int64_t> arenas;

  /// All arenas together.
  int64_t arenaBytes() const;
};

/// Bytes that must be there at once, per scope: no arena can be smaller. For
/// one stream, the most bytes that live at any moment; for several, the
/// heaviest clique found among buffers that meet (Bound.cpp). Needs a checked
/// problem; O(n log n) for one stream.
std::vector<int64_t> lowerBounds(const Problem &problem);

/// The sum of lowerBounds().
int64_t lowerBound(const Problem &problem);

/// Proves a solution by brute force: every pair that meets in one scope is
/// disjoint unless declared otherwise, every offset is aligned and, where
/// given, the given one, lists are contiguous and their guards free, overlays
/// stand, everything is inside its arena. O(n log n + pairs that share bytes);
/// uses nothing that solvers use. Called on every compilation.
llvm::Error validate(const Problem &problem, const Solution &solution);

} // namespace tenon::mem

#endif // TENON_LIB_MEMORY_PROBLEM_H
