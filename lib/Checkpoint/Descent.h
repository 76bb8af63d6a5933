//===- Descent.h - from marks to better marks -------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares the moves of the search. All plans that it evaluates are
// offered to a front, whatever they were tried for.
//===----------------------------------------------------------------------===//
#ifndef TENON_LIB_CHECKPOINT_DESCENT_H
#define TENON_LIB_CHECKPOINT_DESCENT_H

#include "lib/Checkpoint/Front.h"
#include "lib/Checkpoint/Gaps.h"

#include <limits>
#include <random>

namespace tenon::ckpt {

class Descent {
public:
  /// From a problem without marks.
  Descent(const Problem &problem, Front &front)
      : problem(problem), front(front), evaluator(problem) {
    note();
  }

  const Evaluator &state() const { return evaluator; }
  int64_t evaluations() const { return count; }
  /// From so many evaluations on, searches end as soon as they can.
  void stopAt(int64_t evaluations) { most = evaluations; }

  /// How many gaps one step looks at.
  void lookAt(unsigned gaps) { candidates = gaps; }
  /// Tries pairs of moves also where one alone helps.
  void tryPairs(bool always) { alwaysTogether = always; }
  void load(const Marks &marks);

  /// Computes inside what is faster so, as far as the budget allows.
  void takeFree(int64_t budget);
  /// Goes down until the peak is within the budget; false if nothing helps
  /// any more, or after so many evaluations.
  bool reach(int64_t budget, int64_t mostEvaluations);
  /// Takes back what the budget does not need, the dearest marks first.
  void prune(int64_t budget);
  /// Forgets some marks in a row.
  void forget(std::mt19937_64 &random);

private:
  /// A change that was tried.
  struct Trial {
    int64_t gain = 0;
    size_t number = 0;
    Move move;
  };

  void note();
  bool isOver() const { return count >= most; }
  bool step(int64_t budget);
  void tryGap(const Gap &gap);
  void tryVariants();
  void tryOtherwise();
  std::optional<How> otherWay(const Mark &mark) const;
  void tryDepths(const Gap &gap, How how);
  void addOperands(const Gap &gap, unsigned depth, Move &move) const;
  bool isThere(unsigned value, unsigned step) const;
  void tryTogether();
  void tryMove(const Move &move, bool keep);
  bool improve(llvm::ArrayRef<Change> move, int64_t mostBytes);
  void pruneMark(const Mark &mark, int64_t budget);
  std::vector<Mark> dearestFirst() const;

  const Problem &problem;
  Front &front;
  Evaluator evaluator;
  unsigned candidates = 24;
  bool alwaysTogether = false;
  int64_t count = 0, most = std::numeric_limits<int64_t>::max();
  // Of the step that goes on.
  int64_t budget = 0, overload = 0, time = 0;
  std::vector<Trial> trials;
  Move best;
  Worth bestWorth;
};

} // namespace tenon::ckpt

#endif // TENON_LIB_CHECKPOINT_DESCENT_H
