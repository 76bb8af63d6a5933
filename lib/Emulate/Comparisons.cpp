//===- Comparisons.cpp - setp, set, selp, slct ----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file compares values and chooses between them.
//===----------------------------------------------------------------------===//
#include "lib/Emulate/Decoder.h"
#include "lib/Emulate/Lanes.h"

using namespace tenon::emulate;

namespace {
enum class Test : uint8_t {
  eq,
  ne,
  lt,
  le,
  gt,
  ge, // false with a NaN, ne of floats included
  equ,
  neu,
  ltu,
  leu,
  gtu,
  geu,
  num,
  nan
};

template <Test test, typename T> bool holds(T a, T b) {
  bool unordered = a != a || b != b;
  switch (test) {
  case Test::eq:
    return a == b;
  case Test::ne:
    return !unordered && a != b;
  case Test::lt:
    return a < b;
  case Test::le:
    return a <= b;
  case Test::gt:
    return a > b;
  case Test::ge:
    return a >= b;
  case Test::equ:
    return unordered || a == b;
  case Test::neu:
    return a != b;
  case Test::ltu:
    return !(a >= b);
  case Test::leu:
    return !(a > b);
  case Test::gtu:
    return !(a <= b);
  case Test::geu:
    return !(a < b);
  case Test::num:
    return !unordered;
  case Test::nan:
    return unordered;
  }
  return false;
}

/// Values as they are compared.
template <typename T> T comparable(T x) { return x; }
float comparable(Half x) { return x.value(); }
float comparable(Brain x) { return x.value(); }

/// Part `part` of the `count` that a lane has.
template <typename T, Test test, unsigned count, unsigned part>
Mask compareLanes(const Warp &warp, const Op &op) {
  const T *a = warp.from<T>(op.a) + part, *b = warp.from<T>(op.b) + part;
  Mask result = 0;
  for (unsigned i = 0; i < lanes; ++i)
    result |=
        Mask(holds<test>(comparable(a[i * count]), comparable(b[i * count])))
        << i;
  return result;
}

using Compare = Mask (*)(const Warp &, const Op &);

template <typename T, unsigned count, unsigned part, size_t... tests>
Compare compareOf(Test test, std::index_sequence<tests...>) {
  static constexpr Compare rows[] = {
      compareLanes<T, Test(tests), count, part>...};
  return rows[unsigned(test)];
}

template <typename T, unsigned count = 1, unsigned part = 0>
Compare compareOf(Test test) {
  constexpr size_t numTests = size_t(Test::nan) + 1;
  return compareOf<T, count, part>(test, std::make_index_sequence<numTests>());
}

template <unsigned part> Compare compareHalves(Type type, Test test) {
  return type == Type::f16x2    ? compareOf<Half, 2, part>(test)
         : type == Type::bf16x2 ? compareOf<Brain, 2, part>(test)
                                : nullptr;
}

Compare compareOf(Type type, Test test) {
  switch (type) {
  case Type::b16:
  case Type::u16:
    return compareOf<uint16_t>(test);
  case Type::b32:
  case Type::u32:
    return compareOf<uint32_t>(test);
  case Type::b64:
  case Type::u64:
    return compareOf<uint64_t>(test);
  case Type::s16:
    return compareOf<int16_t>(test);
  case Type::s32:
    return compareOf<int32_t>(test);
  case Type::s64:
    return compareOf<int64_t>(test);
  case Type::f16:
    return compareOf<Half>(test);
  case Type::bf16:
    return compareOf<Brain>(test);
  case Type::f32:
    return compareOf<float>(test);
  case Type::f64:
    return compareOf<double>(test);
  default:
    return nullptr;
  }
}

enum Combine : uint8_t { alone, both, either, differs };
} // namespace

static Mask combined(Mask result, Mask other, uint8_t how) {
  switch (how) {
  case both:
    return result & other;
  case either:
    return result | other;
  case differs:
    return result ^ other;
  default:
    return result;
  }
}

/// The comparison is a pointer in op.value.
static Mask compare(const Warp &warp, const Op &op) {
  return reinterpret_cast<Compare>(op.value)(warp, op);
}

static void assign(Mask &predicate, Mask value, Mask mask) {
  predicate = (predicate & ~mask) | (value & mask);
}

static Step setpStep(Warp &warp, const Op &op, Mask mask) {
  Mask result = compare(warp, op);
  Mask other = op.c == noRef ? 0 : *warp.from<Mask>(op.c);
  other = op.flags ? ~other : other;
  assign(warp.predicate(op.d), combined(result, other, op.kind), mask);
  if (op.e != noRef)
    assign(warp.predicate(op.e), combined(~result, other, op.kind), mask);
  return Step::next;
}

/// Of two values a lane: a predicate for the first, one for the second, whose
/// comparison is numbered in op.count.
static Step setpPairStep(Warp &warp, const Op &op, Mask mask) {
  Mask other = op.c == noRef ? 0 : *warp.from<Mask>(op.c);
  other = op.flags ? ~other : other;
  Mask second = compareHalves<1>(op.type, Test(op.count))(warp, op);
  Mask first = combined(compare(warp, op), other, op.kind);
  assign(warp.predicate(op.d), first, mask);
  assign(warp.predicate(op.e), combined(second, other, op.kind), mask);
  return Step::next;
}

static Step setStep(Warp &warp, const Op &op, Mask mask) {
  Mask result = compare(warp, op);
  Mask other = op.c == noRef ? 0 : *warp.from<Mask>(op.c);
  result = combined(result, op.flags ? ~other : other, op.kind);
  uint32_t one = op.type == Type::f32 ? 0x3F800000 : ~0u;
  forLanes(mask, warp.at<uint32_t>(op.d),
           [=](unsigned i) { return result >> i & 1 ? one : 0; });
  return Step::next;
}

/// Modifiers ".lt.and", in front of the types.
static Test takeTest(Decoder &decoder, Op &op) {
  static constexpr std::pair<const char *, Test> names[] = {
      {"eq", Test::eq},   {"ne", Test::ne},   {"lt", Test::lt},
      {"le", Test::le},   {"gt", Test::gt},   {"ge", Test::ge},
      {"lo", Test::lt},   {"ls", Test::le},   {"hi", Test::gt},
      {"hs", Test::ge},   {"equ", Test::equ}, {"neu", Test::neu},
      {"ltu", Test::ltu}, {"leu", Test::leu}, {"gtu", Test::gtu},
      {"geu", Test::geu}, {"num", Test::num}, {"nan", Test::nan}};
  op.kind = decoder.takeOneOf({"and", "or", "xor"}) + 1;
  decoder.take("ftz");
  for (const auto &[name, test] : names)
    if (decoder.take(name))
      return test;
  decoder.fail("a comparison must say what it compares for");
  return Test::eq;
}

/// Operands a, b and c of comparisons.
static void takeCompared(Decoder &decoder, Op &op, Test test) {
  Type type = decoder.takeType();
  bool hasTwo = op.run == setpStep && decoder.operand(0).kind == Operand::pair;
  Compare halves = hasTwo ? compareHalves<0>(type, test) : nullptr;
  if (halves) {
    op.run = setpPairStep;
    op.type = type;
    op.count = uint32_t(test);
  }
  op.value = reinterpret_cast<int64_t>(halves ? halves : compareOf(type, test));
  if (!op.value)
    decoder.fail("a comparison of unknown type");
  op.a = decoder.source(1, bytesOf(type));
  op.b = decoder.source(2, bytesOf(type));
  if (op.kind == alone)
    return;
  Operand last = decoder.operand(3);
  op.flags = last.negated;
  op.c = decoder.predicate(last);
}

static void setp(Decoder &decoder, Op &op) {
  Test test = takeTest(decoder, op);
  decoder.needOperands(op.kind ? 4 : 3, op.kind ? 4 : 3);
  op.run = setpStep;
  takeCompared(decoder, op, test);
  const Operand &to = decoder.operand(0);
  bool hasTwo = to.kind == Operand::pair;
  op.d = decoder.predicate(hasTwo ? to.parts[0] : to);
  if (hasTwo)
    op.e = decoder.predicate(to.parts[1]);
}

static void set(Decoder &decoder, Op &op) {
  Test test = takeTest(decoder, op);
  decoder.needOperands(op.kind ? 4 : 3, op.kind ? 4 : 3);
  op.type = decoder.takeType();
  if (bytesOf(op.type) == 4)
    op.run = setStep;
  op.d = decoder.destination(0, 4);
  takeCompared(decoder, op, test);
}

template <typename T>
static Step selectStep(Warp &warp, const Op &op, Mask mask) {
  const T *a = warp.from<T>(op.a), *b = warp.from<T>(op.b);
  Mask which = *warp.from<Mask>(op.c);
  forLanes(mask, warp.at<T>(op.d),
           [=](unsigned i) { return which >> i & 1 ? a[i] : b[i]; });
  return Step::next;
}

static void selp(Decoder &decoder, Op &op) {
  op.type = decoder.takeType();
  unsigned bytes = bytesOf(op.type);
  op.run = bytes == 2   ? selectStep<uint16_t>
           : bytes == 4 ? selectStep<uint32_t>
           : bytes == 8 ? selectStep<uint64_t>
                        : nullptr;
  decoder.needOperands(4, 4);
  op.d = decoder.destination(0, bytes);
  op.a = decoder.source(1, bytes);
  op.b = decoder.source(2, bytes);
  op.c = decoder.predicate(decoder.operand(3));
}

/// a if c >= 0, else b; c is s32 or f32.
template <typename T, typename C>
static Step slctStep(Warp &warp, const Op &op, Mask mask) {
  const T *a = warp.from<T>(op.a), *b = warp.from<T>(op.b);
  const C *c = warp.from<C>(op.c);
  forLanes(mask, warp.at<T>(op.d),
           [=](unsigned i) { return c[i] >= 0 ? a[i] : b[i]; });
  return Step::next;
}

static void slct(Decoder &decoder, Op &op) {
  decoder.take("ftz");
  op.type = decoder.takeType();
  Type by = decoder.takeType();
  bool isWide = bytesOf(op.type) == 8;
  if (by == Type::s32)
    op.run = isWide ? slctStep<uint64_t, int32_t> : slctStep<uint32_t, int32_t>;
  if (by == Type::f32)
    op.run = isWide ? slctStep<uint64_t, float> : slctStep<uint32_t, float>;
  decoder.needOperands(4, 4);
  op.d = decoder.destination(0, isWide ? 8 : 4);
  op.a = decoder.source(1, isWide ? 8 : 4);
  op.b = decoder.source(2, isWide ? 8 : 4);
  op.c = decoder.source(3, 4);
}

void tenon::emulate::addComparisons(DecodeTable &table) {
  table["setp"] = setp;
  table["set"] = set;
  table["selp"] = selp;
  table["slct"] = slct;
}
