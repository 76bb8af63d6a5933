//===- Types.h - the types of PTX -------------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file names the types of instructions and of registers.
//===----------------------------------------------------------------------===//
#ifndef TENON_LIB_EMULATE_TYPES_H
#define TENON_LIB_EMULATE_TYPES_H

#include <cstdint>
#include <string_view>

namespace tenon::emulate {

enum class Type : uint8_t {
  none,
  pred,
  b8,
  b16,
  b32,
  b64,
  u8,
  u16,
  u32,
  u64,
  s8,
  s16,
  s32,
  s64,
  u16x2,
  s16x2,
  f16,
  f16x2,
  bf16,
  bf16x2,
  tf32,
  f32,
  f64,
};

/// Type::none if this is no type.
Type typeNamed(std::string_view name);
const char *nameOf(Type type);

/// Bytes of a value; of a predicate, of 32 lanes' bits.
unsigned bytesOf(Type type);
bool isSigned(Type type);
bool isInteger(Type type); ///< bits included, pairs not
bool isFloat(Type type);   ///< pairs of 16 bits included

} // namespace tenon::emulate

#endif // TENON_LIB_EMULATE_TYPES_H
