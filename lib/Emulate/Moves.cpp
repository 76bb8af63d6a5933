//===- Moves.cpp - mov, and addresses of other spaces ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file moves registers, packs and unpacks them, and brings addresses from
// one space to another.
//===----------------------------------------------------------------------===//
#include "lib/Emulate/Decoder.h"
#include "lib/Emulate/Lanes.h"

#include <cstring>

using namespace tenon::emulate;

template <typename T>
static Step copyStep(Warp &warp, const Op &op, Mask mask) {
  const T *a = warp.from<T>(op.a);
  forLanes(mask, warp.at<T>(op.d), [=](unsigned i) { return a[i]; });
  return Step::next;
}

static Step copyPredicateStep(Warp &warp, const Op &op, Mask mask) {
  Mask &d = warp.predicate(op.d);
  d = (d & ~mask) | (*warp.from<Mask>(op.a) & mask);
  return Step::next;
}

/// Operations done so far, in the place of a clock.
static Step clockStep(Warp &warp, const Op &op, Mask mask) {
  uint64_t now = warp.machine.work.instructions + ++warp.machine.ticks;
  if (op.dBytes == 4)
    forLanes(mask, warp.at<uint32_t>(op.d), [=](unsigned) { return now; });
  else
    forLanes(mask, warp.at<uint64_t>(op.d), [=](unsigned) { return now; });
  return Step::yield;
}

/// {a, b} of N to d of W.
template <typename N, typename W>
static Step packStep(Warp &warp, const Op &op, Mask mask) {
  const Ref *parts = warp.machine.program.lists.data() + op.list;
  const N *from[4] = {};
  for (unsigned p = 0; p < op.count; ++p)
    from[p] = warp.from<N>(parts[p]);
  unsigned count = op.count;
  forLanes(mask, warp.at<W>(op.d), [=](unsigned i) {
    W result = 0;
    for (unsigned p = 0; p < count; ++p)
      result |= W(from[p][i]) << (p * sizeof(N) * 8);
    return result;
  });
  return Step::next;
}

template <typename N, typename W>
static Step unpackStep(Warp &warp, const Op &op, Mask mask) {
  const Ref *parts = warp.machine.program.lists.data() + op.list;
  W value[lanes];
  std::memcpy(value, warp.from<W>(op.a), sizeof(value));
  for (unsigned p = 0; p < op.count; ++p)
    forLanes(mask, warp.at<N>(parts[p]),
             [&](unsigned i) { return N(value[i] >> (p * sizeof(N) * 8)); });
  return Step::next;
}

/// Both ways between a list and a register; false if the sizes do not fit.
static bool decodeParts(Decoder &decoder, Op &op, unsigned bytes) {
  const Operand &to = decoder.operand(0), &from = decoder.operand(1);
  bool packs = from.kind == Operand::list;
  const std::vector<Operand> &list = packs ? from.parts : to.parts;
  unsigned part = list.empty() ? 0 : bytes / list.size();
  std::vector<Ref> refs;
  for (const Operand &element : list)
    refs.push_back(packs ? decoder.source(element, part)
                         : decoder.destination(element, part));
  decoder.setList(op, refs);
  if (packs)
    op.d = decoder.destination(0, bytes);
  else
    op.a = decoder.source(1, bytes);
  if (bytes == 4 && part == 2)
    op.run =
        packs ? packStep<uint16_t, uint32_t> : unpackStep<uint16_t, uint32_t>;
  else if (bytes == 8 && part == 4)
    op.run =
        packs ? packStep<uint32_t, uint64_t> : unpackStep<uint32_t, uint64_t>;
  else if (bytes == 8 && part == 2)
    op.run =
        packs ? packStep<uint16_t, uint64_t> : unpackStep<uint16_t, uint64_t>;
  return op.run != nullptr;
}

static void mov(Decoder &decoder, Op &op) {
  op.type = decoder.takeType();
  unsigned bytes = bytesOf(op.type);
  decoder.needOperands(2, 2);
  const Operand &to = decoder.operand(0), &from = decoder.operand(1);
  if (op.type == Type::pred) {
    op.run = copyPredicateStep;
    op.d = decoder.predicate(to);
    op.a = decoder.predicate(from);
    return;
  }
  if (to.kind == Operand::list || from.kind == Operand::list) {
    decodeParts(decoder, op, bytes);
    return;
  }
  op.role = Role::copy;
  op.d = decoder.destination(0, bytes);
  op.dBytes = bytes;
  if (from.text.starts_with("%clock") ||
      from.text.starts_with("%globaltimer")) {
    op.run = clockStep;
    return;
  }
  op.run = bytes == 2   ? copyStep<uint16_t>
           : bytes == 4 ? copyStep<uint32_t>
           : bytes == 8 ? copyStep<uint64_t>
                        : nullptr;
  op.a = decoder.source(1, bytes);
}

static uint64_t windowOf(Space space) {
  switch (space) {
  case Space::shared:
  case Space::cluster:
    return window::shared;
  case Space::local:
    return window::local;
  case Space::param:
    return window::param;
  case Space::constant:
    return window::constant;
  default:
    return 0;
  }
}

/// Adds or takes away op.value, the window.
template <typename T>
static Step windowStep(Warp &warp, const Op &op, Mask mask) {
  const T *a = warp.from<T>(op.a);
  T by = T(op.value);
  forLanes(mask, warp.at<T>(op.d), [=](unsigned i) { return T(a[i] + by); });
  return Step::next;
}

static Space takeSpace(Decoder &decoder) {
  static constexpr Space spaces[] = {
      Space::global, Space::shared, Space::shared,   Space::cluster,
      Space::local,  Space::param,  Space::constant, Space::param};
  int which =
      decoder.takeOneOf({"global", "shared", "shared::cta", "shared::cluster",
                         "local", "param", "const", "param::entry"});
  return which < 0 ? Space::generic : spaces[which];
}

static void cvta(Decoder &decoder, Op &op) {
  bool toSpace = decoder.take("to");
  Space space = takeSpace(decoder);
  op.type = decoder.takeType();
  unsigned bytes = bytesOf(op.type);
  op.value = int64_t(windowOf(space));
  if (toSpace)
    op.value = -op.value;
  if (space != Space::generic)
    op.run = bytes == 8   ? windowStep<uint64_t>
             : bytes == 4 ? windowStep<uint32_t>
                          : nullptr;
  decoder.needOperands(2, 2);
  op.d = decoder.destination(0, bytes);
  op.a = decoder.source(1, bytes);
}

static Step isSpaceStep(Warp &warp, const Op &op, Mask mask) {
  const uint64_t *a = warp.from<uint64_t>(op.a);
  uint64_t begin = op.value;
  setBits(mask, warp.predicate(op.d), [&](unsigned i) {
    return begin == 0 ? a[i] >= window::end
                      : a[i] >= begin && a[i] < begin + window::shared;
  });
  return Step::next;
}

static void isspacep(Decoder &decoder, Op &op) {
  Space space = takeSpace(decoder);
  op.value = int64_t(windowOf(space));
  if (space != Space::generic)
    op.run = isSpaceStep;
  decoder.needOperands(2, 2);
  op.d = decoder.predicate(decoder.operand(0));
  op.a = decoder.source(1, 8);
}

/// The address in the shared memory of another CTA of the cluster.
template <typename T> static Step mapStep(Warp &warp, const Op &op, Mask mask) {
  const T *a = warp.from<T>(op.a);
  const uint32_t *b = warp.from<uint32_t>(op.b);
  T within = (T(1) << window::rankShift) - 1;
  size_t ctas = warp.cta.cluster->ctas.size();
  bool isWrong = false;
  eachLane(mask, [&](unsigned i) { isWrong |= b[i] >= ctas; });
  if (isWrong)
    return warp.fail(op, mask,
                     "a rank outside of the cluster of " +
                         std::to_string(ctas) + " CTAs");
  T base = op.flags ? T(window::shared) : T(0);
  forLanes(mask, warp.at<T>(op.d), [=](unsigned i) {
    return T(base + (a[i] & within) + (T(b[i] + 1) << window::rankShift));
  });
  return Step::next;
}

static void mapa(Decoder &decoder, Op &op) {
  op.flags = !decoder.take("shared::cluster");
  op.type = decoder.takeType();
  unsigned bytes = bytesOf(op.type);
  op.run = bytes == 8                ? mapStep<uint64_t>
           : bytes == 4 && !op.flags ? mapStep<uint32_t>
                                     : nullptr;
  decoder.needOperands(3, 3);
  op.d = decoder.destination(0, bytes);
  op.a = decoder.source(1, bytes);
  op.b = decoder.source(2, 4);
}

template <typename T>
static Step rankStep(Warp &warp, const Op &op, Mask mask) {
  const T *a = warp.from<T>(op.a);
  uint32_t own = warp.cta.rank;
  forLanes(mask, warp.at<uint32_t>(op.d), [=](unsigned i) {
    uint32_t rank = a[i] >> window::rankShift & 0xFF;
    return rank ? rank - 1 : own;
  });
  return Step::next;
}

static void getctarank(Decoder &decoder, Op &op) {
  decoder.take("shared::cluster");
  op.type = decoder.takeType();
  unsigned bytes = bytesOf(op.type);
  op.run = bytes == 8   ? rankStep<uint64_t>
           : bytes == 4 ? rankStep<uint32_t>
                        : nullptr;
  decoder.needOperands(2, 2);
  op.d = decoder.destination(0, 4);
  op.a = decoder.source(1, bytes);
}

void tenon::emulate::addMoves(DecodeTable &table) {
  table["mov"] = mov;
  table["cvta"] = cvta;
  table["isspacep"] = isspacep;
  table["mapa"] = mapa;
  table["getctarank"] = getctarank;
}
