//===- GpuWarpgroups.h - plans for units of warpgroups ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares plans of products for units that four warps use together
// (wgmma), on operands that a warp of its own copies by boxes. Numbers are
// those of GpuProductPlan, with a warp to 16 rows.
//===----------------------------------------------------------------------===//
#ifndef TENON_LIB_TILE_GPUWARPGROUPS_H
#define TENON_LIB_TILE_GPUWARPGROUPS_H

#include "lib/Tile/GpuContraction.h"
#include "llvm/ADT/SmallVector.h"

namespace tenon::tile {

/// A tile's rows as a box of neighbours along up to three dimensions of rows.
struct RowBox {
  llvm::SmallVector<int64_t, 3> extents; ///< outer to inner
  llvm::SmallVector<int64_t, 3> tiles;   ///< how many there are along each

  int64_t rows() const;
  int64_t count() const;
};

/// The box of at most `rows` with the fewest tiles, then the widest.
RowBox boxOf(llvm::ArrayRef<int64_t> extents, int64_t rows);

/// What such a product is, beside its numbers: rows have dimensions, and steps
/// of k are runs, each cut into blocks for itself.
struct BoxProduct {
  GpuProduct product;
  llvm::SmallVector<int64_t, 3> rows; ///< outer to inner
  int64_t run = 1;                    ///< steps of k together
  int64_t runs = 1;

  int64_t blocks() const;
  /// Whether numbers of f32 are split into three of bf16: A's when they are
  /// multiplied, B's when they are packed.
  bool isSplit() const { return product.unit == Precision::F32; }
  /// What a stage has of a column of B.
  int64_t columnBytes() const { return isSplit() ? 3 * 64 : 128; }
};

/// Bytes of shared memory with barriers of all stages behind it.
int64_t boxedBytes(const BoxProduct &problem, const GpuProductPlan &plan);

/// Up to `most` plans, the fastest first, no two of which differ in stages
/// only; none where the target has no such units, or units no such numbers.
llvm::SmallVector<GpuProductPlan>
planBoxes(const BoxProduct &problem, const GpuTarget &target, size_t most);

/// Checks a plan against the rules, whoever made it.
llvm::Error validateBoxes(const BoxProduct &problem, const GpuProductPlan &plan,
                          const GpuTarget &target);

/// Expected microseconds.
double estimateBoxes(const BoxProduct &problem, const GpuProductPlan &plan,
                     const GpuTarget &target);

} // namespace tenon::tile

#endif // TENON_LIB_TILE_GPUWARPGROUPS_H
