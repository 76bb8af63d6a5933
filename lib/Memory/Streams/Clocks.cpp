//===- Clocks.cpp - what has surely finished ------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Memory/Streams/Clocks.h"

#include <algorithm>

using namespace tenon::mem;

Clocks::Clocks(const Program &program)
    : streams(program.streams), lengths(program.streams, 0),
      counters(program.nodes.size() * program.streams, 0) {
  for (const Node &node : program.nodes) {
    streamOf.push_back(node.stream);
    indexOf.push_back(lengths[node.stream]++);
  }
  std::vector<std::vector<unsigned>> before = program.predecessors();
  std::vector<unsigned> order = *topologicalOrder(program);
  for (unsigned node : order)
    for (unsigned earlier : before[node])
      learn(node, earlier);
}

void Clocks::learn(unsigned node, unsigned earlier) {
  uint32_t *mine = &counters[node * streams];
  const uint32_t *other = &counters[earlier * streams];
  for (size_t s = 0; s < streams; ++s)
    mine[s] = std::max(mine[s], other[s]);
  uint32_t &counter = mine[streamOf[earlier]];
  counter = std::max(counter, indexOf[earlier] + 1);
}

Clock Clocks::before(unsigned node) const {
  std::vector<int64_t> ticks(known(node).begin(), known(node).end());
  return Clock(ticks);
}

Clock Clocks::end() const {
  std::vector<int64_t> ticks(lengths.begin(), lengths.end());
  // Without nodes, too, the end comes after the start.
  ticks[0] = std::max<int64_t>(ticks[0], 1);
  return Clock(ticks);
}

static Clock afterUses(const Program &program, const Clocks &clocks,
                       unsigned tensor) {
  Clock upper(std::vector<int64_t>(program.streams, 0));
  for (unsigned use : program.usesOf(tensor)) {
    int64_t &counter = upper[program.nodes[use].stream];
    counter = std::max(counter, clocks.index(use) + 1);
  }
  return upper;
}

/// What has surely finished when the first of its producers starts.
static Clock beforeProducers(const Program &program, const Clocks &clocks,
                             unsigned tensor) {
  const Tensor &t = program.tensors[tensor];
  Clock lower = clocks.before(*t.producer);
  for (unsigned other : t.coproducers) {
    Clock before = clocks.before(other);
    for (size_t s = 0; s < lower.streams(); ++s)
      lower[s] = std::min(lower[s], before[s]);
  }
  return lower;
}

Problem tenon::mem::problemOf(const Program &program) {
  Clocks clocks(program);
  Clock start(std::vector<int64_t>(program.streams, 0));
  Problem problem;
  for (unsigned t = 0; t < program.tensors.size(); ++t) {
    const Tensor &tensor = program.tensors[t];
    bool fromStart = tensor.lifelong || !tensor.producer;
    bool toEnd = tensor.lifelong || tensor.output || program.nodes.empty();
    Buffer buffer;
    buffer.id = tensor.id;
    buffer.size = tensor.size;
    buffer.alignment = tensor.alignment;
    buffer.scope = tensor.scope;
    buffer.fixed = tensor.fixed;
    buffer.lower = fromStart ? start : beforeProducers(program, clocks, t);
    buffer.upper = toEnd ? clocks.end() : afterUses(program, clocks, t);
    if (tensor.producer)
      buffer.stream = program.nodes[*tensor.producer].stream;
    problem.buffers.push_back(std::move(buffer));
  }
  problem.lists = program.lists;
  problem.overlays = program.overlays;
  return problem;
}
