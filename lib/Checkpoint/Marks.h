//===- Marks.h - what is computed again -------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file states what a plan is, and what it means. A mark says that a step
// which needs a value does not find it in memory:
//
//   again   a kernel of its own, a *clone*, computes it just before the step
//   inside  the step's kernel computes it, and nothing is stored
//
// Each needs the operands of the value's recipe instead, which may be marked,
// too. Clones of one step run by value. A use is served by the latest event
// that made the value, so every set of marks is a program.
//===----------------------------------------------------------------------===//
#ifndef TENON_LIB_CHECKPOINT_MARKS_H
#define TENON_LIB_CHECKPOINT_MARKS_H

#include "lib/Checkpoint/Problem.h"

namespace tenon::ckpt {

enum class How : uint8_t { Again, Inside };

struct Mark {
  unsigned step = 0, value = 0;
  How how = How::Again;
  auto operator<=>(const Mark &) const = default;
};

/// A step that does not run its first variant.
struct Choice {
  unsigned step = 0, variant = 0;
  auto operator<=>(const Choice &) const = default;
};

struct Marks {
  std::vector<Mark> marks = {};     ///< ascending, one for a step and a value
  std::vector<Choice> choices = {}; ///< ascending, one for a step
  bool operator==(const Marks &) const = default;

  /// The first mark that the problem does not allow, if any: where a value
  /// cannot be computed, is not yet made, or has one place throughout.
  llvm::Error check(const Problem &problem) const;
};

/// A kernel that runs: a step's, or a clone's.
struct Event {
  unsigned step = 0;                  ///< that it is, or comes before
  std::optional<unsigned> clone = {}; ///< the value that it computes again
  std::vector<unsigned> reads = {};   ///< ascending
  std::vector<unsigned> inside = {};  ///< what it computes itself, ascending
  std::vector<unsigned> stores = {};  ///< what it writes that has a use
  /// Results that take the place of operands: (result, operand).
  std::vector<std::pair<unsigned, unsigned>> inPlace = {};
  int64_t time = 0; ///< picoseconds
  int64_t live = 0; ///< bytes in use while it runs, with scratch
  bool operator==(const Event &) const = default;
};

/// A program with its time and its peak.
struct Evaluation {
  std::vector<Event> events = {}; ///< in the order in which they run
  int64_t time = 0, peak = 0;
  size_t peakEvent = 0; ///< the first one with the peak
};

/// What marks mean, from the definition. Needs a problem and marks that their
/// checks allow. Looks at every step; Evaluator.h is what a search uses.
Evaluation evaluate(const Problem &problem, const Marks &marks);

/// Proves that events are the problem's program with these marks. Replays them
/// on hashes: what a value holds is its recipe, the version of the state that
/// this reads, and what its operands hold; each kernel must read what it reads
/// in the program, each result and each clone hold what it holds there. Every
/// step runs once, in its order, and clones are where a mark says. Lives are
/// counted one by one; times and bytes are as stated. Shares nothing with
/// evaluate() or the search.
llvm::Error validate(const Problem &problem, const Marks &marks,
                     const Evaluation &evaluation);

} // namespace tenon::ckpt

#endif // TENON_LIB_CHECKPOINT_MARKS_H
