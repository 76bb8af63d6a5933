//===- EmulateIntegerTest.cpp - integers and bits on the emulator ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file compares instructions of the emulator with what C++ computes.
//===----------------------------------------------------------------------===//
// LINK: TenonEmulate MLIR LLVM
#include "test/unit/EmulateTest.h"

#include <bit>
#include <random>

using namespace tenon::emulate;

using Words = std::vector<uint32_t>;

/// Random values, with those among them that are special.
static Words values(unsigned seed) {
  std::mt19937 random(seed);
  Words result = {0, 1, 0xFFFFFFFF, 0x80000000, 0x7FFFFFFF, 31, 32, 33};
  while (result.size() < 32)
    result.push_back(random() >> random() % 32);
  std::shuffle(result.begin(), result.end(), random);
  return result;
}

template <typename F>
static void expectTwo(const std::string &text, const F &f) {
  Words a = values(1), b = values(2), c = compute<uint32_t>(text, {a, b});
  for (unsigned i = 0; i < 32; ++i)
    EXPECT_EQ(c[i], uint32_t(f(a[i], b[i])))
        << text << " of " << a[i] << " and " << b[i];
}

TEST(EmulateIntegerTest, Arithmetic) {
  expectTwo("add.s32 %r0, %r1, %r2;", [](auto a, auto b) { return a + b; });
  expectTwo("sub.u32 %r0, %r1, %r2;", [](auto a, auto b) { return a - b; });
  expectTwo("mul.lo.s32 %r0, %r1, %r2;", [](auto a, auto b) { return a * b; });
  expectTwo("mul.hi.u32 %r0, %r1, %r2;",
            [](uint64_t a, uint64_t b) { return a * b >> 32; });
  expectTwo("mul.hi.s32 %r0, %r1, %r2;",
            [](int32_t a, int32_t b) { return int64_t(a) * int64_t(b) >> 32; });
  expectTwo("mad.lo.u32 %r0, %r1, %r2, 7;",
            [](auto a, auto b) { return a * b + 7; });
  expectTwo("min.s32 %r0, %r1, %r2;",
            [](int32_t a, int32_t b) { return std::min(a, b); });
  expectTwo("max.u32 %r0, %r1, %r2;",
            [](auto a, auto b) { return std::max(a, b); });
  expectTwo("neg.s32 %r0, %r1;", [](auto a, auto) { return 0 - a; });
  expectTwo("abs.s32 %r0, %r1;",
            [](int32_t a, int32_t) { return a < 0 ? 0 - uint32_t(a) : a; });
  expectTwo("add.sat.s32 %r0, %r1, %r2;", [](int32_t a, int32_t b) {
    return std::clamp<int64_t>(int64_t(a) + b, INT32_MIN, INT32_MAX);
  });
}

/// f of both halves of two words.
template <typename T, typename F> static auto halves(const F &f) {
  return [f](uint32_t a, uint32_t b) {
    uint32_t low = uint16_t(f(T(a), T(b)));
    return low | uint32_t(uint16_t(f(T(a >> 16), T(b >> 16)))) << 16;
  };
}

TEST(EmulateIntegerTest, Pairs) {
  auto sum = [](auto a, auto b) { return a + b; };
  auto least = [](auto a, auto b) { return std::min(a, b); };
  auto most = [](auto a, auto b) { return std::max(a, b); };
  expectTwo("add.s16x2 %r0, %r1, %r2;", halves<int16_t>(sum));
  expectTwo("add.u16x2 %r0, %r1, %r2;", halves<uint16_t>(sum));
  expectTwo("min.s16x2 %r0, %r1, %r2;", halves<int16_t>(least));
  expectTwo("min.u16x2 %r0, %r1, %r2;", halves<uint16_t>(least));
  expectTwo("max.s16x2 %r0, %r1, %r2;", halves<int16_t>(most));
  expectTwo("max.u16x2 %r0, %r1, %r2;", halves<uint16_t>(most));
  Trial trial;
  EXPECT_NE(trial.body("sub.s16x2 %r0, %r1, %r2;"), "");
}

TEST(EmulateIntegerTest, Division) {
  expectTwo("div.u32 %r0, %r1, %r2;",
            [](auto a, auto b) { return b ? a / b : ~0u; });
  expectTwo("rem.u32 %r0, %r1, %r2;",
            [](auto a, auto b) { return b ? a % b : a; });
  expectTwo("div.s32 %r0, %r1, %r2;", [](int32_t a, int32_t b) -> int64_t {
    return b ? int64_t(a) / int64_t(b) : -1;
  });
  expectTwo("rem.s32 %r0, %r1, %r2;", [](int32_t a, int32_t b) -> int64_t {
    return b ? int64_t(a) % int64_t(b) : a;
  });
}

TEST(EmulateIntegerTest, WideValues) {
  expectTwo("mul.wide.s32 %d9, %r1, %r2;\nshr.s64 %d9, %d9, 20;\n"
            "cvt.u32.u64 %r0, %d9;",
            [](int32_t a, int32_t b) { return int64_t(a) * b >> 20; });
  expectTwo(
      "mov.b64 %d8, {%r1, %r2};\nmad.wide.u32 %d9, %r1, %r2, %d8;\n"
      "mov.b64 {%r3, %r0}, %d9;",
      [](uint64_t a, uint64_t b) { return (a * b + (b << 32 | a)) >> 32; });
  expectTwo("cvt.u16.u32 %h1, %r1;\ncvt.u16.u32 %h2, %r2;\n"
            "mul.lo.s16 %h3, %h1, %h2;\nshr.u16 %h3, %h3, 3;\n"
            "cvt.u32.u16 %r0, %h3;",
            [](auto a, auto b) { return uint16_t(a * b) >> 3; });
  expectTwo("cvt.s64.s32 %d8, %r1;\ncvt.u64.u32 %d9, %r2;\n"
            "mul.hi.s64 %d8, %d8, %d9;\ncvt.u32.u64 %r0, %d8;",
            [](int32_t a, uint32_t b) {
              return __int128(int64_t(a)) * int64_t(b) >> 64;
            });
}

TEST(EmulateIntegerTest, Logic) {
  expectTwo("and.b32 %r0, %r1, %r2;", [](auto a, auto b) { return a & b; });
  expectTwo("or.b32 %r0, %r1, %r2;", [](auto a, auto b) { return a | b; });
  expectTwo("xor.b32 %r0, %r1, %r2;", [](auto a, auto b) { return a ^ b; });
  expectTwo("not.b32 %r0, %r1;", [](auto a, auto) { return ~a; });
  expectTwo("lop3.b32 %r0, %r1, %r2, 0xF0F0, 0xE8;", [](auto a, auto b) {
    return (a & b) | (a & 0xF0F0) | (b & 0xF0F0);
  });
  expectTwo("shl.b32 %r0, %r1, %r2;",
            [](auto a, auto b) { return b < 32 ? a << b : 0; });
  expectTwo("shr.u32 %r0, %r1, %r2;",
            [](auto a, auto b) { return b < 32 ? a >> b : 0; });
  expectTwo("shr.s32 %r0, %r1, %r2;",
            [](int32_t a, uint32_t b) { return a >> std::min(b, 31u); });
  expectTwo("shf.l.wrap.b32 %r0, %r1, %r2, 9;",
            [](auto a, auto b) { return b << 9 | a >> 23; });
  expectTwo("shf.r.clamp.b32 %r0, %r1, %r2, 40;",
            [](auto, auto b) { return b; });
}

TEST(EmulateIntegerTest, Fields) {
  expectTwo("popc.b32 %r0, %r1;",
            [](auto a, auto) { return std::popcount(a); });
  expectTwo("clz.b32 %r0, %r1;",
            [](auto a, auto) { return std::countl_zero(a); });
  expectTwo("brev.b32 %r0, %r1;\nbrev.b32 %r0, %r0;\nshl.b32 %r0, %r0, 1;",
            [](auto a, auto) { return a << 1; });
  expectTwo("bfind.u32 %r0, %r1;",
            [](auto a, auto) { return a ? 31 - std::countl_zero(a) : ~0u; });
  expectTwo("bfe.u32 %r0, %r1, 5, 9;",
            [](auto a, auto) { return a >> 5 & 511; });
  expectTwo("bfe.s32 %r0, %r1, 28, 9;",
            [](int32_t a, uint32_t) { return a >> 28; });
  expectTwo("bfi.b32 %r0, %r1, %r2, 8, 12;",
            [](auto a, auto b) { return (b & ~0xFFF00u) | (a & 0xFFF) << 8; });
  expectTwo("prmt.b32 %r0, %r1, %r2, 0x7150;", [](auto a, auto b) {
    return (b & 0xFF000000) | (a >> 8 & 255) << 16 | (b >> 8 & 255) << 8 |
           (a & 255);
  });
  expectTwo("prmt.b32 %r0, %r1, %r2, 0x000B;", [](auto a, auto) {
    return (a >> 31 ? 255 : 0) | (a & 255) * 0x01010100u;
  });
}

TEST(EmulateIntegerTest, Comparisons) {
  struct {
    const char *test;
    bool (*holds)(int32_t, int32_t);
  } rows[] = {
      {"eq.s32", [](int32_t a, int32_t b) { return a == b; }},
      {"ne.b32", [](int32_t a, int32_t b) { return a != b; }},
      {"lt.s32", [](int32_t a, int32_t b) { return a < b; }},
      {"ge.s32", [](int32_t a, int32_t b) { return a >= b; }},
      {"lo.u32",
       [](int32_t a, int32_t b) { return uint32_t(a) < uint32_t(b); }},
      {"hs.u32",
       [](int32_t a, int32_t b) { return uint32_t(a) >= uint32_t(b); }},
  };
  for (auto &[test, holds] : rows)
    expectTwo(std::string("setp.") + test +
                  " %p1|%p2, %r1, %r2;\nselp.b32 %r0, 3, 4, %p1;\n"
                  "@%p2 add.s32 %r0, %r0, 10;",
              [&](auto a, auto b) { return holds(a, b) ? 3 : 14; });
  expectTwo("setp.gt.s32 %p3, %r2, 5;\nsetp.lt.and.u32 %p1, %r1, 100, !%p3;\n"
            "or.pred %p2, %p1, %p3;\nnot.pred %p2, %p2;\n"
            "selp.b32 %r0, 1, 0, %p2;",
            [](uint32_t a, int32_t b) { return !(b > 5 || a < 100); });
  expectTwo("set.gt.u32.s32 %r0, %r1, %r2;",
            [](int32_t a, int32_t b) { return a > b ? ~0u : 0; });
  expectTwo("slct.b32.s32 %r0, %r1, %r2, %r2;",
            [](auto a, int32_t b) { return b >= 0 ? a : b; });
}

TEST(EmulateIntegerTest, Conversions) {
  expectTwo("cvt.s32.s8 %r0, %r1;", [](auto a, auto) { return int8_t(a); });
  expectTwo("cvt.u32.u16 %r0, %r1;", [](auto a, auto) { return uint16_t(a); });
  expectTwo("cvt.sat.s8.s32 %r0, %r1;",
            [](int32_t a, int32_t) { return std::clamp(a, -128, 127); });
  expectTwo("cvt.sat.u16.s32 %r0, %r1;",
            [](int32_t a, int32_t) { return std::clamp(a, 0, 65535); });
}
