//===- TensorMap.h - what copies of tiles are told about a tensor - C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file encodes what cuTensorMapEncodeTiled is given into 128 bytes, which
// a launch passes by value. The encoding is the emulator's own.
//===----------------------------------------------------------------------===//
#ifndef TENON_LIB_EMULATE_TENSORMAP_H
#define TENON_LIB_EMULATE_TENSORMAP_H

#include "lib/Support/Result.h"

#include <array>
#include <cstdint>

namespace tenon::emulate {

/// 128 opaque bytes; a kernel gets them at a multiple of 64.
using TensorMap = std::array<uint8_t, 128>;

/// A tensor and its tiles, dimensions from the innermost one on.
struct TensorMapInfo {
  /// As CUtensorMapDataType counts: 0 u8, 1 u16, 2 u32, 3 s32, 4 u64, 5 s64,
  /// 6 f16, 7 f32, 8 f64, 9 bf16, 10 f32 with ftz, 11 tf32, 12 tf32 with ftz.
  uint32_t type = 0;
  uint32_t rank = 0; ///< 1 to 5
  uint64_t address = 0;
  std::array<uint64_t, 5> dims = {};
  std::array<uint64_t, 4> strides = {}; ///< bytes, of dimensions 1 and up
  std::array<uint32_t, 5> box = {};     ///< elements, before striding
  std::array<uint32_t, 5> elementStrides = {};
  /// As CUtensorMapSwizzle counts: 0 none, 1, 2, 3 for 32, 64, 128 bytes.
  uint32_t swizzle = 0;
};

/// Refuses what the driver refuses: misaligned addresses and strides, boxes
/// too large, an inner dimension wider than the swizzle. Only tiles that are
/// filled with zeroes outside of the tensor and that are not interleaved.
Result<TensorMap> encode(const TensorMapInfo &info);
/// Refuses bytes that encode() has not made.
Result<TensorMapInfo> decode(const TensorMap &map);

/// Bytes of an element of a type; 0 of an unknown one.
unsigned bytesOfMapType(uint32_t type);

} // namespace tenon::emulate

#endif // TENON_LIB_EMULATE_TENSORMAP_H
