//===- NarrowFloatTest.cpp - f32 in 16 bits -------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file compares both formats with LLVM's arithmetic: all 16-bit numbers,
// and for rounding the f32 numbers at, between and beside them.
//===----------------------------------------------------------------------===//
// LINK: MLIR LLVM
#include "lib/Support/NarrowFloat.h"

#include "llvm/ADT/APFloat.h"
#include "gtest/gtest.h"

using namespace tenon;
using llvm::APFloat;

static uint16_t expected(float x, const llvm::fltSemantics &format) {
  APFloat number(x);
  bool lossy;
  number.convert(format, APFloat::rmNearestTiesToEven, &lossy);
  return number.bitcastToAPInt().getZExtValue();
}

template <typename Format> static void check(const llvm::fltSemantics &format) {
  for (uint32_t bits = 0; bits < 0x10000; ++bits) {
    APFloat number(format, llvm::APInt(16, bits));
    bool lossy;
    number.convert(APFloat::IEEEsingle(), APFloat::rmNearestTiesToEven, &lossy);
    float wide = Format::widen(uint16_t(bits));
    if (number.isNaN()) {
      EXPECT_TRUE(std::isnan(wide));
      EXPECT_TRUE(std::isnan(Format::widen(Format::narrow(wide))));
      continue;
    }
    ASSERT_EQ(std::bit_cast<uint32_t>(number.convertToFloat()),
              std::bit_cast<uint32_t>(wide));
    float next = Format::widen(uint16_t(bits ^ 1));
    if (!std::isfinite(wide) || !std::isfinite(next))
      continue;
    float middle = wide + (next - wide) / 2;
    for (float x : {wide, middle, std::nextafter(middle, wide),
                    std::nextafter(middle, next)})
      ASSERT_EQ(Format::narrow(x), expected(x, format)) << x;
  }
  for (float x :
       {65504.0f, 65519.99f, 65520.0f, 65536.0f, 3.3895e38f, 3.3961775e38f,
        3.4e38f, INFINITY, 1e-8f, 2.98e-8f, 2.99e-8f, 1e-40f})
    for (float y : {x, -x})
      EXPECT_EQ(Format::narrow(y), expected(y, format)) << y;
}

TEST(NarrowFloat, HalfAgreesWithLlvm) { check<HalfFloat>(APFloat::IEEEhalf()); }

TEST(NarrowFloat, BrainAgreesWithLlvm) { check<BrainFloat>(APFloat::BFloat()); }
