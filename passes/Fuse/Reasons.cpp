//===- Reasons.cpp - why values go through memory -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file tells from finished groups which of the greedy rules kept two of
// them apart: the rules of FuseGroups.cpp, in words.
//===----------------------------------------------------------------------===//
#include "passes/Fuse/Reasons.h"

#include "dialects/Graph/Graph.h"
#include "dialects/Graph/Roles.h"
#include "dialects/Graph/Shapes.h"
#include "dialects/Kernel/LoopDomain.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace tenon;
using fuse::FusionMode;
using fuse::GreedyRules;
using kernel::GroupEdge;
using kernel::GroupOp;

/// A graph may have more values between groups than anyone reads about.
static constexpr size_t maxEdges = 4096;

static bool isFull(GroupOp group, unsigned maxOperations) {
  return llvm::range_size(group.getBlock().without_terminator()) >=
         maxOperations;
}

static bool haveSameShape(Operation *x, Operation *y) {
  auto dims = [](Operation *op) {
    return graph::dimsOf(cast<RankedTensorType>(op->getResult(0).getType()));
  };
  return dims(x) == dims(y);
}

/// Whether more than one group reads what the value of this edge is.
static bool hasOtherReaders(GroupEdge edge) {
  return llvm::any_of(edge.from->getUsers(),
                      [&](Operation *user) { return user != edge.to; });
}

/// Whether one nest of loops can compute both groups.
static bool fitsLoops(GroupOp from, Operation *consumer) {
  SmallVector<Operation *> ops;
  for (Operation &op : from.getBlock().without_terminator())
    ops.push_back(&op);
  return kernel::canExpressLoops(ops) && kernel::canExpressLoops({consumer});
}

static bool isRecurrence(Operation *anchor) {
  return anchor && graph::roleOf(anchor) == graph::Role::Recurrence;
}

/// Behind a product or a window: what FuseGroups calls an epilogue.
static StringRef whyNoEpilogue(GroupEdge edge, Operation *anchor) {
  if (!edge.consumer->hasTrait<graph::Elementwise>())
    return "not element-wise";
  if (!haveSameShape(edge.consumer, anchor))
    return "other shape";
  if (edge.to.getAnchor())
    return "joined another product or window";
  if (hasOtherReaders(edge))
    return "several users outside";
  return "what is between them is another kernel";
}

/// Between two nests of loops.
static StringRef whyNoLoops(GroupEdge edge) {
  if (!fitsLoops(edge.from, edge.consumer))
    return "no loops over one domain";
  if (isa<graph::ResizeOp>(edge.consumer))
    return "what is repeated is computed once";
  bool bothElementwise = edge.producer->hasTrait<graph::Elementwise>() &&
                         edge.consumer->hasTrait<graph::Elementwise>();
  if (bothElementwise && !haveSameShape(edge.producer, edge.consumer))
    return "other shape";
  if (hasOtherReaders(edge))
    return "several users outside";
  return "no loops over one domain";
}

std::string tenon::fuse::greedyReason(GroupEdge edge,
                                      const GreedyRules &rules) {
  Operation *before = edge.from.getAnchor(), *after = edge.to.getAnchor();
  if (rules.mode == FusionMode::Off)
    return "fusion is off";
  if (isRecurrence(before) || isRecurrence(after))
    return "a recurrence is alone in its kernel";
  if (edge.consumer == after)
    return before ? "a kernel has one product or window"
                  : "nothing joins in front of a product or window";
  if (edge.throughView)
    return "a reshape is between them";
  if (isFull(edge.from, rules.maxOperations))
    return "the group is full";
  if (rules.mode == FusionMode::Atoms && hasOtherReaders(edge))
    return "not the only user";
  if (before)
    return whyNoEpilogue(edge, before).str();
  if (after)
    return "nothing joins in front of a product or window";
  return whyNoLoops(edge).str();
}

void tenon::fuse::explain(func::FuncOp program, ReasonOf reasonOf) {
  for (auto group : program.getOps<GroupOp>())
    if (!kernel::factsOf(group))
      kernel::setFacts(group, kernel::measure(group));
  SmallVector<kernel::UnfusedEdge> unfused;
  llvm::DenseSet<std::pair<Operation *, Operation *>> known;
  for (const GroupEdge &edge : kernel::edgesOf(program)) {
    if (!edge.producer || !edge.consumer || unfused.size() == maxEdges ||
        !known.insert({edge.producer, edge.consumer}).second)
      continue;
    if (std::string reason = reasonOf(edge); !reason.empty())
      unfused.push_back({kernel::nameOf(edge.producer),
                         kernel::nameOf(edge.consumer), std::move(reason)});
  }
  kernel::setUnfused(program, unfused);
}
