//===- Closure.h - the order of nodes, pair by pair -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file has the slow and plain form of "finishes before the other starts":
// one row of bits per node, the nodes before it. It shares nothing with
// Clocks.h, so that each can be tested against the other, and proofs
// (validateProgram) rest on this one.
//===----------------------------------------------------------------------===//
#ifndef TENON_LIB_MEMORY_STREAMS_CLOSURE_H
#define TENON_LIB_MEMORY_STREAMS_CLOSURE_H

#include "lib/Memory/Streams/Program.h"

namespace tenon::mem {

/// The transitive closure of stream order and events: nodes ^ 2 / 8 bytes.
class Closure {
public:
  explicit Closure(const Program &program);

  /// Whether some node would come before itself; nothing else is known then.
  bool cyclic() const { return hasCycle; }

  /// Whether `a` has surely finished when `b` starts.
  bool precedes(unsigned a, unsigned b) const {
    return rows[b * words + a / 64] >> a % 64 & 1;
  }

private:
  size_t words;
  std::vector<uint64_t> rows;
  bool hasCycle = false;
};

/// The tensors' relation that follows from a closure, use by use.
class TensorOrder {
public:
  TensorOrder(const Program &program, const Closure &closure);

  /// Whether every use of `a` has finished when `b` comes into being.
  bool doneBefore(unsigned a, unsigned b) const;

  /// Whether both may be in use at the same moment.
  bool meet(unsigned a, unsigned b) const {
    return !doneBefore(a, b) && !doneBefore(b, a);
  }

private:
  const Program &program;
  const Closure &closure;
  /// The uses that no other use of the same tensor follows.
  std::vector<std::vector<unsigned>> lastUses;
};

} // namespace tenon::mem

#endif // TENON_LIB_MEMORY_STREAMS_CLOSURE_H
