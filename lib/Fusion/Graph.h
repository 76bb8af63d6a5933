//===- Graph.h - who needs and touches whom ------------------------*- C++
//-*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares a problem as the solvers see it. Atoms that all of their
// users compute again are gone from it; what they need, their users need:
//
//   p -> a -> u, a cloned into u:    p -> u, and a group of u has the clone a
//===----------------------------------------------------------------------===//
#ifndef TENON_LIB_FUSION_GRAPH_H
#define TENON_LIB_FUSION_GRAPH_H

#include "lib/Fusion/Problem.h"
#include "llvm/ADT/SmallVector.h"

namespace tenon::fusion {

/// Which edges of a problem two atoms may share a kernel for.
std::vector<bool> sharedEdges(const Problem &problem, Oracle &oracle);

class Graph {
public:
  using Atoms = llvm::SmallVector<unsigned, 4>;

  Graph(const Problem &problem, const std::vector<bool> &shared,
        const std::vector<bool> &cloned);

  unsigned size() const { return before.size(); }
  /// The group of some atoms, which ascend: with the clones that they need.
  Group group(llvm::ArrayRef<unsigned> atoms) const;
  bool isCloned(unsigned atom) const { return cloned[atom]; }
  bool isAlone(unsigned atom) const { return !alone.empty() && alone[atom]; }

  /// Per atom, without cloned ones: what it needs, what needs it, what it
  /// touches by an edge.
  std::vector<Atoms> before, after, touches;
  /// Atoms that touch each other because they read the same; per atom, in which
  /// of these sets it is.
  std::vector<Atoms> readers, readersOf;
  /// Per atom the cloned ones that it computes for itself, in order.
  std::vector<Atoms> clones;

private:
  Atoms throughClones(const Atoms &needed,
                      const std::vector<Atoms> &needs) const;
  void addUses(const std::vector<Atoms> &touched);
  void addReaders(const Problem &problem);

  std::vector<bool> cloned, alone;
};

/// Some atoms, split so that those of one set touch, directly or by way of
/// others of it.
std::vector<std::vector<unsigned>>
connectedSets(const Graph &graph, llvm::ArrayRef<unsigned> atoms);

/// Joins sets that need each other, directly or by way of others or of atoms
/// that are in none.
std::vector<std::vector<unsigned>>
joinCycles(const Graph &graph, std::vector<std::vector<unsigned>> sets);

} // namespace tenon::fusion

#endif // TENON_LIB_FUSION_GRAPH_H
