//===- Closure.cpp - the order of nodes, pair by pair ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Memory/Streams/Closure.h"

#include "llvm/ADT/STLExtras.h"

using namespace tenon::mem;

Closure::Closure(const Program &program)
    : words((program.nodes.size() + 63) / 64),
      rows(program.nodes.size() * words, 0) {
  size_t count = program.nodes.size();
  std::vector<std::pair<unsigned, unsigned>> edges;
  for (const Event &event : program.events)
    edges.emplace_back(event.after, event.before);
  std::vector<int64_t> last(program.streams, -1);
  for (unsigned n = 0; n < count; ++n) {
    int64_t &previous = last[program.nodes[n].stream];
    if (previous >= 0)
      edges.emplace_back(unsigned(previous), n);
    previous = n;
  }
  std::vector<std::vector<unsigned>> next(count);
  std::vector<unsigned> missing(count, 0), ready;
  for (auto [a, b] : edges) {
    next[a].push_back(b);
    ++missing[b];
  }
  for (unsigned n = 0; n < count; ++n)
    if (!missing[n])
      ready.push_back(n);
  // `ready` grows while it is walked; a node enters it when its row is whole.
  for (size_t at = 0; at < ready.size(); ++at) {
    unsigned a = ready[at];
    for (unsigned b : next[a]) {
      for (size_t w = 0; w < words; ++w)
        rows[b * words + w] |= rows[a * words + w];
      rows[b * words + a / 64] |= uint64_t(1) << a % 64;
      if (!--missing[b])
        ready.push_back(b);
    }
  }
  hasCycle = ready.size() != count;
}

TensorOrder::TensorOrder(const Program &program, const Closure &closure)
    : program(program), closure(closure) {
  for (unsigned t = 0; t < program.tensors.size(); ++t) {
    std::vector<unsigned> uses = program.usesOf(t), last;
    // From the back, what is seen first is what rules out most.
    for (unsigned use : llvm::reverse(uses))
      if (llvm::none_of(llvm::reverse(uses), [&](unsigned later) {
            return closure.precedes(use, later);
          }))
        last.push_back(use);
    lastUses.push_back(std::move(last));
  }
}

bool TensorOrder::doneBefore(unsigned a, unsigned b) const {
  const Tensor &first = program.tensors[a], &second = program.tensors[b];
  if (first.lifelong || first.output || second.lifelong || !second.producer)
    return false;
  return llvm::all_of(program.producersOf(b), [&](unsigned writer) {
    return llvm::all_of(lastUses[a], [&](unsigned use) {
      return closure.precedes(use, writer);
    });
  });
}
