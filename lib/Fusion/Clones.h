//===- Clones.h - atoms that live in their users -------------------*- C++
//-*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TENON_LIB_FUSION_CLONES_H
#define TENON_LIB_FUSION_CLONES_H

#include "lib/Fusion/Grouping.h"
#include "lib/Fusion/Solve.h"

namespace tenon::fusion {

/// Which atom is worth more as a clone in all groups that use it, with the
/// groups as they are: the first from the end, which makes the sum smaller.
class CloneSearch {
public:
  CloneSearch(const Problem &problem, const std::vector<bool> &shared,
              Answers &answers, const Options &options);

  /// The next such atom below the last one; none: there is no more.
  std::optional<unsigned> next(const Grouping &grouping);

private:
  bool mayBeCloned(const Grouping &grouping, unsigned atom) const;
  std::vector<Group> groupsWith(const Grouping &grouping,
                                llvm::ArrayRef<unsigned> places,
                                unsigned atom) const;
  bool pays(const Grouping &grouping, unsigned atom);

  Answers &answers;
  const Options &options;
  std::vector<bool> mayBe; ///< whatever the groups are
  unsigned at;
};

} // namespace tenon::fusion

#endif // TENON_LIB_FUSION_CLONES_H
