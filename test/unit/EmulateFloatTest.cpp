//===- EmulateFloatTest.cpp - floats on the emulator ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file compares instructions of the emulator with what C++ computes.
//===----------------------------------------------------------------------===//
// LINK: TenonEmulate MLIR LLVM
#include "lib/Support/NarrowFloat.h"
#include "test/unit/EmulateTest.h"

#include <random>

using namespace tenon;
using namespace tenon::emulate;

using Floats = std::vector<float>;

static constexpr float inf = std::numeric_limits<float>::infinity();
static constexpr float notANumber = std::numeric_limits<float>::quiet_NaN();

static Floats values(unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<float> normal(0, 100);
  Floats result = {0.0f,       -0.0f,  1.0f,     inf, -inf,
                   notANumber, 1e-40f, 65520.0f, 2.5f};
  while (result.size() < 32)
    result.push_back(normal(random));
  std::shuffle(result.begin(), result.end(), random);
  return result;
}

/// Equal, or both NaN; signs of zeroes count.
static bool same(float a, float b) {
  return (a != a && b != b) ||
         std::bit_cast<uint32_t>(a) == std::bit_cast<uint32_t>(b);
}

template <typename F>
static void expectTwo(const std::string &text, const F &f) {
  Floats a = values(1), b = values(2), c = compute<float>(text, {a, b});
  for (unsigned i = 0; i < 32; ++i)
    EXPECT_TRUE(same(c[i], float(f(a[i], b[i]))))
        << text << " of " << a[i] << " and " << b[i] << " is " << c[i];
}

template <typename F>
static void expectWords(const std::string &text, const F &f) {
  Floats a = values(3), b = values(4);
  std::vector<uint32_t> c = compute<float, uint32_t>(text, {a, b});
  for (unsigned i = 0; i < 32; ++i)
    EXPECT_EQ(c[i], uint32_t(f(a[i], b[i]))) << text << " of " << a[i];
}

TEST(EmulateFloatTest, Arithmetic) {
  expectTwo("add.rn.f32 %r0, %r1, %r2;",
            [](float a, float b) { return a + b; });
  expectTwo("sub.f32 %r0, %r1, %r2;", [](float a, float b) { return a - b; });
  expectTwo("mul.f32 %r0, %r1, 0f40400000;",
            [](float a, float) { return a * 3; });
  expectTwo("div.rn.f32 %r0, %r1, %r2;",
            [](float a, float b) { return a / b; });
  expectTwo("fma.rn.f32 %r0, %r1, %r2, %r1;",
            [](float a, float b) { return std::fma(a, b, a); });
  expectTwo("neg.f32 %r0, %r1;", [](float a, float) { return -a; });
  expectTwo("sqrt.rn.f32 %r0, %r1;",
            [](float a, float) { return std::sqrt(a); });
  expectTwo("copysign.f32 %r0, %r1, %r2;",
            [](float a, float b) { return std::copysign(b, a); });
  expectTwo("add.sat.f32 %r0, %r1, %r2;", [](float a, float b) {
    return a + b > 0 ? std::min(a + b, 1.0f) : 0.0f;
  });
  expectTwo("mul.ftz.f32 %r0, %r1, 0f3F800000;", [](float a, float) {
    return std::fabs(a) < 0x1p-126f ? std::copysign(0.0f, a) : a;
  });
}

TEST(EmulateFloatTest, LeastAndMost) {
  expectTwo("min.f32 %r0, %r1, %r2;", [](float a, float b) {
    return a == 0 && b == 0 ? -(-a - b) : std::fmin(a, b);
  });
  expectTwo("max.f32 %r0, %r1, %r2;", std::fmax<float, float>);
  expectTwo("max.NaN.f32 %r0, %r1, %r2;", [](float a, float b) {
    return a != a || b != b ? notANumber : std::fmax(a, b);
  });
}

TEST(EmulateFloatTest, Functions) {
  expectTwo("ex2.approx.f32 %r0, %r1;",
            [](float a, float) { return std::exp2(a); });
  expectTwo("lg2.approx.f32 %r0, %r1;",
            [](float a, float) { return std::log2(a); });
  expectTwo("rcp.approx.ftz.f32 %r0, %r1;", [](float a, float) {
    float x = std::fabs(a) < 0x1p-126f ? std::copysign(0.0f, a) : a;
    return 1 / x;
  });
  expectTwo("tanh.approx.f32 %r0, %r1;",
            [](float a, float) { return std::tanh(a); });
  expectTwo("cos.approx.f32 %r0, %r1;",
            [](float a, float) { return std::cos(a); });
}

TEST(EmulateFloatTest, Comparisons) {
  expectWords("setp.lt.f32 %p1, %r1, %r2;\nselp.b32 %r0, 1, 0, %p1;",
              [](float a, float b) { return a < b; });
  expectWords("setp.neu.f32 %p1, %r1, %r2;\nselp.b32 %r0, 1, 0, %p1;",
              [](float a, float b) { return a != b; });
  expectWords("setp.ne.f32 %p1, %r1, %r2;\nselp.b32 %r0, 1, 0, %p1;",
              [](float a, float b) { return a < b || a > b; });
  expectWords("setp.geu.f32 %p1, %r1, %r2;\nselp.b32 %r0, 1, 0, %p1;",
              [](float a, float b) { return !(a < b); });
  expectWords("setp.num.f32 %p1, %r1, %r2;\nselp.b32 %r0, 1, 0, %p1;",
              [](float a, float b) { return a == a && b == b; });
  expectWords("testp.infinite.f32 %p1, %r1;\nselp.b32 %r0, 1, 0, %p1;",
              [](float a, float) { return std::isinf(a); });
}

TEST(EmulateFloatTest, ToIntegers) {
  auto clamped = [](double x) {
    return x != x ? 0 : int64_t(std::clamp(x, -2147483648.0, 2147483647.0));
  };
  expectWords("cvt.rzi.s32.f32 %r0, %r1;",
              [&](float a, float) { return clamped(std::trunc(a)); });
  expectWords("cvt.rni.s32.f32 %r0, %r1;",
              [&](float a, float) { return clamped(std::nearbyint(a)); });
  expectWords("cvt.rmi.s32.f32 %r0, %r1;",
              [&](float a, float) { return clamped(std::floor(a)); });
  expectWords("cvt.rpi.u32.f32 %r0, %r1;", [](float a, float) {
    return a != a
               ? 0
               : uint64_t(std::clamp(std::ceil(double(a)), 0.0, 4294967295.0));
  });
  expectTwo("cvt.rni.f32.f32 %r0, %r1;",
            [](float a, float) { return std::nearbyint(a); });
}

TEST(EmulateFloatTest, FromIntegers) {
  std::vector<uint32_t> a = {0, 1, 0x7FFFFFFF, 0xFFFFFFFF, 16777217, 33554435};
  a.resize(32, 0x80000001);
  Floats b = compute<uint32_t, float>("cvt.rn.f32.s32 %r0, %r1;", {a});
  Floats up = compute<uint32_t, float>("cvt.rp.f32.u32 %r0, %r1;", {a});
  Floats wide = compute<uint32_t, float>(
      "mov.b64 %d9, {%r1, %r1};\ncvt.rn.f32.u64 %r0, %d9;", {a});
  for (unsigned i = 0; i < 32; ++i) {
    EXPECT_EQ(b[i], float(int32_t(a[i])));
    EXPECT_GE(double(up[i]), double(a[i]));
    EXPECT_LT(std::nextafter(up[i], -inf), a[i] ? double(a[i]) : 1);
    EXPECT_EQ(wide[i], float(uint64_t(a[i]) << 32 | a[i]));
  }
}

TEST(EmulateFloatTest, NarrowFloats) {
  expectWords("cvt.rn.f16x2.f32 %r0, %r1, %r2;", [](float a, float b) {
    return uint32_t(HalfFloat::narrow(a)) << 16 | HalfFloat::narrow(b);
  });
  expectWords("cvt.rn.bf16x2.f32 %r0, %r1, %r2;", [](float a, float b) {
    return uint32_t(BrainFloat::narrow(a)) << 16 | BrainFloat::narrow(b);
  });
  expectTwo(
      "cvt.rn.f16.f32 %h1, %r1;\ncvt.f32.f16 %r0, %h1;",
      [](float a, float) { return HalfFloat::widen(HalfFloat::narrow(a)); });
  expectTwo(
      "cvt.rz.f16.f32 %h1, %r1;\ncvt.f32.f16 %r0, %h1;", [](float a, float) {
        float x = HalfFloat::widen(HalfFloat::narrow(a));
        uint16_t bits = HalfFloat::narrow(a);
        return std::fabs(x) > std::fabs(a) ? HalfFloat::widen(bits - 1) : x;
      });
  expectTwo("cvt.rna.tf32.f32 %r0, %r1;", [](float a, float) {
    uint32_t bits = std::bit_cast<uint32_t>(a);
    if ((bits & 0x7F800000) == 0x7F800000)
      return a;
    return std::bit_cast<float>((bits + 0x1000) & 0xFFFFE000);
  });
  // Pairs: both halves are computed for themselves.
  expectWords(
      "cvt.rn.f16x2.f32 %r1, %r1, %r2;\nfma.rn.f16x2 %r0, %r1, %r1, %r1;",
      [](float a, float b) {
        auto half = [](float x) -> uint32_t {
          double y = HalfFloat::widen(HalfFloat::narrow(x));
          return HalfFloat::narrow(float(y * y + y));
        };
        return half(a) << 16 | half(b);
      });
  expectWords("cvt.rn.bf16x2.f32 %r1, %r1, %r2;\nabs.bf16x2 %r0, %r1;",
              [](float a, float b) {
                return (uint32_t(BrainFloat::narrow(a)) << 16 |
                        BrainFloat::narrow(b)) &
                       0x7FFF7FFF;
              });
}

TEST(EmulateFloatTest, Doubles) {
  expectTwo("cvt.f64.f32 %d8, %r1;\ncvt.f64.f32 %d9, %r2;\n"
            "mul.rn.f64 %d9, %d8, %d9;\nadd.f64 %d9, %d9, 0d3FF8000000000000;\n"
            "cvt.rn.f32.f64 %r0, %d9;",
            [](double a, double b) { return a * b + 1.5; });
}
