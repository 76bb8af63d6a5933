//===- Gpu.h - one record per generation of GPUs ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares the table that planners and emitters for GPUs ask instead
// of testing for an architecture. A new one is a new row.
//===----------------------------------------------------------------------===//
#ifndef TENON_LIB_TILE_GPU_H
#define TENON_LIB_TILE_GPU_H

#include "lib/Tile/GpuFit.h"
#include "lib/Tile/Target.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <optional>

namespace tenon::tile {

/// What products compute with, and what values are stored in. F32: results as
/// accurate as sums of f32. TF32: products round what they multiply to TF32.
/// F16, BF16: values lie in 16 bits; sums, softmax and normalisations are f32.
enum class Precision { F32, TF32, F16, BF16 };

/// "f32", "tf32", "f16" or "bf16".
std::optional<Precision> parsePrecision(llvm::StringRef name);
llvm::StringRef toText(Precision precision);

/// Lanes of a warp, on all of them.
constexpr int64_t warpLanes = 32;

/// Microseconds of any kernel, from the end of what it reads to its own: blocks
/// begin, read memory once, and store (H200, one after the other in a graph).
constexpr double shortestKernel = 1.0;

/// What a planner must know of a GPU. Sizes in bytes, times in microseconds.
/// They belong to the name and are not measured, so that the same input gives
/// the same artifact anywhere.
struct GpuTarget {
  llvm::StringRef name; ///< LLVM's, "sm_90a"
  int64_t architecture; ///< 90
  /// Its code runs on no later generation.
  bool exact = false;
  llvm::StringRef features; ///< LLVM's, "+ptx83"
  int64_t processors;       ///< streaming multiprocessors
  int64_t sharedBytes;      ///< that a block may have
  int64_t processorShared;  ///< of a multiprocessor
  int64_t registers = 65536;
  int64_t l2Bytes;
  double memoryBytes; ///< from memory, per microsecond
  double l2PerTime;   ///< from the second-level cache, per microsecond
  double flops;       ///< of f32, per microsecond, without tensor cores
  double tensorFlops; ///< of f16 on tensor cores, per microsecond
  bool wgmma = false, tma = false, clusters = false;
  /// A kernel may begin while those before it end.
  bool programmatic = false;
  /// From one kernel of a graph to the next that needs it.
  double launchTime = 1.0;
  GpuFit fit = {}; ///< what formulas are fitted to
};

/// All rows.
llvm::ArrayRef<GpuTarget> gpuTargets();

/// The row of that name, or null.
const GpuTarget *findGpuTarget(llvm::StringRef name);

/// What one of its threads is to planners of CPUs: a processor with short
/// vectors, no cache of its own and thousands of neighbours.
Target threadOf(const GpuTarget &gpu);

} // namespace tenon::tile

#endif // TENON_LIB_TILE_GPU_H
