//===- Device.h - what launches on a device have beside ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file describes what a variant for a device says on top of its kernels
// and launches. The meaning and the limits of the numbers are those of section
// DEVICE in docs/spec/artifact.md.
//===----------------------------------------------------------------------===//
#ifndef TENON_TARGET_ARTIFACT_DEVICE_H
#define TENON_TARGET_ARTIFACT_DEVICE_H

#include <cstdint>
#include <vector>

namespace tenon::artifact {

/// Element types of tensor maps; the values are part of the format.
enum class MapType : uint32_t { U8 = 0, I32 = 4, F16 = 6, F32 = 7, BF16 = 9 };

/// A tensor map of operand `ref` of a launch, from byte `offset` of it on.
/// Dimensions are innermost first; `strides` are those of dimensions 1 and on,
/// in bytes; `steps` are element strides.
struct MapDesc {
  uint32_t ref = 0;
  MapType type = MapType::F32;
  uint32_t swizzle = 0;
  int64_t offset = 0;
  std::vector<uint64_t> dims, strides;
  std::vector<uint32_t> box, steps;
};

/// What a kernel takes of a device, by the words of the assembler; -1: it did
/// not say.
struct DeviceUse {
  int64_t registers = -1;   ///< of a thread
  int64_t sharedBytes = -1; ///< of a block, without the dynamic ones
  int64_t spillBytes = -1;  ///< that a thread stores to local memory
};

/// A launch on a device; its tiles are the blocks along x.
struct DeviceLaunchDesc {
  uint32_t gridY = 1, gridZ = 1;
  uint32_t threads = 1;
  uint32_t sharedBytes = 0;
  uint32_t cluster = 1;
  bool cooperative = false, programmatic = false;
  std::vector<MapDesc> maps = {};
};

/// The values are part of the format.
enum class ModuleKind : uint32_t { Ptx = 1, Cubin = 2 };

/// The generation of a device, 90 for sm_90. The code of an exact one runs on
/// no other.
struct Architecture {
  uint32_t number = 0;
  bool exact = false;
};

/// A form of a unit of kernels: bytes [offset, offset + size) of the code.
struct ModuleDesc {
  ModuleKind kind = ModuleKind::Ptx;
  uint32_t unit = 0;
  Architecture architecture;
  uint64_t offset = 0, size = 0;
};

/// Where modules start in the code.
inline constexpr uint64_t moduleAlignment = 64;

struct DeviceDesc {
  Architecture architecture;
  /// The peak of products, 10^9 operations per second, for profiles.
  uint32_t gflops = 0;
  std::vector<DeviceLaunchDesc> launches; ///< one for each of the variant
  std::vector<ModuleDesc> modules;
};

} // namespace tenon::artifact

#endif // TENON_TARGET_ARTIFACT_DEVICE_H
