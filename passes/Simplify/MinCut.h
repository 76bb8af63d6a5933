//===- MinCut.h - the cheapest way to split a network -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares a maximum flow solver (shortest augmenting paths in
// phases) and the cut that it proves.
//===----------------------------------------------------------------------===//
#ifndef TENON_PASSES_SIMPLIFY_MINCUT_H
#define TENON_PASSES_SIMPLIFY_MINCUT_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include <cstdint>
#include <vector>

namespace tenon::simplify {

/// Splits nodes in two sides, `source` and `sink`, such that the capacities of
/// the edges from the first side to the second are minimal in sum.
///
///   MinCut cut;
///   unsigned node = cut.addNode();
///   cut.addEdge(MinCut::source, node, 5);
///   cut.addEdge(node, MinCut::sink, 3);
///   std::vector<bool> side = cut.solve(); // side[node]: with the source
class MinCut {
public:
  static constexpr unsigned source = 0;
  static constexpr unsigned sink = 1;
  static constexpr int64_t infinite = int64_t(1) << 60;

  MinCut() : edgesOf(2) {}

  unsigned addNode();
  void addEdge(unsigned from, unsigned to, int64_t capacity);

  /// For each node whether it is on the source's side. Among minimal cuts the
  /// one with most nodes there, except nodes with no connection to the source,
  /// which are on the sink's. Takes O(V^2 E) steps at worst, few in practice.
  std::vector<bool> solve();

private:
  struct Edge {
    unsigned to;
    int64_t capacity; ///< what is left of it
  };

  bool rank();
  bool augment();
  void send(llvm::ArrayRef<unsigned> path);
  std::vector<bool> connected() const;
  std::vector<bool> reachesSink() const;

  std::vector<Edge> edges; ///< edge i and its reverse, i ^ 1, are neighbours
  std::vector<llvm::SmallVector<unsigned, 4>> edgesOf;
  std::vector<unsigned> level, next;
};

} // namespace tenon::simplify

#endif // TENON_PASSES_SIMPLIFY_MINCUT_H
