//===- Gpu.cpp - one record per generation of GPUs ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Tile/Gpu.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace tenon::tile;

std::optional<Precision> tenon::tile::parsePrecision(llvm::StringRef name) {
  return llvm::StringSwitch<std::optional<Precision>>(name)
      .Case("f32", Precision::F32)
      .Case("tf32", Precision::TF32)
      .Case("f16", Precision::F16)
      .Case("bf16", Precision::BF16)
      .Default(std::nullopt);
}

llvm::StringRef tenon::tile::toText(Precision precision) {
  switch (precision) {
  case Precision::F32:
    return "f32";
  case Precision::TF32:
    return "tf32";
  case Precision::F16:
    return "f16";
  case Precision::BF16:
    return "bf16";
  }
  return "";
}

static constexpr int64_t KiB = 1024, MiB = 1024 * KiB;

/// A100.
static constexpr GpuTarget sm80 = {.name = "sm_80",
                                   .architecture = 80,
                                   .features = "+ptx80",
                                   .processors = 108,
                                   .sharedBytes = 163 * KiB,
                                   .processorShared = 164 * KiB,
                                   .l2Bytes = 40 * MiB,
                                   .memoryBytes = 1.5e6,
                                   .l2PerTime = 4e6,
                                   .flops = 19.5e6,
                                   .tensorFlops = 312e6};

/// GeForce 30, A10 and their like.
static constexpr GpuTarget sm86 = {.name = "sm_86",
                                   .architecture = 86,
                                   .features = "+ptx80",
                                   .processors = 72,
                                   .sharedBytes = 99 * KiB,
                                   .processorShared = 100 * KiB,
                                   .l2Bytes = 6 * MiB,
                                   .memoryBytes = 0.6e6,
                                   .l2PerTime = 2e6,
                                   .flops = 31e6,
                                   .tensorFlops = 125e6};

/// GeForce 40, L4, L40.
static constexpr GpuTarget sm89 = {.name = "sm_89",
                                   .architecture = 89,
                                   .features = "+ptx80",
                                   .processors = 142,
                                   .sharedBytes = 99 * KiB,
                                   .processorShared = 100 * KiB,
                                   .l2Bytes = 48 * MiB,
                                   .memoryBytes = 0.8e6,
                                   .l2PerTime = 4e6,
                                   .flops = 90e6,
                                   .tensorFlops = 360e6};

/// H100 and H200: figures of an H200.
static constexpr GpuTarget sm90a = {.name = "sm_90a",
                                    .architecture = 90,
                                    .exact = true,
                                    .features = "+ptx83",
                                    .processors = 132,
                                    .sharedBytes = 227 * KiB,
                                    .processorShared = 228 * KiB,
                                    .l2Bytes = 50 * MiB,
                                    .memoryBytes = 3.9e6,
                                    .l2PerTime = 7e6,
                                    .flops = 64e6,
                                    .tensorFlops = 760e6,
                                    .wgmma = true,
                                    .tma = true,
                                    .clusters = true,
                                    .programmatic = true,
                                    .launchTime = 0.6,
                                    .fit = {.measuredOn = "H200"}};

/// B200: its own tensor cores are not used, nor are Hopper's there.
static constexpr GpuTarget sm100a = {.name = "sm_100a",
                                     .architecture = 100,
                                     .exact = true,
                                     .features = "+ptx86",
                                     .processors = 148,
                                     .sharedBytes = 227 * KiB,
                                     .processorShared = 228 * KiB,
                                     .l2Bytes = 126 * MiB,
                                     .memoryBytes = 7e6,
                                     .l2PerTime = 10e6,
                                     .flops = 75e6,
                                     .tensorFlops = 600e6,
                                     .tma = true,
                                     .clusters = true,
                                     .programmatic = true,
                                     .launchTime = 0.6};

static constexpr GpuTarget table[] = {sm80, sm86, sm89, sm90a, sm100a};

llvm::ArrayRef<GpuTarget> tenon::tile::gpuTargets() { return table; }

const GpuTarget *tenon::tile::findGpuTarget(llvm::StringRef name) {
  const auto *found = llvm::find_if(
      gpuTargets(), [&](const GpuTarget &row) { return row.name == name; });
  return found == gpuTargets().end() ? nullptr : found;
}

Target tenon::tile::threadOf(const GpuTarget &gpu) {
  constexpr int64_t threadsEach = 1024, vector = 16;
  return {.name = gpu.name,
          .architecture = "nvptx64",
          .features = gpu.features,
          .vectorBytes = vector,
          .registers = 16,
          .fma = true,
          .l1Bytes = 16 * KiB,
          .l2Bytes = gpu.l2Bytes / gpu.processors,
          .l3Bytes = gpu.l2Bytes,
          .threads = gpu.processors * threadsEach,
          .tileWork = 4};
}
