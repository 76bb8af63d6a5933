//===- Target.cpp - one record per instruction set ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Tile/Target.h"

using namespace tenon::tile;

static constexpr int64_t KiB = 1024;

// Name, bytes, registers, masks, FMA, broadcast, L1, L2, L3.
static const Target table[] = {
    {"avx512", 64, 32, true, true, true, 32 * KiB, 1024 * KiB, 16384 * KiB},
    {"avx2", 32, 16, false, true, false, 32 * KiB, 512 * KiB, 8192 * KiB},
    {"neon", 16, 32, false, true, false, 64 * KiB, 512 * KiB, 4096 * KiB},
    {"baseline", 16, 16, false, false, false, 32 * KiB, 256 * KiB, 4096 * KiB},
};

llvm::ArrayRef<Target> tenon::tile::targets() { return table; }

const Target *tenon::tile::findTarget(llvm::StringRef name) {
  for (const Target &target : table)
    if (target.name == name)
      return &target;
  return nullptr;
}
