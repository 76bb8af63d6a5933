//===- Grouping.h - groups in an order in which they can run -------*- C++
//-*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares what the solvers improve step by step: groups in an order
// in which they can run. Some of them may be replaced by others of the same
// atoms; that keeps an order if the new ones have one among themselves, where
// a path by way of other groups counts as a need.
//===----------------------------------------------------------------------===//
#ifndef TENON_LIB_FUSION_GROUPING_H
#define TENON_LIB_FUSION_GROUPING_H

#include "lib/Fusion/Answers.h"
#include "lib/Fusion/Graph.h"

namespace tenon::fusion {

class Grouping {
public:
  /// A group without its clones, which follow from the graph.
  struct Member {
    std::vector<unsigned> atoms;
    Cost cost;
  };

  /// Sets of atoms in an order in which they can run; none if one of them is no
  /// kernel.
  static std::optional<Grouping>
  create(const Graph &graph, Answers &answers,
         llvm::ArrayRef<std::vector<unsigned>> sets);

  const Graph &graph() const { return *of; }
  llvm::ArrayRef<Member> groups() const { return order; }
  /// Where the group of an atom stands.
  unsigned placeOf(unsigned atom) const { return places[atom]; }
  const Cost &cost() const { return sum; }
  /// The places of the groups of some atoms, ascending.
  std::vector<unsigned> placesOf(llvm::ArrayRef<unsigned> atoms) const;

  /// Puts groups in place of those that have the same atoms. False, and no
  /// change, if they then have no order.
  bool replace(llvm::ArrayRef<Member> groups);
  /// Whether the group at one place needs that at another by way of a third.
  bool isBetween(unsigned from, unsigned to) const;

private:
  explicit Grouping(const Graph &graph) : of(&graph), places(graph.size()) {}
  void setPlaces(unsigned from, unsigned to);

  const Graph *of;
  std::vector<Member> order;
  std::vector<unsigned> places;
  Cost sum;
};

} // namespace tenon::fusion

#endif // TENON_LIB_FUSION_GROUPING_H
