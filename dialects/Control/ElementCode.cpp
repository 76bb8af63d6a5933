//===- ElementCode.cpp - element types as the run time has them -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dialects/Control/ElementCode.h"

#include "dialects/Control/Control.h"
#include "tenon-c/Runtime.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tenon::control;

static std::optional<ElementCode> floatCode(FloatType type) {
  using Result = std::optional<ElementCode>;
  int64_t bits = type.getWidth();
  return llvm::TypeSwitch<FloatType, Result>(type)
      .Case<Float16Type, Float32Type, Float64Type>(
          [&](FloatType) { return ElementCode{TENON_FLOAT, bits}; })
      .Case([&](BFloat16Type) { return ElementCode{TENON_BFLOAT, bits}; })
      .Case([&](Float8E4M3FNType) {
        return ElementCode{TENON_FLOAT8_E4M3FN, bits};
      })
      .Case([&](Float8E4M3FNUZType) {
        return ElementCode{TENON_FLOAT8_E4M3FNUZ, bits};
      })
      .Case(
          [&](Float8E5M2Type) { return ElementCode{TENON_FLOAT8_E5M2, bits}; })
      .Case([&](Float8E5M2FNUZType) {
        return ElementCode{TENON_FLOAT8_E5M2FNUZ, bits};
      })
      .Case([&](Float8E8M0FNUType) {
        return ElementCode{TENON_FLOAT8_E8M0FNU, bits};
      })
      .Case([&](Float4E2M1FNType) {
        return ElementCode{TENON_FLOAT4_E2M1FN, bits};
      })
      .Default([](Type) { return std::nullopt; });
}

std::optional<ElementCode> tenon::control::elementCode(Type element) {
  if (isa<StringType>(element))
    return stringCode;
  if (auto real = dyn_cast<FloatType>(element))
    return floatCode(real);
  auto integer = dyn_cast<IntegerType>(element);
  if (!integer)
    return std::nullopt;
  int64_t width = integer.getWidth();
  if (width == 1)
    return ElementCode{TENON_BOOL, 8};
  return ElementCode{integer.isUnsigned() ? TENON_UINT : TENON_INT, width};
}
