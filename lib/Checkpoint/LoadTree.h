//===- LoadTree.h - bytes in use at each event ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares a tree over steps, each with the bytes of a few events.
// Bytes that live throughout a range of steps are added to it in O(log steps);
// the most bytes of all events are at the root:
//
//                    max
//             max +5       max          +5: added to all below
//           3  7   2      4    1  6     bytes of events, by step
//===----------------------------------------------------------------------===//
#ifndef TENON_LIB_CHECKPOINT_LOADTREE_H
#define TENON_LIB_CHECKPOINT_LOADTREE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include <cstdint>
#include <vector>

namespace tenon::ckpt {

class LoadTree {
public:
  explicit LoadTree(unsigned steps);

  /// What the events of one step need of their own, beside what was added.
  void set(unsigned step, llvm::ArrayRef<int64_t> loads);
  /// Adds to all events of the steps in [first, last), now and later.
  void add(unsigned first, unsigned last, int64_t bytes);

  /// The most bytes of an event; 0 without events.
  int64_t most() const { return std::max<int64_t>(nodes[1].most, 0); }
  /// The sum, over events, of the bytes above `budget`. Visits what is neither
  /// all above nor all below.
  int64_t above(int64_t budget) const { return above(1, budget, 0); }
  /// The bytes of each event of a step.
  llvm::SmallVector<int64_t, 4> loadsOf(unsigned step) const;

private:
  /// Of all events below, without what was added further up.
  struct Node {
    int64_t most, least, sum, events;
    int64_t added; ///< to all below
  };

  void addTo(unsigned node, int64_t bytes);
  void sumUp(unsigned node);
  int64_t above(unsigned node, int64_t budget, int64_t added) const;

  unsigned leaves; ///< a power of two; leaf i is node leaves + i
  std::vector<Node> nodes;
  std::vector<llvm::SmallVector<int64_t, 2>> loads;
};

} // namespace tenon::ckpt

#endif // TENON_LIB_CHECKPOINT_LOADTREE_H
