//===- Target.cpp - one record per instruction set ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Tile/Target.h"

#include "llvm/Support/MathExtras.h"
#include <algorithm>

using namespace tenon::tile;

int64_t Target::lanesFor(int64_t count, int64_t elementBytes) const {
  int64_t narrowest = std::max<int64_t>(2, 16 / elementBytes);
  int64_t needed = int64_t(llvm::PowerOf2Ceil(uint64_t(count)));
  return std::min(std::max<int64_t>(1, lanes(elementBytes)),
                  std::max(needed, narrowest));
}

static constexpr int64_t KiB = 1024;

static constexpr Target avx512 = {.name = "avx512",
                                  .features =
                                      "+avx512f,+avx512vl,+avx512bw,+avx512dq",
                                  .vectorBytes = 64,
                                  .registers = 32,
                                  .avx512 = true,
                                  .fma = true,
                                  .l1Bytes = 32 * KiB,
                                  .l2Bytes = 1024 * KiB,
                                  .l3Bytes = 16384 * KiB};

/// The same with units of 256 bits.
static constexpr Target zen4() {
  Target target = avx512;
  target.name = "zen4";
  target.cpus = "znver4";
  target.halfWidthUnits = true;
  return target;
}

/// Units of 512 bits, and larger caches to feed them. Later ones are taken for
/// the same until they have a row.
static constexpr Target zen5() {
  Target target = avx512;
  target.name = "zen5";
  target.cpus = "znver";
  target.l1Bytes = 48 * KiB;
  target.l3Bytes = 32768 * KiB;
  return target;
}

/// Intel's server cores since Sapphire Rapids, the first with products of f16:
/// private caches are larger, and what is behind them further away.
static constexpr Target sapphireRapids() {
  Target target = avx512;
  target.name = "sapphirerapids";
  target.features = "+avx512f,+avx512vl,+avx512bw,+avx512dq,+avx512fp16";
  target.prefetchesRows = true;
  target.l1Bytes = 48 * KiB;
  target.l2Bytes = 2048 * KiB;
  target.memoryBytes = 2.25;
  return target;
}

/// The same with a unit that multiplies matrices, where the system lets it be
/// used.
static constexpr Target amx() {
  Target target = sapphireRapids();
  target.name = "amx";
  target.features = "+avx512f,+avx512vl,+avx512bw,+avx512dq,+avx512fp16,"
                    "+amx-tile,+amx-bf16";
  target.matrixUnit = true;
  return target;
}

static constexpr Target avx2 = {.name = "avx2",
                                .features = "+avx2,+fma",
                                .vectorBytes = 32,
                                .registers = 16,
                                .fma = true,
                                .l1Bytes = 32 * KiB,
                                .l2Bytes = 512 * KiB,
                                .l3Bytes = 16384 * KiB};

static constexpr Target neon = {.name = "neon",
                                .architecture = "aarch64",
                                .vectorBytes = 16,
                                .registers = 32,
                                .fma = true,
                                .l1Bytes = 64 * KiB,
                                .l2Bytes = 512 * KiB,
                                .l3Bytes = 4096 * KiB};

static constexpr Target baseline = {.name = "baseline",
                                    .vectorBytes = 16,
                                    .registers = 16,
                                    .l1Bytes = 32 * KiB,
                                    .l2Bytes = 256 * KiB,
                                    .l3Bytes = 4096 * KiB};

static constexpr Target table[] = {
    amx(), sapphireRapids(), avx512, zen5(), zen4(), avx2, neon, baseline};

llvm::ArrayRef<Target> tenon::tile::targets() { return table; }

const Target *tenon::tile::findTarget(llvm::StringRef name) {
  for (const Target &target : table)
    if (target.name == name)
      return &target;
  return nullptr;
}
