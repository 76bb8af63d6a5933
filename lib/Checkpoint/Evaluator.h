//===- Evaluator.h - what a change of marks costs ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares an evaluation that follows changes of marks, so that a
// search can try many. A change touches one step: its clones, and the lives of
// the values that it then reads or no longer reads. Lives that reach over
// other steps are ranges of a tree (LoadTree.h). A change takes O(u log steps)
// for u uses at the step and at the uses before them.
//
//   step           3         4         5         6
//   touches of x   def .............. use ...... (none)
//   of the tree              +bytes
//===----------------------------------------------------------------------===//
#ifndef TENON_LIB_CHECKPOINT_EVALUATOR_H
#define TENON_LIB_CHECKPOINT_EVALUATOR_H

#include "lib/Checkpoint/LoadTree.h"
#include "lib/Checkpoint/Marks.h"

namespace tenon::ckpt {

/// Sets or takes away one mark, or chooses a variant.
struct Change {
  unsigned step = 0, value = 0;
  std::optional<How> how = {};
  std::optional<unsigned> variant = {}; ///< if so, there is no value
};
using Move = llvm::SmallVector<Change, 4>;

class Evaluator {
public:
  /// The uses of one value by the events of one step. Clones are events 0, 1,
  /// ..., the step is the last one.
  struct Touch {
    unsigned value = 0;
    int made = -1;             ///< the event that makes it here, or -1
    int first = -1, last = -1; ///< events that read it, or -1
    bool out = false;          ///< what is there behind the step is used
  };

  /// The events of one step.
  struct Leaf {
    llvm::SmallVector<std::pair<unsigned, How>, 2> marks; ///< by value
    unsigned variant = 0;
    llvm::SmallVector<unsigned, 2> clones, inside; ///< values, ascending
    llvm::SmallVector<unsigned, 4> reads;          ///< of the step's kernel
    llvm::SmallVector<Touch, 6> touches;           ///< by value
    int64_t time = 0;
  };

  /// Without marks. The problem must stay.
  explicit Evaluator(const Problem &problem);

  const Problem &problem() const { return asked; }
  int64_t time() const { return total; }
  int64_t peak() const { return tree.most(); }
  /// Summed over events, the bytes above `budget`.
  int64_t overload(int64_t budget) const { return tree.above(budget); }

  std::optional<How> markOf(unsigned step, unsigned value) const;
  /// Those that have an effect.
  Marks marks() const;

  /// Makes changes that Marks::check allows. Returns those that take them back.
  Move apply(llvm::ArrayRef<Change> move);
  /// Takes these marks instead of what is there.
  void load(const Marks &marks);

  const Leaf &at(unsigned step) const { return leaves[step]; }
  const Touch *touchOf(unsigned step, unsigned value) const;
  /// The steps that make or use a value, ascending.
  llvm::ArrayRef<unsigned> stepsOf(unsigned value) const {
    return touched[value];
  }
  llvm::SmallVector<int64_t, 4> loadsOf(unsigned step) const {
    return tree.loadsOf(step);
  }
  unsigned birthOf(unsigned value) const { return births[value]; }
  /// What a clone takes.
  int64_t cloneTime(unsigned value) const { return cloneTimes[value]; }

private:
  Change write(const Change &change);
  void rebuild(unsigned step);
  void expand(unsigned step);
  void findClones(unsigned step);
  void findTouches(unsigned step);
  void note(unsigned value, int event, bool made);
  void splice(unsigned step);
  void unlinkAround(unsigned value, unsigned step, bool present);
  void linkAround(unsigned value, unsigned step, bool present);
  void unlink(unsigned value, unsigned from, unsigned to);
  void link(unsigned value, unsigned from, unsigned to);
  void measure(unsigned step);
  int64_t sharedInPlace(unsigned step) const;
  Touch *touchAt(unsigned step, unsigned value);

  const Problem &asked;
  std::vector<unsigned> births;
  std::vector<int64_t> cloneTimes;
  std::vector<Leaf> leaves;
  std::vector<llvm::SmallVector<unsigned, 8>> touched;
  LoadTree tree;
  int64_t total = 0;
  // Of the rebuild that goes on.
  Leaf fresh;
  std::vector<uint64_t> seen, needed; ///< by value: the last stamp
  uint64_t stamp = 0;
  std::vector<unsigned> slot, work;
  std::vector<std::pair<unsigned, bool>> changed; ///< values; were they there
  std::vector<unsigned> dirty;
};

} // namespace tenon::ckpt

#endif // TENON_LIB_CHECKPOINT_EVALUATOR_H
