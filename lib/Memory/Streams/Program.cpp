//===- Program.cpp - the program's own rules ------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Memory/Streams/Program.h"
#include "lib/Memory/Streams/Clocks.h"
#include "lib/Support/SortUnique.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"
#include <queue>

using namespace tenon;
using namespace tenon::mem;

/// More would make clocks larger than what they plan.
static constexpr unsigned mostStreams = 1024;

std::vector<unsigned> Program::producersOf(unsigned tensor) const {
  std::vector<unsigned> producers = tensors[tensor].coproducers;
  if (tensors[tensor].producer)
    producers.push_back(*tensors[tensor].producer);
  return producers;
}

std::vector<unsigned> Program::usesOf(unsigned tensor) const {
  const Tensor &t = tensors[tensor];
  std::vector<unsigned> uses = t.consumers;
  llvm::append_range(uses, producersOf(tensor));
  if (uses.empty() && !nodes.empty())
    uses.push_back(0);
  sortUnique(uses);
  return uses;
}

std::vector<std::optional<unsigned>> Program::streamPredecessors() const {
  std::vector<std::optional<unsigned>> last(streams), result;
  for (unsigned n = 0; n < nodes.size(); ++n) {
    result.push_back(last[nodes[n].stream]);
    last[nodes[n].stream] = n;
  }
  return result;
}

std::vector<std::vector<unsigned>> Program::predecessors() const {
  std::vector<std::vector<unsigned>> result(nodes.size());
  std::vector<std::optional<unsigned>> previous = streamPredecessors();
  for (unsigned n = 0; n < nodes.size(); ++n)
    if (previous[n])
      result[n].push_back(*previous[n]);
  for (const Event &event : events)
    result[event.before].push_back(event.after);
  return result;
}

std::optional<std::vector<unsigned>>
tenon::mem::topologicalOrder(const Program &program) {
  size_t count = program.nodes.size();
  std::vector<std::vector<unsigned>> next(count);
  std::vector<unsigned> missing, order;
  for (auto [n, before] : llvm::enumerate(program.predecessors())) {
    missing.push_back(unsigned(before.size()));
    for (unsigned earlier : before)
      next[earlier].push_back(unsigned(n));
  }
  std::priority_queue<unsigned, std::vector<unsigned>, std::greater<>> ready;
  for (unsigned n = 0; n < count; ++n)
    if (!missing[n])
      ready.push(n);
  while (!ready.empty()) {
    unsigned n = ready.top();
    ready.pop();
    order.push_back(n);
    for (unsigned after : next[n])
      if (!--missing[after])
        ready.push(after);
  }
  if (order.size() != count)
    return std::nullopt;
  return order;
}

static llvm::Error wrongNode(const Node &node, const char *why) {
  return llvm::createStringError("node '%s' %s", node.id.c_str(), why);
}

static llvm::Error wrongTensor(const Tensor &tensor, const char *why) {
  return llvm::createStringError("tensor '%s' %s", tensor.id.c_str(), why);
}

static llvm::Error checkNodes(const Program &program) {
  if (program.streams < 1 || program.streams > mostStreams)
    return llvm::createStringError("a program has 1 to %u streams",
                                   mostStreams);
  llvm::StringSet<> ids;
  for (const Node &node : program.nodes) {
    if (!ids.insert(node.id).second)
      return wrongNode(node, "appears twice");
    if (node.stream >= program.streams)
      return wrongNode(node, "is on a stream that does not exist");
    if (node.cost < 0 || node.cost > int64_t(1) << 40)
      return wrongNode(node, "has a cost out of range");
  }
  for (const Event &event : program.events) {
    if (event.after >= program.nodes.size() ||
        event.before >= program.nodes.size())
      return llvm::createStringError("an event names a node out of range");
    if (event.after == event.before)
      return wrongNode(program.nodes[event.after], "waits for itself");
  }
  return llvm::Error::success();
}

static llvm::Error checkTensors(const Program &program) {
  llvm::StringSet<> ids;
  for (const Tensor &tensor : program.tensors) {
    if (!ids.insert(tensor.id).second)
      return wrongTensor(tensor, "appears twice");
    bool inRange = tensor.producer.value_or(0) < program.nodes.size() ||
                   !tensor.producer.has_value();
    for (unsigned node :
         llvm::concat<const unsigned>(tensor.consumers, tensor.coproducers))
      inRange &= node < program.nodes.size();
    if (!inRange)
      return wrongTensor(tensor, "names a node out of range");
    if (tensor.input && tensor.producer)
      return wrongTensor(tensor, "is an input but is written by a node");
    if (!tensor.producer && !tensor.input && !tensor.lifelong)
      return wrongTensor(tensor, "is written by no node");
    if (!tensor.producer && !tensor.coproducers.empty())
      return wrongTensor(tensor, "is written in parts but has no producer");
  }
  return llvm::Error::success();
}

static llvm::Error checkTies(const Program &program) {
  bool inRange = true;
  for (const Contiguous &list : program.lists)
    for (unsigned tensor : list.buffers)
      inRange &= tensor < program.tensors.size();
  for (const Overlay &overlay : program.overlays)
    inRange &= overlay.whole < program.tensors.size() &&
               overlay.part < program.tensors.size();
  if (!inRange)
    return llvm::createStringError(
        "a list or an overlay names a tensor out of range");
  return llvm::Error::success();
}

/// A node on a cycle: from a node that can never start, back through what it
/// waits for, until a node comes again.
static unsigned nodeOnCycle(const Program &program) {
  std::vector<std::vector<unsigned>> before = program.predecessors();
  // 0: not seen, 1: on the path, 2: done.
  std::vector<char> state(before.size(), 0);
  for (unsigned root = 0; root < before.size(); ++root) {
    std::vector<std::pair<unsigned, size_t>> path;
    if (!state[root])
      path.emplace_back(root, 0);
    while (!path.empty()) {
      auto &[n, at] = path.back();
      state[n] = 1;
      if (at == before[n].size()) {
        state[n] = 2;
        path.pop_back();
        continue;
      }
      unsigned next = before[n][at++];
      if (state[next] == 1)
        return next;
      if (state[next] == 0)
        path.emplace_back(next, 0);
    }
  }
  return 0;
}

static llvm::Error checkReaders(const Program &program, unsigned number,
                                unsigned writer, const Clocks &clocks) {
  const Tensor &tensor = program.tensors[number];
  for (unsigned reader : tensor.consumers) {
    const Node &node = program.nodes[reader];
    if (reader == writer)
      return wrongNode(node, "reads and writes the same tensor");
    if (!clocks.precedes(writer, reader))
      return llvm::createStringError(
          "node '%s' on stream %u reads '%s' without waiting for '%s'",
          node.id.c_str(), node.stream, tensor.id.c_str(),
          program.nodes[writer].id.c_str());
  }
  return llvm::Error::success();
}

/// Every reader comes after all writers.
static llvm::Error checkOrder(const Program &program, const Clocks &clocks) {
  for (unsigned t = 0; t < program.tensors.size(); ++t)
    for (unsigned writer : program.producersOf(t))
      if (llvm::Error error = checkReaders(program, t, writer, clocks))
        return error;
  return llvm::Error::success();
}

static bool reads(const Tensor &tensor, std::optional<unsigned> node) {
  return node && llvm::is_contained(tensor.consumers, *node);
}

static llvm::Error checkOverlays(const Program &program) {
  for (const Overlay &overlay : program.overlays) {
    const Tensor &whole = program.tensors[overlay.whole];
    const Tensor &part = program.tensors[overlay.part];
    if (!part.coproducers.empty())
      return wrongTensor(part, "lies on another one but is written in parts");
    if (overlay.kind == Overlay::InPlace && (whole.lifelong || whole.output))
      return wrongTensor(whole, "is overwritten in place but used at the end");
    if (overlay.kind == Overlay::InPlace && !reads(whole, part.producer))
      return wrongTensor(part, "overwrites what its node does not read");
    if (overlay.kind == Overlay::View && !reads(whole, part.producer) &&
        !reads(part, whole.producer))
      return wrongTensor(part, "is a view, but no node makes it from its whole "
                               "or its whole from it");
  }
  return llvm::Error::success();
}

llvm::Error Program::check() const {
  if (llvm::Error error = checkNodes(*this))
    return error;
  if (llvm::Error error = checkTensors(*this))
    return error;
  if (llvm::Error error = checkTies(*this))
    return error;
  std::optional<std::vector<unsigned>> order = topologicalOrder(*this);
  if (!order)
    return wrongNode(nodes[nodeOnCycle(*this)],
                     "would wait for itself: the program is cyclic");
  if (llvm::Error error = checkOrder(*this, Clocks(*this)))
    return error;
  if (llvm::Error error = checkOverlays(*this))
    return error;
  return problemOf(*this).check();
}
