//===- Programme.h - the best groups of a region -------------------*- C++
//-*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares the dynamic programme over the ideals of a region:
//
//   best[J] = min over endings S of J: best[J - S] + cost(S)
//
// An ideal needs nothing outside of it; an ending is a group whose atoms no
// other atom of the ideal needs. All connected groups of so many atoms that
// are an ending of some ideal are candidates: those that are convex.
//===----------------------------------------------------------------------===//
#ifndef TENON_LIB_FUSION_PROGRAMME_H
#define TENON_LIB_FUSION_PROGRAMME_H

#include "lib/Fusion/Region.h"
#include "lib/Fusion/Solve.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

namespace tenon::fusion {

class Programme {
public:
  Programme(const Grouping &grouping, llvm::ArrayRef<unsigned> atoms,
            Answers &answers, const Options &options,
            Solution::Statistics &statistics)
      : grouping(grouping), region(grouping, atoms), answers(answers),
        options(options), statistics(statistics) {}

  /// False if there are too many. Comes first.
  bool findIdeals();
  /// The cheapest groups, in no order, of so many atoms or as they are; none if
  /// there are too many to choose from.
  std::optional<std::vector<Grouping::Member>> run(unsigned mostAtoms);

private:
  struct Candidate {
    Mask atoms, needs, after; ///< the latter two without the atoms
    Group group;
    Answer *answer;
  };
  /// The candidate ends the ideal; `from` is what is left of it.
  struct Transition {
    unsigned from, candidate;
  };

  bool findCandidates(unsigned mostAtoms);
  void addGroups(std::vector<Mask> &sets) const;
  void add(Mask set);
  void sortCandidates();
  bool findTransitions();
  void addEndings(Mask ideal, llvm::ArrayRef<unsigned> some);
  void findBest(unsigned begin, bool onlyFinal);
  std::vector<unsigned> way() const;
  std::vector<unsigned> search();

  const Grouping &grouping;
  Region region;
  Answers &answers;
  const Options &options;
  Solution::Statistics &statistics;

  std::vector<Mask> ideals; ///< smaller ones first
  llvm::DenseMap<Mask, unsigned> indexOf;
  std::vector<Candidate> candidates;
  /// Candidates that need nothing, by their highest atom; others, by one that
  /// none of theirs needs.
  std::vector<std::vector<unsigned>> free, bound;
  /// Those into ideal i are transitions[first[i]] up to first[i + 1].
  std::vector<Transition> transitions;
  std::vector<unsigned> first;
  std::vector<Cost> best;
  std::vector<int> via; ///< the last transition; -1: there is no way
};

} // namespace tenon::fusion

#endif // TENON_LIB_FUSION_PROGRAMME_H
