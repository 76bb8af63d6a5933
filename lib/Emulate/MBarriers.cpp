//===- MBarriers.cpp - barriers in shared memory --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file has mbarrier. The token of an arrival is the phase's number.
//===----------------------------------------------------------------------===//
#include "lib/Emulate/Address.h"
#include "lib/Emulate/Decoder.h"
#include "lib/Emulate/Lanes.h"

using namespace tenon::emulate;

namespace {
/// Op::kind, in the order of their names below.
enum Kind : uint8_t { init, inval, arrive, arriveDrop, expectTx, completeTx };
/// Op::flags.
enum Flag : uint8_t { expects = 1, byParity = 2, suspends = 4 };
} // namespace

/// A cluster address without the window of generic addresses.
static uint64_t barrierAddress(const Warp &warp, const Op &op, unsigned lane) {
  uint64_t address = addressOf(warp, op, lane);
  return op.space == Space::generic ? address - window::shared : address;
}

/// The barrier that a lane means, or null after a report.
static MBarrier *barrierOf(Warp &warp, const Op &op, unsigned lane) {
  uint64_t address = barrierAddress(warp, op, lane);
  if (!warp.machine.shared(warp.cta, address, 8) || address % 8) {
    failAccess(warp, op, Space::cluster, address, 8, lane);
    return nullptr;
  }
  MBarrier *found =
      warp.machine.ctaOf(warp.cta, address)->mbarrier(uint32_t(address));
  if (!found)
    warp.fail(op, Mask(1) << lane, "there is no mbarrier at this address");
  return found;
}

static Step initStep(Warp &warp, const Op &op, Mask mask) {
  for (Mask rest = mask; rest; rest &= rest - 1) {
    unsigned i = std::countr_zero(rest);
    uint64_t address = barrierAddress(warp, op, i);
    if (!warp.machine.shared(warp.cta, address, 8) || address % 8)
      return failAccess(warp, op, Space::cluster, address, 8, i);
    uint32_t count = warp.from<uint32_t>(op.b)[i];
    if (count == 0 || count >= 1u << 20)
      return warp.fail(op, Mask(1) << i,
                       "an mbarrier for " + std::to_string(count) +
                           " arrivals");
    warp.cta.mbarriers[uint32_t(address)] = {count, count, 0, 0};
  }
  ++warp.machine.events;
  return Step::next;
}

static Step invalStep(Warp &warp, const Op &op, Mask mask) {
  for (Mask rest = mask; rest; rest &= rest - 1) {
    unsigned i = std::countr_zero(rest);
    if (!barrierOf(warp, op, i))
      return Step::failed;
    warp.cta.mbarriers.erase(uint32_t(barrierAddress(warp, op, i)));
  }
  return Step::next;
}

/// Arrivals, with or without bytes that are expected.
static Step arriveStep(Warp &warp, const Op &op, Mask mask) {
  for (Mask rest = mask; rest; rest &= rest - 1) {
    unsigned i = std::countr_zero(rest);
    MBarrier *barrier = barrierOf(warp, op, i);
    if (!barrier)
      return Step::failed;
    uint32_t count = op.b == noRef ? 1 : warp.from<uint32_t>(op.b)[i];
    if (op.flags & expects) {
      barrier->bytes += count;
      count = 1;
    }
    if (barrier->pending < count)
      return warp.fail(op, Mask(1) << i,
                       "more arrivals than the " +
                           std::to_string(barrier->expected) +
                           " that the mbarrier expects");
    if (op.d != noRef)
      warp.at<uint64_t>(op.d)[i] = barrier->phase;
    barrier->pending -= count;
    if (op.kind == arriveDrop)
      barrier->expected -= count;
    settle(warp.machine, *barrier);
  }
  return Step::next;
}

static Step bytesStep(Warp &warp, const Op &op, Mask mask) {
  for (Mask rest = mask; rest; rest &= rest - 1) {
    unsigned i = std::countr_zero(rest);
    MBarrier *barrier = barrierOf(warp, op, i);
    if (!barrier)
      return Step::failed;
    int64_t bytes = warp.from<uint32_t>(op.b)[i];
    barrier->bytes += op.kind == expectTx ? bytes : -bytes;
    settle(warp.machine, *barrier);
  }
  return Step::next;
}

static bool isOver(const MBarrier &barrier, uint64_t phase, bool parity) {
  return parity ? (barrier.phase & 1) != (phase & 1) : barrier.phase != phase;
}

/// Copies that the barrier counts are done now, when someone asks for them.
static Step waitStep(Warp &warp, const Op &op, Mask mask) {
  bool parity = op.flags & byParity;
  Mask over = 0;
  for (Mask rest = mask; rest; rest &= rest - 1) {
    unsigned i = std::countr_zero(rest);
    MBarrier *barrier = barrierOf(warp, op, i);
    if (!barrier)
      return Step::failed;
    uint64_t phase =
        parity ? warp.from<uint32_t>(op.b)[i] : warp.from<uint64_t>(op.b)[i];
    if (!isOver(*barrier, phase, parity) && barrier->bytes > 0)
      for (Cta *cta : warp.cta.cluster->ctas)
        if (!cta->copies.empty())
          warp.machine.finishCopies(*cta, barrier);
    over |= Mask(isOver(*barrier, phase, parity)) << i;
  }
  Mask &d = warp.predicate(op.d);
  d = (d & ~mask) | over;
  if (over == mask)
    return Step::next;
  unsigned waiter = std::countr_zero(mask & ~over);
  warp.note = {WaitNote::mbarrier, barrierAddress(warp, op, waiter)};
  return Step::yield;
}

static Step pendingStep(Warp &warp, const Op &op, Mask mask) {
  return warp.fail(op, mask, "pending counts are not kept in tokens");
}

static void waits(Decoder &decoder, Op &op) {
  op.flags = decoder.take("parity") ? byParity : 0;
  decoder.takeOneOf({"acquire", "relaxed"});
  decoder.takeHints();
  op.space = takeAddressSpace(decoder);
  decoder.take("b64");
  decoder.needOperands(3, 4); // the fourth is a time
  op.d = decoder.predicate(decoder.operand(0));
  decoder.address(1, op);
  op.b = decoder.source(2, op.flags & byParity ? 4 : 8);
  op.run = waitStep;
  op.role = Role::barrierTest;
}

static void arrives(Decoder &decoder, Op &op, Kind kind) {
  op.kind = kind;
  op.flags = decoder.take("expect_tx") ? expects : 0;
  decoder.take("noComplete");
  decoder.takeOneOf({"release", "relaxed"});
  decoder.takeHints();
  op.space = takeAddressSpace(decoder);
  decoder.take("b64");
  size_t first = decoder.operand(0).kind == Operand::address ? 0 : 1;
  if (first == 1 && decoder.operand(0).kind != Operand::sink)
    op.d = decoder.destination(0, 8);
  decoder.needOperands(first + 1, first + 2);
  decoder.address(first, op);
  if (decoder.operands() > first + 1)
    op.b = decoder.source(first + 1, 4);
  op.run = arriveStep;
  op.role = Role::barrierArrive;
  if ((op.flags & expects) && op.b == noRef)
    decoder.fail("how many bytes are expected?");
}

static void mbarrier(Decoder &decoder, Op &op) {
  if (decoder.take("test_wait") || decoder.take("try_wait"))
    return waits(decoder, op);
  if (decoder.take("arrive"))
    return arrives(decoder, op, arrive);
  if (decoder.take("arrive_drop"))
    return arrives(decoder, op, arriveDrop);
  if (decoder.take("pending_count")) {
    decoder.take("b64");
    op.run = pendingStep;
    return;
  }
  int kind = decoder.takeOneOf({"init", "inval", "expect_tx", "complete_tx"});
  op.kind = kind == 2 ? expectTx : kind == 3 ? completeTx : kind;
  decoder.take("relaxed");
  decoder.takeHints();
  op.space = takeAddressSpace(decoder);
  decoder.take("b64");
  bool hasCount = kind != 1;
  op.role = kind == 0 ? Role::barrierInit : Role::none;
  decoder.needOperands(1 + hasCount, 1 + hasCount);
  decoder.address(0, op);
  if (hasCount)
    op.b = decoder.source(1, 4);
  if (kind >= 0)
    op.run = kind == 0 ? initStep : kind == 1 ? invalStep : bytesStep;
}

void tenon::emulate::addMBarriers(DecodeTable &table) {
  table["mbarrier"] = mbarrier;
}
