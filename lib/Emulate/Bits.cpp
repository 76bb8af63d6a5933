//===- Bits.cpp - logic, shifts, fields, counts ---------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file has instructions on bits, predicates included.
//===----------------------------------------------------------------------===//
#include "lib/Emulate/Arithmetic.h"
#include "lib/Emulate/Lanes.h"

#include <algorithm>

using namespace tenon::emulate;

namespace {
struct And {
  template <typename T> static T apply(T a, T b) { return a & b; }
};
struct Or {
  template <typename T> static T apply(T a, T b) { return a | b; }
};
struct Xor {
  template <typename T> static T apply(T a, T b) { return a ^ b; }
};
struct Not {
  template <typename T> static T apply(T a) { return T(~a); }
};
struct CNot {
  template <typename T> static T apply(T a) { return a == 0; }
};
struct Reverse {
  template <typename T> static T apply(T a) {
    T result = 0;
    for (unsigned bit = 0; bit < sizeof(T) * 8; ++bit)
      result |= T(a >> bit & 1) << (sizeof(T) * 8 - 1 - bit);
    return result;
  }
};
struct Count {
  template <typename T> static uint32_t apply(T a) { return std::popcount(a); }
};
struct LeadingZeroes {
  template <typename T> static uint32_t apply(T a) {
    return std::countl_zero(a);
  }
};
/// The highest bit that is not the sign's; all ones if there is none.
struct Find {
  template <typename T> static uint32_t apply(T a) {
    std::make_unsigned_t<T> bits = a;
    if (std::is_signed_v<T> && a < 0)
      bits = ~bits;
    return bits ? std::bit_width(bits) - 1 : ~0u;
  }
};
} // namespace

/// The same on predicates: all lanes at once.
template <typename F>
static Step predicateStep(Warp &warp, const Op &op, Mask mask) {
  Mask a = *warp.from<Mask>(op.a);
  Mask result;
  if constexpr (std::is_same_v<F, Not>)
    result = ~a;
  else
    result = F::apply(a, *warp.from<Mask>(op.b));
  Mask &d = warp.predicate(op.d);
  d = (d & ~mask) | (result & mask);
  return Step::next;
}

template <typename F> static void logic(Decoder &decoder, Op &op) {
  op.type = decoder.takeType();
  if (op.type == Type::pred) {
    decoder.needOperands(3, 3);
    op.run = predicateStep<F>;
    op.d = decoder.predicate(decoder.operand(0));
    op.a = decoder.predicate(decoder.operand(1));
    op.b = decoder.predicate(decoder.operand(2));
    return;
  }
  op.run = op.type == Type::b16   ? binaryStep<uint16_t, F>
           : op.type == Type::b32 ? binaryStep<uint32_t, F>
           : op.type == Type::b64 ? binaryStep<uint64_t, F>
                                  : nullptr;
  decodeOperands(decoder, op, 2, bytesOf(op.type));
}

template <typename F> static void invert(Decoder &decoder, Op &op) {
  op.type = decoder.takeType();
  if (op.type == Type::pred) {
    decoder.needOperands(2, 2);
    op.run = predicateStep<Not>;
    op.d = decoder.predicate(decoder.operand(0));
    op.a = decoder.predicate(decoder.operand(1));
    return;
  }
  op.run = op.type == Type::b16   ? unaryStep<uint16_t, F>
           : op.type == Type::b32 ? unaryStep<uint32_t, F>
           : op.type == Type::b64 ? unaryStep<uint64_t, F>
                                  : nullptr;
  decodeOperands(decoder, op, 1, bytesOf(op.type));
}

static void brev(Decoder &decoder, Op &op) {
  op.type = decoder.takeType();
  op.run = op.type == Type::b32   ? unaryStep<uint32_t, Reverse>
           : op.type == Type::b64 ? unaryStep<uint64_t, Reverse>
                                  : nullptr;
  decodeOperands(decoder, op, 1, bytesOf(op.type));
}

template <typename T, typename F>
static Step countStep(Warp &warp, const Op &op, Mask mask) {
  const T *a = warp.from<T>(op.a);
  forLanes(mask, warp.at<uint32_t>(op.d),
           [=](unsigned i) { return F::template apply<T>(a[i]); });
  return Step::next;
}

template <typename F> static void count(Decoder &decoder, Op &op) {
  op.type = decoder.takeType();
  bool isFind = std::is_same_v<F, Find>;
  if (op.type == Type::b32 || (isFind && op.type == Type::u32))
    op.run = countStep<uint32_t, F>;
  else if (op.type == Type::b64 || (isFind && op.type == Type::u64))
    op.run = countStep<uint64_t, F>;
  decoder.needOperands(2, 2);
  op.d = decoder.destination(0, 4);
  op.a = decoder.source(1, bytesOf(op.type));
}

static void find(Decoder &decoder, Op &op) {
  count<Find>(decoder, op);
  if (op.type == Type::s32)
    op.run = countStep<int32_t, Find>;
  if (op.type == Type::s64)
    op.run = countStep<int64_t, Find>;
}

/// Shifts by the bits or more give zero, or the sign.
template <typename T, bool left>
static Step shiftStep(Warp &warp, const Op &op, Mask mask) {
  const T *a = warp.from<T>(op.a);
  const uint32_t *b = warp.from<uint32_t>(op.b);
  constexpr uint32_t bits = sizeof(T) * 8;
  forLanes(mask, warp.at<T>(op.d), [=](unsigned i) -> T {
    if constexpr (left)
      return b[i] < bits ? T(uint64_t(a[i]) << b[i]) : T(0);
    if (std::is_signed_v<T>)
      return T(a[i] >> std::min(b[i], bits - 1));
    return b[i] < bits ? T(a[i] >> b[i]) : T(0);
  });
  return Step::next;
}

static Handler shiftOf(Type type, bool left) {
  switch (bytesOf(type)) {
  case 2:
    return left             ? shiftStep<uint16_t, true>
           : isSigned(type) ? shiftStep<int16_t, false>
                            : shiftStep<uint16_t, false>;
  case 4:
    return left             ? shiftStep<uint32_t, true>
           : isSigned(type) ? shiftStep<int32_t, false>
                            : shiftStep<uint32_t, false>;
  case 8:
    return left             ? shiftStep<uint64_t, true>
           : isSigned(type) ? shiftStep<int64_t, false>
                            : shiftStep<uint64_t, false>;
  default:
    return nullptr;
  }
}

template <bool left> static void shift(Decoder &decoder, Op &op) {
  op.type = decoder.takeType();
  op.run = isInteger(op.type) ? shiftOf(op.type, left) : nullptr;
  decoder.needOperands(3, 3);
  op.d = decoder.destination(0, bytesOf(op.type));
  op.a = decoder.source(1, bytesOf(op.type));
  op.b = decoder.source(2, 4);
}

/// 32 bits of a shifted pair of words; flags: 1 left, 2 clamped.
static Step funnelStep(Warp &warp, const Op &op, Mask mask) {
  const uint32_t *a = warp.from<uint32_t>(op.a), *b = warp.from<uint32_t>(op.b),
                 *c = warp.from<uint32_t>(op.c);
  bool left = op.flags & 1, clamps = op.flags & 2;
  forLanes(mask, warp.at<uint32_t>(op.d), [=](unsigned i) {
    uint64_t both = uint64_t(b[i]) << 32 | a[i];
    uint32_t by = clamps ? std::min(c[i], 32u) : c[i] & 31;
    return uint32_t(left ? both << by >> 32 : both >> by);
  });
  return Step::next;
}

static void funnel(Decoder &decoder, Op &op) {
  int side = decoder.takeOneOf({"r", "l"});
  int mode = decoder.takeOneOf({"wrap", "clamp"});
  op.flags = (side == 1) | (mode == 1) << 1;
  if (side >= 0 && mode >= 0 && decoder.take("b32"))
    op.run = funnelStep;
  decodeOperands(decoder, op, 3, 4);
}

template <typename T>
static Step extractStep(Warp &warp, const Op &op, Mask mask) {
  const T *a = warp.from<T>(op.a);
  const uint32_t *b = warp.from<uint32_t>(op.b), *c = warp.from<uint32_t>(op.c);
  constexpr int bits = sizeof(T) * 8;
  forLanes(mask, warp.at<T>(op.d), [=](unsigned i) -> T {
    int at = b[i] & 255, size = c[i] & 255;
    if (size == 0)
      return 0;
    if (at >= bits)
      return std::is_signed_v<T> && a[i] < 0 ? T(-1) : T(0);
    size = std::min(size, bits - at);
    std::make_unsigned_t<T> up = a[i];
    return T(up << (bits - at - size)) >> (bits - size);
  });
  return Step::next;
}

template <typename T>
static Step insertStep(Warp &warp, const Op &op, Mask mask) {
  const T *a = warp.from<T>(op.a), *b = warp.from<T>(op.b);
  const uint32_t *c = warp.from<uint32_t>(op.c), *e = warp.from<uint32_t>(op.e);
  constexpr unsigned bits = sizeof(T) * 8;
  forLanes(mask, warp.at<T>(op.d), [=](unsigned i) {
    unsigned at = c[i] & 255, size = e[i] & 255;
    if (at >= bits || size == 0)
      return b[i];
    T field = size >= bits ? ~T(0) : (T(1) << size) - 1;
    return T((b[i] & ~T(field << at)) | T((a[i] & field) << at));
  });
  return Step::next;
}

static void bfe(Decoder &decoder, Op &op) {
  op.type = decoder.takeType();
  op.run = op.type == Type::u32   ? extractStep<uint32_t>
           : op.type == Type::s32 ? extractStep<int32_t>
           : op.type == Type::u64 ? extractStep<uint64_t>
           : op.type == Type::s64 ? extractStep<int64_t>
                                  : nullptr;
  decoder.needOperands(4, 4);
  op.d = decoder.destination(0, bytesOf(op.type));
  op.a = decoder.source(1, bytesOf(op.type));
  op.b = decoder.source(2, 4);
  op.c = decoder.source(3, 4);
}

static void bfi(Decoder &decoder, Op &op) {
  op.type = decoder.takeType();
  op.run = op.type == Type::b32   ? insertStep<uint32_t>
           : op.type == Type::b64 ? insertStep<uint64_t>
                                  : nullptr;
  decoder.needOperands(5, 5);
  op.d = decoder.destination(0, bytesOf(op.type));
  op.a = decoder.source(1, bytesOf(op.type));
  op.b = decoder.source(2, bytesOf(op.type));
  op.c = decoder.source(3, 4);
  op.e = decoder.source(4, 4);
}

static Step lookUpStep(Warp &warp, const Op &op, Mask mask) {
  const uint32_t *a = warp.from<uint32_t>(op.a), *b = warp.from<uint32_t>(op.b),
                 *c = warp.from<uint32_t>(op.c);
  uint32_t table = op.value;
  forLanes(mask, warp.at<uint32_t>(op.d), [=](unsigned i) {
    uint32_t result = 0;
    for (unsigned row = 0; row < 8; ++row)
      if (table >> row & 1)
        result |= (row & 4 ? a[i] : ~a[i]) & (row & 2 ? b[i] : ~b[i]) &
                  (row & 1 ? c[i] : ~c[i]);
    return result;
  });
  return Step::next;
}

static void lop3(Decoder &decoder, Op &op) {
  decoder.needOperands(5, 5);
  op.value = decoder.immediate(4);
  decoder.statement.operands.resize(4);
  if (decoder.take("b32"))
    op.run = lookUpStep;
  decodeOperands(decoder, op, 3, 4);
}

/// A byte each from eight, by four bits of `c`: three say which, the fourth
/// repeats its sign.
static Step permuteStep(Warp &warp, const Op &op, Mask mask) {
  const uint32_t *a = warp.from<uint32_t>(op.a), *b = warp.from<uint32_t>(op.b),
                 *c = warp.from<uint32_t>(op.c);
  forLanes(mask, warp.at<uint32_t>(op.d), [=](unsigned i) {
    uint64_t both = uint64_t(b[i]) << 32 | a[i];
    uint32_t result = 0;
    for (unsigned byte = 0; byte < 4; ++byte) {
      uint32_t which = c[i] >> 4 * byte;
      uint32_t value = both >> 8 * (which & 7) & 255;
      if (which & 8)
        value = value & 128 ? 255 : 0;
      result |= value << 8 * byte;
    }
    return result;
  });
  return Step::next;
}

static void prmt(Decoder &decoder, Op &op) {
  if (decoder.take("b32"))
    op.run = permuteStep;
  decodeOperands(decoder, op, 3, 4);
}

void tenon::emulate::addBits(DecodeTable &table) {
  table["and"] = logic<And>;
  table["or"] = logic<Or>;
  table["xor"] = logic<Xor>;
  table["not"] = invert<Not>;
  table["cnot"] = invert<CNot>;
  table["brev"] = brev;
  table["popc"] = count<Count>;
  table["clz"] = count<LeadingZeroes>;
  table["bfind"] = find;
  table["shl"] = shift<true>;
  table["shr"] = shift<false>;
  table["shf"] = funnel;
  table["bfe"] = bfe;
  table["bfi"] = bfi;
  table["lop3"] = lop3;
  table["prmt"] = prmt;
}
