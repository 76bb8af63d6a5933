//===- Barriers.cpp - barriers of CTAs and clusters -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file has bar and barrier. A warp counts as 32 threads.
//===----------------------------------------------------------------------===//
#include "lib/Emulate/Decoder.h"
#include "lib/Emulate/Lanes.h"

using namespace tenon::emulate;

namespace {
enum Kind : uint8_t { meets, arrive, popc, all, any };
} // namespace

static Step noStep(Warp &, const Op &, Mask) { return Step::next; }

/// Ends the phase if all threads are there.
static bool complete(Warp &warp, NamedBarrier &barrier) {
  uint32_t needed = barrier.expected ? barrier.expected : warp.cta.liveThreads;
  if (barrier.arrived < needed)
    return false;
  barrier.result = barrier.trueThreads;
  barrier.arrived = barrier.expected = barrier.trueThreads = 0;
  ++barrier.phase;
  ++warp.machine.events;
  return true;
}

/// What a reduction gives to the lanes.
static void giveResult(Warp &warp, const Op &op, Mask mask,
                       const NamedBarrier &barrier, uint32_t threads) {
  uint32_t count = barrier.result;
  if (op.kind == popc)
    forLanes(mask, warp.at<uint32_t>(op.d), [=](unsigned) { return count; });
  if (op.kind != all && op.kind != any)
    return;
  bool holds = op.kind == all ? count == threads : count != 0;
  Mask &d = warp.predicate(op.d);
  d = (d & ~mask) | (holds ? mask : 0);
}

static Step barrierStep(Warp &warp, const Op &op, Mask mask) {
  unsigned lane = std::countr_zero(mask);
  uint32_t number = warp.from<uint32_t>(op.a)[lane];
  uint32_t threads = op.b == noRef ? 0 : warp.from<uint32_t>(op.b)[lane];
  if (number >= 16)
    return warp.fail(op, mask, "there is no barrier " + std::to_string(number));
  NamedBarrier &barrier = warp.cta.barriers[number];
  warp.note = {WaitNote::barrier, number};
  uint32_t all = threads ? threads : warp.cta.threads;
  if (warp.waiting) {
    if (barrier.phase == warp.waitPhase && !complete(warp, barrier))
      return Step::wait;
    warp.waiting = false;
    giveResult(warp, op, mask, barrier, all);
    return Step::next;
  }
  if (op.b != noRef && (threads == 0 || threads % lanes))
    return warp.fail(op, mask,
                     "a barrier of " + std::to_string(threads) +
                         " threads, which is no multiple of 32");
  if (threads > alignUp(warp.cta.threads, lanes))
    return warp.fail(op, mask, "a barrier of more threads than the CTA has");
  if (barrier.arrived && barrier.expected != threads)
    return warp.fail(op, mask,
                     "others came to this barrier for " +
                         std::to_string(barrier.expected) + " threads, not " +
                         std::to_string(threads) + " (0: all)");
  barrier.expected = threads;
  barrier.arrived += threads ? lanes : std::popcount(warp.alive);
  if (op.c != noRef) {
    Mask holds = *warp.from<Mask>(op.c);
    barrier.trueThreads += std::popcount((op.flags ? ~holds : holds) & mask);
  }
  ++warp.machine.events;
  uint32_t phase = barrier.phase;
  bool isDone = complete(warp, barrier);
  if (op.kind == arrive)
    return Step::next;
  if (isDone) {
    giveResult(warp, op, mask, barrier, all);
    return Step::next;
  }
  warp.waiting = true;
  warp.waitPhase = phase;
  return Step::wait;
}

static uint32_t warpsOf(const Cluster &cluster) {
  uint32_t count = 0;
  for (const Cta *cta : cluster.ctas)
    for (const std::unique_ptr<Warp> &warp : cta->warps)
      count += warp->alive != 0;
  return count;
}

static bool completeCluster(Warp &warp) {
  Cluster &cluster = *warp.cta.cluster;
  if (cluster.arrived < warpsOf(cluster))
    return false;
  cluster.arrived = 0;
  ++cluster.phase;
  ++warp.machine.events;
  return true;
}

static Step clusterArriveStep(Warp &warp, const Op &op, Mask mask) {
  if (warp.clusterArrived)
    return warp.fail(op, mask, "the warp arrives twice without a wait");
  warp.clusterArrived = true;
  warp.clusterPhase = warp.cta.cluster->phase;
  ++warp.cta.cluster->arrived;
  ++warp.machine.events;
  completeCluster(warp);
  return Step::next;
}

static Step clusterWaitStep(Warp &warp, const Op &op, Mask mask) {
  if (!warp.clusterArrived)
    return warp.fail(op, mask, "the warp waits without having arrived");
  warp.note = {WaitNote::cluster, 0};
  if (warp.cta.cluster->phase == warp.clusterPhase && !completeCluster(warp))
    return Step::wait;
  warp.clusterArrived = false;
  return Step::next;
}

static void cluster(Decoder &decoder, Op &op) {
  decoder.takeOneOf({"release", "relaxed", "acquire"});
  decoder.take("aligned");
  decoder.needOperands(0, 0);
  op.meet = Meet::all;
  if (decoder.take("arrive"))
    op.run = clusterArriveStep;
  else if (decoder.take("wait")) {
    op.role = Role::barrierWait;
    op.run = clusterWaitStep;
  }
}

static void warpSync(Decoder &decoder, Op &op) {
  decoder.take("sync");
  decoder.needOperands(1, 1);
  op.meet = Meet::members;
  op.e = decoder.source(0, 4);
  op.run = noStep;
}

/// ".red.popc.u32 d, a{, b}, p" and its like.
static void reduce(Decoder &decoder, Op &op) {
  int kind = decoder.takeOneOf({"popc", "and", "or"});
  decoder.take("aligned");
  Type type = decoder.takeType();
  decoder.needOperands(3, 4);
  op.kind = popc + kind;
  op.d = type == Type::pred ? decoder.predicate(decoder.operand(0))
                            : decoder.destination(0, 4);
  op.a = decoder.source(1, 4);
  if (decoder.operands() == 4)
    op.b = decoder.source(2, 4);
  Operand last = decoder.operand(decoder.operands() - 1);
  op.flags = last.negated;
  op.c = decoder.predicate(last);
  if (kind >= 0)
    op.run = barrierStep;
}

static void bar(Decoder &decoder, Op &op) {
  if (decoder.take("cluster"))
    return cluster(decoder, op);
  if (decoder.take("warp"))
    return warpSync(decoder, op);
  decoder.take("cta");
  op.meet = Meet::all;
  op.role = Role::barrierWait;
  if (decoder.take("red"))
    return reduce(decoder, op);
  op.kind = decoder.take("arrive") ? arrive : meets;
  decoder.take("sync");
  decoder.take("aligned");
  decoder.needOperands(op.kind == arrive ? 2 : 1, 2);
  op.run = barrierStep;
  op.a = decoder.source(0, 4);
  if (decoder.operands() == 2)
    op.b = decoder.source(1, 4);
}

void tenon::emulate::addBarriers(DecodeTable &table) {
  table["bar"] = bar;
  table["barrier"] = bar;
}
