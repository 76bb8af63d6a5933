//===- Clocks.h - what has surely finished ----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file turns streams and events into vector clocks. The clock of a node
// counts, per stream, the nodes that have surely finished when it starts:
//
//   stream 0:  a0  a1  a2           before(a2) = (2, 0)
//                   \ event
//   stream 1:  b0    b1             before(b1) = (2, 1)
//
// Nodes of one stream finish in order, so a counter says which they are: x
// precedes y exactly if y's counter of x's stream is above x's index. That is
// the transitive closure in O(nodes * streams) instead of O(nodes ^ 2).
//
// A node that starts knows all that the node before it on its stream, and the
// nodes whose events it waits for, knew, and that these have finished.
//===----------------------------------------------------------------------===//
#ifndef TENON_LIB_MEMORY_STREAMS_CLOCKS_H
#define TENON_LIB_MEMORY_STREAMS_CLOCKS_H

#include "lib/Memory/Streams/Program.h"

namespace tenon::mem {

/// The clocks of a program that is not cyclic and whose indices are in range.
class Clocks {
public:
  explicit Clocks(const Program &program);

  /// Whether `a` has surely finished when `b` starts.
  bool precedes(unsigned a, unsigned b) const {
    return known(b)[streamOf[a]] > indexOf[a];
  }

  /// Lets `node` wait for `earlier` as well. What comes after `node` knows of
  /// it only once it has learnt from `node` again.
  void learn(unsigned node, unsigned earlier);

  /// What has surely finished when a node starts.
  Clock before(unsigned node) const;

  /// The clock after the last node of each stream.
  Clock end() const;

  /// A node's place on its stream.
  int64_t index(unsigned node) const { return indexOf[node]; }

private:
  llvm::ArrayRef<uint32_t> known(unsigned node) const {
    return llvm::ArrayRef(counters).slice(node * streams, streams);
  }

  size_t streams;
  std::vector<uint32_t> streamOf, indexOf, lengths, counters;
};

/// The placement problem of a program that has no cycle: one buffer per
/// tensor, in the program's order. Of the readers on one stream only the last
/// counts.
Problem problemOf(const Program &program);

} // namespace tenon::mem

#endif // TENON_LIB_MEMORY_STREAMS_CLOCKS_H
