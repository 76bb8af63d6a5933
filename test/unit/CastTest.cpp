//===- CastTest.cpp - compiled casts between f32 and 16-bit floats --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file widens each number of 16 bits, and narrows f32 numbers with each
// upper half and lower halves around all ties, and f64 numbers and integers
// beside ties, which must not be rounded twice; APFloat says what is right.
//===----------------------------------------------------------------------===//
// LINK: TenonCompiler TenonArtifact tenon_runtime
#include "test/unit/CompiledTestProgram.h"
#include "test/unit/TestProcessors.h"
#include "llvm/ADT/APFloat.h"

using namespace llvm;
using namespace tenon;
using namespace tenon::test;

namespace {
struct Format {
  const char *name;
  const fltSemantics &semantics;
};
} // namespace

static const Format formats[] = {{"f16", APFloat::IEEEhalf()},
                                 {"bf16", APFloat::BFloat()}};

/// The lower halves of what is narrowed. f16 drops 13 bits, bf16 all 16; a tie
/// between subnormal f16 numbers lies in the upper half.
static constexpr uint32_t lowerHalves[] = {
    0x0000, 0x0001, 0x0fff, 0x1000, 0x1001, 0x2fff, 0x3000, 0x3001,
    0x7fff, 0x8000, 0x8001, 0xefff, 0xf000, 0xf001, 0xffff};

static APFloat convert(APFloat value, const fltSemantics &semantics) {
  bool lossy;
  value.convert(semantics, APFloat::rmNearestTiesToEven, &lossy);
  return value;
}

template <typename To, typename From>
static std::vector<To> run(const std::vector<From> &x, const std::string &cpu,
                           StringRef from, StringRef to) {
  int64_t count = x.size();
  std::string in = tensorType({count}, from), out = tensorType({count}, to);
  CompileOptions options;
  options.cpu = cpu;
  options.jobs = 1;
  CompiledProgram compiled(
      "func.func @main(%x: " + in + " {onnx.name = \"x\"}) -> (" + out +
          " {onnx.name = \"y\"}) {\n%y = graph.cast %x : "
          "(" +
          in + ") -> " + out + "\nreturn %y : " + out + "\n}\n",
      options);
  return compiled.run<To>(x);
}

/// Equal bits; of NaN only the sign and, where asked for, that it is quiet.
static bool isSame(const APFloat &want, const APFloat &got, bool isQuiet) {
  if (!want.isNaN())
    return want.bitwiseIsEqual(got);
  return got.isNaN() && got.isNegative() == want.isNegative() &&
         !(isQuiet && got.isSignaling());
}

TEST(Cast, NarrowsToTheNearest) {
  std::vector<uint32_t> x;
  for (uint32_t upper = 0; upper < 0x10000; ++upper)
    for (uint32_t lower : lowerHalves)
      x.push_back(upper << 16 | lower);
  for (const Format &format : formats)
    for (const std::string &cpu : processors()) {
      SCOPED_TRACE(format.name + (" on " + cpu));
      auto y = run<uint16_t>(x, cpu, "f32", format.name);
      ASSERT_EQ(y.size(), x.size());
      for (size_t i = 0; i < x.size(); ++i) {
        APFloat wide(APFloat::IEEEsingle(), APInt(32, x[i]));
        APFloat got(format.semantics, APInt(16, y[i]));
        ASSERT_TRUE(isSame(convert(wide, format.semantics), got, true))
            << utohexstr(x[i]) << " gives " << utohexstr(y[i]);
      }
    }
}

TEST(Cast, WidensExactly) {
  std::vector<uint16_t> x;
  for (uint32_t bits = 0; bits < 0x10000; ++bits)
    x.push_back(bits);
  for (const Format &format : formats)
    for (const std::string &cpu : processors()) {
      SCOPED_TRACE(format.name + (" on " + cpu));
      auto y = run<uint32_t>(x, cpu, format.name, "f32");
      ASSERT_EQ(y.size(), x.size());
      for (size_t i = 0; i < x.size(); ++i) {
        APFloat narrow(format.semantics, APInt(16, x[i]));
        APFloat got(APFloat::IEEEsingle(), APInt(32, y[i]));
        ASSERT_TRUE(isSame(convert(narrow, APFloat::IEEEsingle()), got,
                           !narrow.isSignaling()))
            << utohexstr(x[i]) << " gives " << utohexstr(y[i]);
      }
    }
}

/// What lies between two neighbours of 16 bits: the tie, and what is nearer to
/// one of them by less than f32 can tell.
static std::vector<double> besideTies(const Format &format) {
  std::vector<double> x = {INFINITY, -INFINITY, 0.0, -0.0, 1e300, 1e-300};
  for (uint32_t bits = 0; bits < 0xffff; ++bits) {
    APFloat below(format.semantics, APInt(16, bits));
    APFloat above(format.semantics, APInt(16, bits + 1));
    if (!below.isFinite() || !above.isFinite())
      continue;
    double low = convert(below, APFloat::IEEEdouble()).convertToDouble();
    double high = convert(above, APFloat::IEEEdouble()).convertToDouble();
    double tie = low / 2 + high / 2;
    x.insert(x.end(),
             {low, tie, std::nextafter(tie, low), std::nextafter(tie, high)});
  }
  return x;
}

TEST(Cast, RoundsDoublesOnce) {
  for (const Format &format : formats)
    for (const std::string &cpu : processors()) {
      SCOPED_TRACE(format.name + (" on " + cpu));
      std::vector<double> x = besideTies(format);
      auto y = run<uint16_t>(x, cpu, "f64", format.name);
      ASSERT_EQ(y.size(), x.size());
      for (size_t i = 0; i < x.size(); ++i) {
        APFloat got(format.semantics, APInt(16, y[i]));
        ASSERT_TRUE(isSame(convert(APFloat(x[i]), format.semantics), got, true))
            << x[i] << " gives " << utohexstr(y[i]);
      }
    }
}

/// Integers with each of 10 leading bits, and little or much behind them.
template <typename T> static std::vector<T> integers() {
  using Wide = std::make_unsigned_t<T>;
  constexpr int width = 8 * sizeof(T);
  std::vector<T> x = {0, std::numeric_limits<T>::min(),
                      std::numeric_limits<T>::max()};
  for (int shift = 0; shift < width - 9; ++shift)
    for (Wide lead = 512; lead < 1024; ++lead)
      for (Wide rest : {Wide(0), Wide(1), Wide((Wide(1) << shift) - 1)}) {
        Wide number = (lead << shift) + (shift ? rest : 0);
        x.push_back(T(number));
        x.push_back(T(Wide(0) - number));
      }
  return x;
}

template <typename T> static void checkIntegers(StringRef type) {
  constexpr bool isSigned = std::is_signed_v<T>;
  for (const Format &format : formats)
    for (const std::string &cpu : processors()) {
      SCOPED_TRACE(format.name + (" on " + cpu));
      std::vector<T> x = integers<T>();
      auto y = run<uint16_t>(x, cpu, type, format.name);
      ASSERT_EQ(y.size(), x.size());
      for (size_t i = 0; i < x.size(); ++i) {
        APFloat want(format.semantics), got(format.semantics, APInt(16, y[i]));
        want.convertFromAPInt(APInt(64, uint64_t(x[i]), isSigned), isSigned,
                              APFloat::rmNearestTiesToEven);
        ASSERT_TRUE(want.bitwiseIsEqual(got))
            << x[i] << " gives " << utohexstr(y[i]);
      }
    }
}

TEST(Cast, RoundsIntegersOnce) {
  checkIntegers<int32_t>("i32");
  checkIntegers<uint32_t>("ui32");
  checkIntegers<int64_t>("i64");
  checkIntegers<uint64_t>("ui64");
}
