//===- Elements.cpp - from stored elements to numbers ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file converts between the bytes of tensors and the three kinds of
// numbers the interpreter computes with.
//===----------------------------------------------------------------------===//
#include "lib/Interpreter/Elements.h"
#include "lib/Interpreter/SmallElements.h"

#include "dialects/Graph/SmallTypes.h"
#include "llvm/ADT/APFloat.h"

#include <cmath>
#include <cstring>
#include <limits>

using namespace mlir;
using namespace tenon;
using namespace tenon::interp;

namespace {

/// One byte that is zero or not.
struct Bit {
  uint8_t byte;
};
/// The two 16-bit float formats, as bits.
struct Half {
  uint16_t bits;
  static const llvm::fltSemantics &semantics() { return APFloat::IEEEhalf(); }
};
struct Brain {
  uint16_t bits;
  static const llvm::fltSemantics &semantics() { return APFloat::BFloat(); }
};

template <typename S>
constexpr bool isSoftFloat =
    std::is_same_v<S, Half> || std::is_same_v<S, Brain>;

/// Calls `f` with a value of the C++ type that stores elements of `type`.
template <typename F> bool withStorageOf(Type type, F f) {
  if (type.isF32())
    return f(float()), true;
  if (type.isF64())
    return f(double()), true;
  if (type.isF16())
    return f(Half()), true;
  if (type.isBF16())
    return f(Brain()), true;
  auto integer = dyn_cast<IntegerType>(type);
  if (!integer)
    return false;
  bool isUnsigned = integer.isUnsigned();
  switch (integer.getWidth()) {
  case 1:
    return f(Bit()), true;
  case 8:
    return (isUnsigned ? f(uint8_t()) : f(int8_t())), true;
  case 16:
    return (isUnsigned ? f(uint16_t()) : f(int16_t())), true;
  case 32:
    return (isUnsigned ? f(uint32_t()) : f(int32_t())), true;
  case 64:
    return (isUnsigned ? f(uint64_t()) : f(int64_t())), true;
  default:
    return false;
  }
}

/// Rounds toward zero; numbers out of range become the nearest in range.
template <typename To> To saturate(double number) {
  using Limits = std::numeric_limits<To>;
  if (std::isnan(number))
    return 0;
  if (number <= static_cast<double>(Limits::min()))
    return Limits::min();
  if (number >= static_cast<double>(Limits::max()))
    return Limits::max();
  return static_cast<To>(number);
}

template <typename To, typename From> To convertPlain(From number) {
  if constexpr (std::is_floating_point_v<From> && std::is_integral_v<To>)
    return saturate<To>(number);
  else
    return static_cast<To>(number);
}

template <typename S> double softToDouble(S element) {
  APFloat value(S::semantics(), APInt(16, element.bits));
  bool losesInfo;
  value.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven,
                &losesInfo);
  return value.convertToDouble();
}

template <typename S, typename W> S numberToSoft(W number) {
  APFloat value(0.0);
  bool losesInfo;
  if constexpr (std::is_floating_point_v<W>) {
    value = APFloat(number);
    value.convert(S::semantics(), APFloat::rmNearestTiesToEven, &losesInfo);
  } else {
    value = APFloat(S::semantics());
    bool isSignedNumber = std::is_signed_v<W>;
    value.convertFromAPInt(
        APInt(64, static_cast<uint64_t>(number), isSignedNumber),
        isSignedNumber, APFloat::rmNearestTiesToEven);
  }
  return {static_cast<uint16_t>(value.bitcastToAPInt().getZExtValue())};
}

template <typename W, typename S> W toNumber(S element) {
  if constexpr (std::is_same_v<S, Bit>)
    return element.byte != 0;
  else if constexpr (isSoftFloat<S>)
    return convertPlain<W>(softToDouble(element));
  else if constexpr (std::is_integral_v<S> && std::is_same_v<W, uint64_t>)
    return static_cast<std::make_unsigned_t<S>>(element);
  else
    return convertPlain<W>(element);
}

template <typename S, typename W> S toElement(W number) {
  if constexpr (std::is_same_v<S, Bit>)
    return {static_cast<uint8_t>(number != 0)};
  else if constexpr (isSoftFloat<S>)
    return numberToSoft<S>(number);
  else
    return convertPlain<S>(number);
}

} // namespace

//===-- Small elements ----------------------------------------------------===//

template <typename W> static W smallToNumber(Type type, uint8_t byte) {
  if (auto integer = dyn_cast<IntegerType>(type)) {
    // To uint64_t go the element's own bits, as of wider integers.
    if constexpr (std::is_same_v<W, uint64_t>)
      return encodeInteger(integer, uint64_t(byte));
    return static_cast<W>(decodeInteger(integer, byte));
  }
  return convertPlain<W>(decodeFloat(cast<FloatType>(type), byte));
}

template <typename W>
static void loadSmall(const Tensor &tensor, int64_t offset, int64_t stride,
                      MutableArrayRef<W> numbers) {
  for (size_t i = 0, e = numbers.size(); i < e; ++i)
    numbers[i] = smallToNumber<W>(tensor.getElementType(),
                                  tensor.bytes()[offset + i * stride]);
}

template <typename W>
static void storeSmall(Tensor &tensor, int64_t offset, ArrayRef<W> numbers) {
  char *bytes = tensor.mutableBytes().data() + offset;
  auto integer = dyn_cast<IntegerType>(tensor.getElementType());
  for (size_t i = 0, e = numbers.size(); i < e; ++i) {
    if (!integer)
      bytes[i] =
          encodeFloat(cast<FloatType>(tensor.getElementType()), numbers[i]);
    else if constexpr (std::is_floating_point_v<W>)
      bytes[i] = encodeInteger(integer, numbers[i]);
    else
      bytes[i] = encodeInteger(integer, uint64_t(numbers[i]));
  }
}

//===-- All elements ------------------------------------------------------===//

std::optional<int64_t> tenon::interp::elementSize(Type type) {
  if (graph::isSmall(type))
    return 1;
  int64_t size = 0;
  if (!withStorageOf(type, [&](auto storage) { size = sizeof(storage); }))
    return std::nullopt;
  return size;
}

// Bytes may be unaligned (weights inside a mapped file), hence memcpy.
template <typename W>
void tenon::interp::load(const Tensor &tensor, int64_t offset, int64_t stride,
                         MutableArrayRef<W> numbers) {
  if (graph::isSmall(tensor.getElementType()))
    return loadSmall(tensor, offset, stride, numbers);
  withStorageOf(tensor.getElementType(), [&](auto storage) {
    using S = decltype(storage);
    const char *bytes = tensor.bytes().data();
    for (size_t i = 0, e = numbers.size(); i < e; ++i) {
      S element;
      std::memcpy(&element, bytes + (offset + i * stride) * sizeof(S),
                  sizeof(S));
      numbers[i] = toNumber<W>(element);
    }
  });
}

template <typename W>
void tenon::interp::store(Tensor &tensor, int64_t offset, ArrayRef<W> numbers) {
  if (graph::isSmall(tensor.getElementType()))
    return storeSmall(tensor, offset, numbers);
  withStorageOf(tensor.getElementType(), [&](auto storage) {
    using S = decltype(storage);
    char *bytes = tensor.mutableBytes().data() + offset * sizeof(S);
    for (size_t i = 0, e = numbers.size(); i < e; ++i) {
      S element = toElement<S>(numbers[i]);
      std::memcpy(bytes + i * sizeof(S), &element, sizeof(S));
    }
  });
}

template <typename To, typename From>
To tenon::interp::convertNumber(From number) {
  return convertPlain<To>(number);
}

template <typename W> W tenon::interp::lowestOf(Type type) {
  if constexpr (std::is_floating_point_v<W>)
    return -std::numeric_limits<W>::infinity();
  else if (isSigned(type))
    return static_cast<W>(-1) << (type.getIntOrFloatBitWidth() - 1);
  else
    return 0;
}

template <typename W> W tenon::interp::highestOf(Type type) {
  if constexpr (std::is_floating_point_v<W>)
    return std::numeric_limits<W>::infinity();
  else
    return static_cast<W>(~uint64_t(0) >> (64 - type.getIntOrFloatBitWidth() +
                                           (isSigned(type) ? 1 : 0)));
}

namespace tenon::interp {
#define TENON_INSTANTIATE(W)                                                   \
  template void load<W>(const Tensor &, int64_t, int64_t, MutableArrayRef<W>); \
  template void store<W>(Tensor &, int64_t, ArrayRef<W>);                      \
  template W convertNumber<W, double>(double);                                 \
  template W lowestOf<W>(Type);                                                \
  template W highestOf<W>(Type);
TENON_INSTANTIATE(double)
TENON_INSTANTIATE(int64_t)
TENON_INSTANTIATE(uint64_t)
#undef TENON_INSTANTIATE
} // namespace tenon::interp
