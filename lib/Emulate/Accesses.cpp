//===- Accesses.cpp - ld and st -------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file loads and stores values and vectors of them.
//===----------------------------------------------------------------------===//
#include "lib/Emulate/Address.h"
#include "lib/Emulate/Decoder.h"
#include "lib/Emulate/Lanes.h"

#include <cstring>

using namespace tenon::emulate;

static constexpr unsigned mostElements = 8;

/// Loads elements E into registers of R, which is as wide or wider.
template <Space space, typename E, typename R>
static Step loadStep(Warp &warp, const Op &op, Mask mask) {
  const Ref *parts = warp.machine.program.lists.data() + op.list;
  R *to[mostElements];
  unsigned count = op.count;
  for (unsigned p = 0; p < count; ++p)
    to[p] = warp.at<R>(parts[p]);
  uint32_t bytes = count * sizeof(E);
  // The address may be in a register that is loaded.
  uint64_t addresses[lanes];
  eachLane(mask, [&](unsigned i) { addresses[i] = addressOf(warp, op, i); });
  for (Mask rest = mask; rest; rest &= rest - 1) {
    unsigned i = std::countr_zero(rest);
    const uint8_t *from = bytesIn<space>(warp, op, addresses[i], bytes, i);
    if (!from || addresses[i] % bytes != 0)
      return failAccess(warp, op, space, addresses[i], bytes, i);
    E values[mostElements];
    std::memcpy(values, from, bytes);
    for (unsigned p = 0; p < count; ++p)
      to[p][i] = R(values[p]);
  }
  if (!op.flags)
    return Step::next;
  warp.note = {WaitNote::memory, 0};
  return Step::yield;
}

template <Space space, typename E, typename R>
static Step storeStep(Warp &warp, const Op &op, Mask mask) {
  const Ref *parts = warp.machine.program.lists.data() + op.list;
  const R *from[mostElements];
  unsigned count = op.count;
  for (unsigned p = 0; p < count; ++p)
    from[p] = warp.from<R>(parts[p]);
  uint32_t bytes = count * sizeof(E);
  for (Mask rest = mask; rest; rest &= rest - 1) {
    unsigned i = std::countr_zero(rest);
    uint64_t address = addressOf(warp, op, i);
    uint8_t *to = bytesIn<space>(warp, op, address, bytes, i);
    if (!to || address % bytes != 0)
      return failAccess(warp, op, space, address, bytes, i);
    E values[mostElements];
    for (unsigned p = 0; p < count; ++p)
      values[p] = E(from[p][i]);
    std::memcpy(to, values, bytes);
  }
  ++warp.machine.events;
  return Step::next;
}

/// Rows by space, columns by element and register.
template <Space space, typename E>
static Handler loadOf(unsigned registerBytes) {
  if (registerBytes == 2 && sizeof(E) <= 2)
    return loadStep<space, E,
                    std::conditional_t<std::is_signed_v<E>, int16_t, uint16_t>>;
  if (registerBytes == 4 && sizeof(E) <= 4)
    return loadStep<space, E,
                    std::conditional_t<std::is_signed_v<E>, int32_t, uint32_t>>;
  if (registerBytes == 8)
    return loadStep<space, E,
                    std::conditional_t<std::is_signed_v<E>, int64_t, uint64_t>>;
  return nullptr;
}

template <Space space>
static Handler loadOf(Type type, unsigned registerBytes) {
  switch (bytesOf(type)) {
  case 1:
    return isSigned(type) ? loadOf<space, int8_t>(registerBytes)
                          : loadOf<space, uint8_t>(registerBytes);
  case 2:
    return isSigned(type) ? loadOf<space, int16_t>(registerBytes)
                          : loadOf<space, uint16_t>(registerBytes);
  case 4:
    return isSigned(type) ? loadOf<space, int32_t>(registerBytes)
                          : loadOf<space, uint32_t>(registerBytes);
  case 8:
    return loadOf<space, uint64_t>(registerBytes);
  default:
    return nullptr;
  }
}

template <Space space, typename E>
static Handler storeOf(unsigned registerBytes) {
  if (registerBytes == 2)
    return storeStep<space, E, uint16_t>;
  if (registerBytes == 4)
    return storeStep<space, E, uint32_t>;
  return storeStep<space, E, uint64_t>;
}

template <Space space>
static Handler storeOf(Type type, unsigned registerBytes) {
  switch (bytesOf(type)) {
  case 1:
    return storeOf<space, uint8_t>(registerBytes);
  case 2:
    return storeOf<space, uint16_t>(registerBytes);
  case 4:
    return storeOf<space, uint32_t>(registerBytes);
  case 8:
    return storeOf<space, uint64_t>(registerBytes);
  default:
    return nullptr;
  }
}

/// What is common to both: modifiers, space, elements.
static unsigned takeAccess(Decoder &decoder, Op &op, size_t addressIndex) {
  // Order matters only to those who wait: they let others run.
  int order =
      decoder.takeOneOf({"volatile", "relaxed", "acquire", "release", "mmio"});
  op.flags = order >= 0;
  op.space = takeAddressSpace(decoder);
  bool isGlobal = op.space == Space::global || op.space == Space::generic;
  // ptxas moves griddepcontrol.wait in front of `nc`: constants that are read
  // before it are those that shall stay in the first-level cache.
  bool isConstant = decoder.take("nc") ||
                    (addressIndex != 0 && decoder.take("L1::evict_last"));
  op.ordered = order >= 0 && isGlobal;
  if (isGlobal && !isConstant)
    op.role = addressIndex == 0 ? Role::globalWrite : Role::globalRead;
  decoder.takeHints();
  bool hasPolicy = decoder.take("L2::cache_hint");
  unsigned count = 1;
  if (std::string_view width = decoder.takeNumbered("v"); !width.empty())
    count = width == "2" ? 2 : width == "4" ? 4 : width == "8" ? 8 : 0;
  op.type = decoder.takeType();
  decoder.needOperands(2 + hasPolicy, 2 + hasPolicy);
  const Operand &address = decoder.operand(addressIndex);
  decoder.address(address, op);
  // Parameters of calls lie in local memory.
  if (op.space == Space::param && !address.parts.empty()) {
    const Symbol *symbol = decoder.lookUp(address.parts[0].text);
    if (symbol && symbol->kind == Symbol::slot)
      op.space = Space::local;
  }
  if (count == 0 || count * bytesOf(op.type) > 32)
    decoder.fail("too wide a vector");
  return count;
}

/// The operands of a vector, or the one operand.
static std::vector<Operand> elementsOf(Decoder &decoder, size_t index,
                                       unsigned count) {
  const Operand &list = decoder.operand(index);
  std::vector<Operand> elements;
  if (list.kind == Operand::list)
    elements = list.parts;
  else
    elements.push_back(list);
  if (elements.size() != count)
    decoder.fail("a vector of " + std::to_string(elements.size()) +
                 " elements, not " + std::to_string(count));
  return elements;
}

template <template <Space> class Of>
static Handler bySpace(Space space, Type type, unsigned bytes) {
  if (space == Space::global)
    return Of<Space::global>::of(type, bytes);
  if (space == Space::shared)
    return Of<Space::shared>::of(type, bytes);
  if (space == Space::cluster)
    return Of<Space::cluster>::of(type, bytes);
  if (space == Space::local)
    return Of<Space::local>::of(type, bytes);
  if (space == Space::param)
    return Of<Space::param>::of(type, bytes);
  if (space == Space::constant)
    return Of<Space::constant>::of(type, bytes);
  return Of<Space::generic>::of(type, bytes);
}
template <Space space> struct LoadOf {
  static Handler of(Type type, unsigned bytes) {
    return loadOf<space>(type, bytes);
  }
};
template <Space space> struct StoreOf {
  static Handler of(Type type, unsigned bytes) {
    return storeOf<space>(type, bytes);
  }
};

static void ld(Decoder &decoder, Op &op) {
  unsigned count = takeAccess(decoder, op, 1);
  std::vector<Ref> refs;
  for (const Operand &element : elementsOf(decoder, 0, count)) {
    uint8_t bytes = 0;
    Ref ref = decoder.wideDestination(element, bytesOf(op.type), bytes);
    if (!refs.empty() && bytes != op.dBytes && element.kind != Operand::sink)
      decoder.fail("a vector of registers of different sizes");
    if (refs.empty() || element.kind != Operand::sink)
      op.dBytes = bytes;
    refs.push_back(ref);
  }
  decoder.setList(op, refs);
  op.run = bySpace<LoadOf>(op.space, op.type, op.dBytes);
}

static void st(Decoder &decoder, Op &op) {
  unsigned count = takeAccess(decoder, op, 0);
  op.flags = 0;
  std::vector<Ref> refs;
  for (const Operand &element : elementsOf(decoder, 1, count)) {
    uint8_t bytes = 0;
    unsigned least = element.kind == Operand::integer
                         ? std::max(bytesOf(op.type), 2u)
                         : bytesOf(op.type);
    refs.push_back(decoder.wideSource(element, least, bytes));
    if (refs.size() > 1 && bytes != op.dBytes)
      decoder.fail("a vector of registers of different sizes");
    op.dBytes = bytes;
  }
  decoder.setList(op, refs);
  if (op.space == Space::param || op.space == Space::constant)
    decoder.fail("a store to memory that is only read");
  else
    op.run = bySpace<StoreOf>(op.space, op.type, op.dBytes);
}

void tenon::emulate::addAccesses(DecodeTable &table) {
  table["ld"] = ld;
  table["ldu"] = ld;
  table["st"] = st;
}
