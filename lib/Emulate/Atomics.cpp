//===- Atomics.cpp - atom and red -----------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file changes memory in one piece. Lanes take turns, lowest first.
//===----------------------------------------------------------------------===//
#include "lib/Emulate/Address.h"
#include "lib/Emulate/Decoder.h"
#include "lib/Emulate/Lanes.h"

#include <algorithm>
#include <cstring>

using namespace tenon::emulate;

namespace {
enum Kind : uint8_t {
  add,
  min,
  max,
  increment,
  decrement,
  bitAnd,
  bitOr,
  bitXor,
  exchange,
  swapIf
};
} // namespace

template <typename T> static T changed(uint8_t kind, T old, T b, T c) {
  using U = std::make_unsigned_t<T>;
  switch (kind) {
  case add:
    return T(U(old) + U(b));
  case min:
    return std::min(old, b);
  case max:
    return std::max(old, b);
  case increment:
    return U(old) >= U(b) ? 0 : T(old + 1);
  case decrement:
    return old == 0 || U(old) > U(b) ? b : T(old - 1);
  case bitAnd:
    return old & b;
  case bitOr:
    return old | b;
  case bitXor:
    return old ^ b;
  case exchange:
    return b;
  default:
    return old == b ? c : old;
  }
}

template <typename T> static T changedFloat(uint8_t kind, T old, T b) {
  if (kind == add)
    return old + b;
  if (kind == exchange)
    return b;
  return kind == min ? std::fmin(old, b) : std::fmax(old, b);
}
template <> Half changedFloat(uint8_t kind, Half old, Half b) {
  return Half::of(changedFloat(kind, old.value(), b.value()));
}
template <> Brain changedFloat(uint8_t kind, Brain old, Brain b) {
  return Brain::of(changedFloat(kind, old.value(), b.value()));
}
template <typename T>
static Pair<T> changedPair(uint8_t kind, Pair<T> old, Pair<T> b) {
  return {changedFloat(kind, old.low, b.low),
          changedFloat(kind, old.high, b.high)};
}

template <typename T> static T after(uint8_t kind, T old, T b, T c) {
  if constexpr (std::is_integral_v<T>)
    return changed(kind, old, b, c);
  else if constexpr (std::is_same_v<T, Pair<Half>> ||
                     std::is_same_v<T, Pair<Brain>>)
    return changedPair(kind, old, b);
  else
    return changedFloat(kind, old, b);
}

/// Lists have what is added and, for atom, where the old values go.
template <typename T>
static Step atomicStep(Warp &warp, const Op &op, Mask mask) {
  const Ref *parts = warp.machine.program.lists.data() + op.list;
  unsigned count = op.flags; // of a vector
  uint32_t bytes = count * sizeof(T);
  const T *c = op.c == noRef ? nullptr : warp.from<T>(op.c);
  uint64_t addresses[lanes];
  eachLane(mask, [&](unsigned i) { addresses[i] = addressOf(warp, op, i); });
  for (Mask rest = mask; rest; rest &= rest - 1) {
    unsigned i = std::countr_zero(rest);
    uint8_t *place = bytesAt(warp, op, op.space, addresses[i], bytes, i);
    if (!place || addresses[i] % bytes)
      return failAccess(warp, op, op.space, addresses[i], bytes, i);
    for (unsigned p = 0; p < count; ++p) {
      T old, b = warp.from<T>(parts[p])[i];
      std::memcpy(&old, place + p * sizeof(T), sizeof(T));
      T now = after(op.kind, old, b, c ? c[i] : b);
      if (std::memcmp(&now, &old, sizeof(T)) != 0)
        ++warp.machine.events;
      std::memcpy(place + p * sizeof(T), &now, sizeof(T));
      if (op.count > count)
        warp.at<T>(parts[count + p])[i] = old;
    }
  }
  warp.note = {WaitNote::memory, 0};
  return op.count > count ? Step::yield : Step::next;
}

static Handler atomicOf(Type type) {
  switch (type) {
  case Type::b32:
  case Type::u32:
    return atomicStep<uint32_t>;
  case Type::s32:
    return atomicStep<int32_t>;
  case Type::b64:
  case Type::u64:
    return atomicStep<uint64_t>;
  case Type::s64:
    return atomicStep<int64_t>;
  case Type::b16:
    return atomicStep<uint16_t>;
  case Type::f16:
    return atomicStep<Half>;
  case Type::bf16:
    return atomicStep<Brain>;
  case Type::f16x2:
    return atomicStep<Pair<Half>>;
  case Type::bf16x2:
    return atomicStep<Pair<Brain>>;
  case Type::f32:
    return atomicStep<float>;
  case Type::f64:
    return atomicStep<double>;
  default:
    return nullptr;
  }
}

static void appendValues(Decoder &decoder, size_t index, unsigned bytes,
                         bool isTarget, std::vector<Ref> &refs) {
  const Operand &operand = decoder.operand(index);
  std::vector<Operand> elements = {operand};
  if (operand.kind == Operand::list)
    elements = operand.parts;
  for (const Operand &element : elements)
    refs.push_back(isTarget ? decoder.destination(element, bytes)
                            : decoder.source(element, bytes));
}

/// What may stand in front of the operation's name.
static int takeOperation(Decoder &decoder, Op &op) {
  decoder.takeOneOf({"relaxed", "acquire", "release", "acq_rel"});
  op.space = takeAddressSpace(decoder);
  op.ordered = op.space == Space::global || op.space == Space::generic;
  op.role = op.ordered ? Role::globalWrite : Role::none;
  decoder.takeHints();
  decoder.take("noftz");
  decoder.takeOneOf({"v2", "v4", "v8"});
  return decoder.takeOneOf(
      {"add", "min", "max", "inc", "dec", "and", "or", "xor", "exch", "cas"});
}

static void atomic(Decoder &decoder, Op &op, bool isReduction) {
  bool isAsync = isReduction && decoder.take("async");
  int kind = takeOperation(decoder, op);
  op.kind = kind;
  op.type = decoder.takeType();
  unsigned bytes = bytesOf(op.type);
  size_t first = isReduction ? 0 : 1;
  decoder.needOperands(first + 2, first + 2 + (kind == swapIf));
  decoder.address(first, op);
  std::vector<Ref> refs;
  appendValues(decoder, first + 1, bytes, false, refs);
  op.flags = refs.size();
  if (!isReduction)
    appendValues(decoder, 0, bytes, true, refs);
  if (kind == swapIf)
    op.c = decoder.source(first + 2, bytes);
  decoder.setList(op, refs);
  bool isKnown = isFloat(op.type) ? kind == add || kind == min || kind == max ||
                                        kind == exchange
                                  : kind >= 0;
  if (isKnown && !isAsync)
    op.run = atomicOf(op.type);
}

static void atom(Decoder &decoder, Op &op) { atomic(decoder, op, false); }
static void red(Decoder &decoder, Op &op) { atomic(decoder, op, true); }

void tenon::emulate::addAtomics(DecodeTable &table) {
  table["atom"] = atom;
  table["red"] = red;
}
