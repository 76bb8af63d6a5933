//===- Region.h - a few atoms, as bits -----------------------------*- C++
//-*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares what the dynamic programme works on: some groups of a
// grouping, their atoms as bits of a word, who needs and touches whom as masks.
// Need includes paths by way of groups outside of the region, which stay as
// they are; the two ends of such a path cannot share a group. So what has an
// order in the region has one in the whole.
//===----------------------------------------------------------------------===//
#ifndef TENON_LIB_FUSION_REGION_H
#define TENON_LIB_FUSION_REGION_H

#include "lib/Fusion/Grouping.h"
#include "lib/Support/Mask.h"

namespace tenon::fusion {

struct Region {
  /// Hash tables keep two words for themselves: those with all high bits set.
  static constexpr unsigned mostAtoms = 60;

  /// All atoms of their groups.
  Region(const Grouping &grouping, llvm::ArrayRef<unsigned> atoms);

  unsigned size() const { return atoms.size(); }
  Mask all() const { return bit(size()) - 1; }
  Mask maskOf(llvm::ArrayRef<unsigned> atoms) const;
  std::vector<unsigned> atomsOf(Mask mask) const;

  /// What the atoms of a set need, what needs them, what touches them. The set
  /// itself may be among it.
  Mask before(Mask set) const { return gather(needs, set); }
  Mask after(Mask set) const { return gather(users, set); }
  Mask touching(Mask set) const { return gather(touches, set); }
  bool isConnected(Mask set) const;
  /// Whether no path leaves the set and comes back.
  bool isConvex(Mask set) const {
    return (before(set) & after(set) & ~set) == 0 &&
           (gather(apart, set) & set) == 0;
  }

  std::vector<unsigned> atoms; ///< ascending
  std::vector<Mask> needs, users, touches;
  /// Per atom, from where paths lead to it through groups outside only.
  std::vector<Mask> apart;

private:
  static Mask gather(const std::vector<Mask> &masks, Mask set) {
    Mask result = 0;
    forEach(set, [&](unsigned index) { result |= masks[index]; });
    return result;
  }
  void setNeeds(const Grouping &grouping);
  void setTouches(const Graph &graph);
};

} // namespace tenon::fusion

#endif // TENON_LIB_FUSION_REGION_H
