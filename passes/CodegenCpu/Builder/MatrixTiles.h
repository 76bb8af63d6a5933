//===- MatrixTiles.h - the registers of a matrix unit -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares AMX's eight tiles, each 16 rows of 64 bytes, as numbered
// registers (Intel SDM volume 1, chapter 18). Instructions stay in order.
//===----------------------------------------------------------------------===//
#ifndef TENON_PASSES_CODEGENCPU_BUILDER_MATRIXTILES_H
#define TENON_PASSES_CODEGENCPU_BUILDER_MATRIXTILES_H

#include "passes/Codegen/Builder/KernelBuilder.h"

namespace tenon::codegen {

/// Makes all tiles 16 x 64 bytes; to be called before any other.
void configureTiles(KernelBuilder &b);
/// Ends their use: what is in them need not be saved any more.
void releaseTiles(KernelBuilder &b);

void zeroTile(KernelBuilder &b, int64_t tile);
/// Rows are `pitch` bytes apart.
void loadTile(KernelBuilder &b, int64_t tile, Value pointer, int64_t pitch);
void storeTile(KernelBuilder &b, int64_t tile, Value pointer, int64_t pitch);
/// sums[i][j] += lhs[i][2k] * rhs[k][2j] + lhs[i][2k + 1] * rhs[k][2j + 1] of
/// bf16, sums of f32.
void multiplyTiles(KernelBuilder &b, int64_t sums, int64_t lhs, int64_t rhs);

} // namespace tenon::codegen

#endif // TENON_PASSES_CODEGENCPU_BUILDER_MATRIXTILES_H
