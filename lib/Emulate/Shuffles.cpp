//===- Shuffles.cpp - what lanes of a warp tell each other ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file has shfl, vote, match, redux, activemask and elect. A lane that
// does not take part is read as all ones.
//===----------------------------------------------------------------------===//
#include "lib/Emulate/Decoder.h"
#include "lib/Emulate/Lanes.h"

#include <algorithm>
#include <cstring>

using namespace tenon::emulate;

namespace {
enum Shuffle : uint8_t { up, down, bfly, idx };
enum Vote : uint8_t { allOf, anyOf, uniform, ballot };
enum Reduction : uint8_t { add, min, max, bitAnd, bitOr, bitXor };
} // namespace

/// Lanes that are not in the mask of members must not execute it.
static bool isForeign(Warp &warp, const Op &op, Mask mask) {
  Mask members = warp.from<Mask>(op.e)[std::countr_zero(mask)];
  if ((mask & ~members) == 0)
    return false;
  warp.fail(op, mask & ~members, "the lane is not among the members");
  return true;
}

static Step shuffleStep(Warp &warp, const Op &op, Mask mask) {
  if (isForeign(warp, op, mask))
    return Step::failed;
  uint32_t values[lanes];
  std::memcpy(values, warp.from<uint32_t>(op.a), sizeof(values));
  const uint32_t *b = warp.from<uint32_t>(op.b), *c = warp.from<uint32_t>(op.c);
  Mask inside = 0;
  uint32_t *d = warp.at<uint32_t>(op.d);
  uint32_t results[lanes];
  eachLane(mask, [&](unsigned i) {
    int by = b[i] & 31, clamp = c[i] & 31, segment = c[i] >> 8 & 31;
    int lane = i, most = (lane & segment) | (clamp & ~segment);
    int least = lane & segment, from = 0;
    switch (op.kind) {
    case up:
      from = lane - by;
      break;
    case down:
      from = lane + by;
      break;
    case bfly:
      from = lane ^ by;
      break;
    default:
      from = least | (by & ~segment);
    }
    bool isInside = op.kind == up ? from >= most : from <= most;
    if (!isInside)
      from = lane;
    inside |= Mask(isInside) << i;
    results[i] = mask >> from & 1 ? values[from] : ~0u;
  });
  eachLane(mask, [&](unsigned i) { d[i] = results[i]; });
  if (op.target) {
    Mask &p = warp.predicate(Ref(op.value));
    p = (p & ~mask) | (inside & mask);
  }
  return Step::next;
}

static void shfl(Decoder &decoder, Op &op) {
  decoder.take("sync");
  int kind = decoder.takeOneOf({"up", "down", "bfly", "idx"});
  op.kind = kind;
  bool isWord = decoder.take("b32");
  decoder.needOperands(5, 5);
  const Operand &to = decoder.operand(0);
  bool hasTwo = to.kind == Operand::pair;
  op.d = decoder.destination(hasTwo ? to.parts[0] : to, 4);
  if (hasTwo) {
    op.value = decoder.predicate(to.parts[1]);
    op.target = 1; // `value` is a predicate
  }
  op.a = decoder.source(1, 4);
  op.b = decoder.source(2, 4);
  op.c = decoder.source(3, 4);
  op.e = decoder.source(4, 4);
  op.meet = Meet::members;
  if (isWord && kind >= 0)
    op.run = shuffleStep;
}

static Step voteStep(Warp &warp, const Op &op, Mask mask) {
  if (isForeign(warp, op, mask))
    return Step::failed;
  Mask holds = *warp.from<Mask>(op.a);
  holds = (op.flags ? ~holds : holds) & mask;
  if (op.kind == ballot) {
    forLanes(mask, warp.at<uint32_t>(op.d), [=](unsigned) { return holds; });
    return Step::next;
  }
  bool result = op.kind == allOf   ? holds == mask
                : op.kind == anyOf ? holds != 0
                                   : holds == mask || holds == 0;
  Mask &d = warp.predicate(op.d);
  d = (d & ~mask) | (result ? mask : 0);
  return Step::next;
}

static void vote(Decoder &decoder, Op &op) {
  decoder.take("sync");
  int kind = decoder.takeOneOf({"all", "any", "uni", "ballot"});
  op.kind = kind;
  decoder.takeType();
  decoder.needOperands(3, 3);
  op.d = kind == ballot ? decoder.destination(0, 4)
                        : decoder.predicate(decoder.operand(0));
  Operand which = decoder.operand(1);
  op.flags = which.negated;
  op.a = decoder.predicate(which);
  op.e = decoder.source(2, 4);
  op.meet = Meet::members;
  if (kind >= 0)
    op.run = voteStep;
}

template <typename T> static T reduced(uint8_t kind, T a, T b) {
  switch (kind) {
  case add:
    return T(uint32_t(a) + uint32_t(b));
  case min:
    return std::min(a, b);
  case max:
    return std::max(a, b);
  case bitAnd:
    return a & b;
  case bitOr:
    return a | b;
  default:
    return a ^ b;
  }
}

template <typename T>
static Step reduceStep(Warp &warp, const Op &op, Mask mask) {
  if (isForeign(warp, op, mask))
    return Step::failed;
  const T *a = warp.from<T>(op.a);
  unsigned first = std::countr_zero(mask);
  T result = a[first];
  eachLane(mask & (mask - 1),
           [&](unsigned i) { result = reduced(op.kind, result, a[i]); });
  forLanes(mask, warp.at<T>(op.d), [=](unsigned) { return result; });
  return Step::next;
}

static void redux(Decoder &decoder, Op &op) {
  decoder.take("sync");
  int kind = decoder.takeOneOf({"add", "min", "max", "and", "or", "xor"});
  op.kind = kind;
  op.type = decoder.takeType();
  decoder.needOperands(3, 3);
  op.d = decoder.destination(0, 4);
  op.a = decoder.source(1, 4);
  op.e = decoder.source(2, 4);
  op.meet = Meet::members;
  if (kind >= 0 && isInteger(op.type) && bytesOf(op.type) == 4)
    op.run = isSigned(op.type) ? reduceStep<int32_t> : reduceStep<uint32_t>;
}

/// Which lanes have the same value; for `all`, whether every lane has.
template <typename T>
static Step matchStep(Warp &warp, const Op &op, Mask mask) {
  if (isForeign(warp, op, mask))
    return Step::failed;
  T a[lanes];
  std::memcpy(a, warp.from<T>(op.a), sizeof(a));
  Mask same[lanes], complete = 0;
  eachLane(mask, [&](unsigned i) {
    same[i] = 0;
    eachLane(mask, [&](unsigned k) { same[i] |= Mask(a[k] == a[i]) << k; });
    complete |= same[i] == mask ? Mask(1) << i : 0;
  });
  bool isAll = op.kind == allOf;
  eachLane(mask, [&](unsigned i) {
    bool isEmpty = isAll && complete != mask;
    warp.at<uint32_t>(op.d)[i] = isEmpty ? 0 : same[i];
  });
  if (op.b != noRef) {
    Mask &p = warp.predicate(op.b);
    p = (p & ~mask) | (complete == mask ? mask : 0);
  }
  return Step::next;
}

static void match(Decoder &decoder, Op &op) {
  int kind = decoder.takeOneOf({"all", "any"});
  op.kind = kind;
  decoder.take("sync");
  op.type = decoder.takeType();
  decoder.needOperands(3, 3);
  const Operand &to = decoder.operand(0);
  bool hasTwo = to.kind == Operand::pair;
  op.d = decoder.destination(hasTwo ? to.parts[0] : to, 4);
  if (hasTwo)
    op.b = decoder.predicate(to.parts[1]);
  op.a = decoder.source(1, bytesOf(op.type));
  op.e = decoder.source(2, 4);
  op.meet = Meet::members;
  if (kind >= 0)
    op.run = op.type == Type::b32   ? matchStep<uint32_t>
             : op.type == Type::b64 ? matchStep<uint64_t>
                                    : nullptr;
}

static Step activeStep(Warp &warp, const Op &op, Mask mask) {
  forLanes(mask, warp.at<uint32_t>(op.d), [=](unsigned) { return mask; });
  return Step::next;
}

static void activemask(Decoder &decoder, Op &op) {
  decoder.needOperands(1, 1);
  op.d = decoder.destination(0, 4);
  if (decoder.take("b32"))
    op.run = activeStep;
}

/// The lowest member leads.
static Step electStep(Warp &warp, const Op &op, Mask mask) {
  if (isForeign(warp, op, mask))
    return Step::failed;
  uint32_t leader = std::countr_zero(mask);
  forLanes(mask, warp.at<uint32_t>(op.d), [=](unsigned) { return leader; });
  Mask &p = warp.predicate(op.b);
  p = (p & ~mask) | Mask(1) << leader;
  return Step::next;
}

static void elect(Decoder &decoder, Op &op) {
  decoder.needOperands(2, 2);
  const Operand &to = decoder.operand(0);
  if (to.kind != Operand::pair)
    return;
  op.d = decoder.wideDestination(to.parts[0], 4, op.dBytes);
  op.b = decoder.predicate(to.parts[1]);
  op.e = decoder.source(1, 4);
  op.meet = Meet::members;
  if (decoder.take("sync"))
    op.run = electStep;
}

void tenon::emulate::addShuffles(DecodeTable &table) {
  table["shfl"] = shfl;
  table["vote"] = vote;
  table["redux"] = redux;
  table["match"] = match;
  table["activemask"] = activemask;
  table["elect"] = elect;
}
