//===- Program.h - what runs, and what it keeps in memory -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file states the program whose memory is planned: nodes (kernels,
// copies) that are launched on streams. Nodes of one stream run in the order
// of their launch; streams run at the same time, held back only by events:
//
//   stream 0:  --[ conv1 ]--[ conv3 ]-------------->
//                   |  event
//                   +------------+
//                                v
//   stream 1:  --[ conv2 ]----[ add ]-------------->
//
// So "a is over before b begins" is a partial order. It has two independent
// forms: Clocks.h (fast, for planning) and Closure.h (plain, for proofs). Two
// tensors may share bytes exactly if every use of one comes before the
// producer of the other.
//
//   Program program;
//   program.nodes = {{"p", 0}, {"c", 1}};
//   program.events = {{0, 1}};                       // c waits for p
//   Tensor t{"t", 4096};
//   t.producer = 0;
//   t.consumers = {1};
//   program.tensors = {t};
//   if (llvm::Error error = program.check()) ...
//   Solution solution = solvePortfolio(problemOf(program));
//   if (llvm::Error error = validateProgram(program, solution)) ...
//===----------------------------------------------------------------------===//
#ifndef TENON_LIB_MEMORY_STREAMS_PROGRAM_H
#define TENON_LIB_MEMORY_STREAMS_PROGRAM_H

#include "lib/Memory/Problem.h"

namespace tenon::mem {

/// Something that runs on a stream.
struct Node {
  std::string id; ///< unique among nodes
  unsigned stream = 0;
  int64_t cost = 1; ///< how long it takes, in any unit; for scheduling

  bool operator==(const Node &) const = default;
};

/// Recorded after one node, waited for before another: an edge.
struct Event {
  unsigned after = 0;  ///< the node that must finish
  unsigned before = 0; ///< the node that waits

  bool operator==(const Event &) const = default;
};

/// A value in memory. It is in use from the moment the first of its producers
/// starts until all producers and consumers have finished.
struct Tensor {
  std::string id; ///< unique among tensors
  int64_t size = 0;
  int64_t alignment = 1;
  unsigned scope = 0;
  std::optional<int64_t> fixed = {};
  std::optional<unsigned> producer = {}; ///< the node that writes it
  std::vector<unsigned> consumers = {};  ///< the nodes that read it
  /// Nodes that write other parts of it, at any time before and after the
  /// producer: those of a concatenation, say.
  std::vector<unsigned> coproducers = {};
  /// Filled before the first node: in use from the start. One that nobody
  /// reads is in use until the node that is launched first has finished.
  bool input = false;
  /// Read after the last node: in use to the end.
  bool output = false;
  /// In use before, during and after the program: meets every other tensor.
  bool lifelong = false;

  bool operator==(const Tensor &) const = default;
};

/// Nodes in launch order and the tensors that they use. Lists and overlays are
/// those of Problem.h, over tensors.
struct Program {
  unsigned streams = 1;
  std::vector<Node> nodes = {};
  std::vector<Event> events = {};
  std::vector<Tensor> tensors = {};
  std::vector<Contiguous> lists = {};
  std::vector<Overlay> overlays = {};

  /// The first thing that is wrong, if any: indices, names, cycles, readers
  /// that do not wait for their writer, and all that Problem::check() finds.
  /// A program that passes has a solution.
  llvm::Error check() const;

  /// The nodes that must finish before a tensor's bytes are free, apart from
  /// "the end": its producers and its consumers, each once, in launch order.
  std::vector<unsigned> usesOf(unsigned tensor) const;

  /// The producer and those beside it, in no order.
  std::vector<unsigned> producersOf(unsigned tensor) const;

  /// The node that a node follows on its stream; none for the first.
  std::vector<std::optional<unsigned>> streamPredecessors() const;

  /// For each node, what it comes directly after: the node before it on its
  /// stream, and those whose events it waits for.
  std::vector<std::vector<unsigned>> predecessors() const;
};

/// Nodes so that each comes after all it waits for; of several that could be
/// next, the one that is launched first. None for a cyclic program.
std::optional<std::vector<unsigned>> topologicalOrder(const Program &program);

/// Proves a solution against the program, without clocks: the order of nodes
/// is its transitive closure. Whatever may be in use together is disjoint,
/// readers wait for writers, offsets are aligned, lists contiguous and guards
/// free, an overwriting node comes after every other use of what it
/// overwrites, views are at their place. The program's indices must be in
/// range (check() says so). O(nodes * edges / 64 + pairs that share bytes).
llvm::Error validateProgram(const Program &program, const Solution &solution);

} // namespace tenon::mem

#endif // TENON_LIB_MEMORY_STREAMS_PROGRAM_H
