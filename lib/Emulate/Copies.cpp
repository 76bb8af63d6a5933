//===- Copies.cpp - cp.async ----------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file copies from global to shared memory. Bytes are read at once, but
// arrive when they are waited for: who does not wait reads what was there.
//===----------------------------------------------------------------------===//
#include "lib/Emulate/Address.h"
#include "lib/Emulate/Decoder.h"
#include "lib/Emulate/Lanes.h"

#include <algorithm>
#include <cstring>

using namespace tenon::emulate;

/// Operand `a` is the destination, `b` + target the source, `c` its bytes,
/// op.kind the destination's.
static Step copyStep(Warp &warp, const Op &op, Mask mask) {
  uint32_t bytes = op.kind;
  const uint64_t *from64 = op.dBytes == 8 ? warp.from<uint64_t>(op.b) : nullptr;
  const uint32_t *from32 = op.dBytes == 4 ? warp.from<uint32_t>(op.b) : nullptr;
  for (Mask rest = mask; rest; rest &= rest - 1) {
    unsigned i = std::countr_zero(rest);
    uint32_t given = op.c == noRef ? bytes : warp.from<uint32_t>(op.c)[i];
    if (op.flags) // `c` is a predicate: ignore the source
      given = *warp.from<Mask>(op.c) >> i & 1 ? 0 : bytes;
    if (given > bytes)
      return warp.fail(op, Mask(1) << i,
                       "a source of " + std::to_string(given) + " bytes for " +
                           std::to_string(bytes));
    uint64_t to = addressOf(warp, op, i);
    uint64_t from = (from64 ? from64[i] : from32[i]) + int32_t(op.target);
    AsyncCopy copy;
    copy.to = bytesIn<Space::shared>(warp, op, to, bytes, i);
    copy.bytes = bytes;
    copy.lane = i;
    copy.data.fill(0);
    if (!copy.to || to % bytes)
      return failAccess(warp, op, Space::shared, to, bytes, i);
    const uint8_t *source =
        given ? bytesIn<Space::global>(warp, op, from, given, i) : nullptr;
    if (given && (!source || from % bytes))
      return failAccess(warp, op, Space::global, from, given, i);
    if (given)
      std::memcpy(copy.data.data(), source, given);
    warp.asyncGroups.back().push_back(copy);
  }
  return Step::next;
}

static Step commitStep(Warp &warp, const Op &, Mask) {
  warp.asyncGroups.emplace_back();
  return Step::next;
}

static Step waitStep(Warp &warp, const Op &op, Mask) {
  warp.finishAsync(op.value);
  return Step::next;
}

static Step waitAllStep(Warp &warp, const Op &, Mask) {
  warp.asyncGroups.emplace_back();
  warp.finishAsync(0);
  return Step::next;
}

/// The barrier is told of the copies so far: they are done at once.
static Step arriveStep(Warp &warp, const Op &op, Mask mask) {
  waitAllStep(warp, op, mask);
  for (Mask rest = mask; rest; rest &= rest - 1) {
    unsigned i = std::countr_zero(rest);
    uint64_t address = addressOf(warp, op, i);
    if (op.space == Space::generic)
      address -= window::shared;
    MBarrier *barrier = warp.cta.mbarrier(uint32_t(address));
    if (!barrier)
      return warp.fail(op, Mask(1) << i,
                       "there is no mbarrier at this address");
    // Without .noinc the arrival is added to those that are expected.
    if (!op.flags)
      continue;
    if (barrier->pending == 0)
      return warp.fail(op, Mask(1) << i, "more arrivals than are expected");
    --barrier->pending;
    settle(warp.machine, *barrier);
  }
  return Step::next;
}

static void copy(Decoder &decoder, Op &op) {
  decoder.takeOneOf({"ca", "cg"});
  bool toShared = decoder.take("shared") || decoder.take("shared::cta");
  bool fromGlobal = decoder.take("global");
  decoder.takeHints();
  bool hasPolicy = decoder.take("L2::cache_hint");
  decoder.needOperands(3, 4 + hasPolicy);
  decoder.address(0, op);
  Op source;
  decoder.address(1, source);
  op.b = source.a;
  op.dBytes = source.aBytes;
  op.target = uint32_t(source.value);
  int64_t bytes = decoder.immediate(2);
  op.kind = bytes;
  if (decoder.operands() - hasPolicy > 3) {
    Operand last = decoder.operand(3);
    const Symbol *symbol = decoder.lookUp(last.text);
    op.flags = symbol && symbol->type == Type::pred;
    op.c = op.flags ? decoder.predicate(last) : decoder.source(3, 4);
  }
  if (bytes != 4 && bytes != 8 && bytes != 16)
    decoder.fail("cp.async copies 4, 8 or 16 bytes");
  if (toShared && fromGlobal)
    op.run = copyStep;
}

static void async(Decoder &decoder, Op &op) {
  if (decoder.take("commit_group")) {
    decoder.needOperands(0, 0);
    op.run = commitStep;
  } else if (decoder.take("wait_group")) {
    decoder.needOperands(1, 1);
    op.value = decoder.immediate(0);
    op.run = waitStep;
  } else if (decoder.take("wait_all")) {
    decoder.needOperands(0, 0);
    op.run = waitAllStep;
  } else if (decoder.take("mbarrier")) {
    decoder.take("arrive");
    op.flags = decoder.take("noinc");
    op.space = takeAddressSpace(decoder);
    decoder.take("b64");
    decoder.needOperands(1, 1);
    decoder.address(0, op);
    op.role = Role::barrierArrive;
    op.run = arriveStep;
  } else
    copy(decoder, op);
}

static void cp(Decoder &decoder, Op &op) {
  if (!decoder.take("async"))
    return;
  if (decoder.take("bulk"))
    decodeBulk(decoder, op);
  else
    async(decoder, op);
}

void tenon::emulate::addCopies(DecodeTable &table) { table["cp"] = cp; }
