//===- GpuContraction.h - how tensor cores are fed --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares plans of products and convolutions for the matrix units
// of GPUs: how results are cut into tiles of a block of threads, these into
// tiles of a warp, and how many blocks of k are on their way at once.
//===----------------------------------------------------------------------===//
#ifndef TENON_LIB_TILE_GPUCONTRACTION_H
#define TENON_LIB_TILE_GPUCONTRACTION_H

#include "lib/Tile/Gpu.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Error.h"
#include <type_traits>

namespace tenon::tile {

/// `C[batch][row][column] += A[batch][row][k] * B[batch][k][column]`, where the
/// rows of a convolution are its pixels and k counts taps and channels.
struct GpuProduct {
  int64_t batches = 1;
  int64_t rows = 1, columns = 1, k = 1; ///< of a batch
  int64_t elementBytes = 4;             ///< of A and B
  /// What is multiplied; F32 stands for numbers of f32 in two pieces of TF32.
  Precision unit = Precision::F32;
  /// Elements that one copy into shared memory moves, 16 bytes at most.
  int64_t lhsCopy = 4, rhsCopy = 4;
  /// Of everything that is read and written, each byte once.
  int64_t bytes = 0;
  /// Whole tensors that what follows the product reads.
  int64_t epilogueLoads = 0;

  /// Steps of k that are 128 bytes.
  int64_t block() const { return 128 / elementBytes; }
  int64_t blocks() const;
  /// Products of pieces for one of numbers.
  int64_t terms() const { return unit == Precision::F32 ? 3 : 1; }
};

/// A block of threads computes `rows` x `columns` results with `warpRows` x
/// `warpColumns` warps. `stages` blocks of k have room in shared memory.
/// `share` blocks of threads, a cluster, take a part of k each. `group` row
/// tiles follow each other, then the next columns of them: they share what they
/// read in the second-level cache.
struct GpuProductPlan {
  int64_t rows = 64, columns = 64;
  int64_t warpRows = 2, warpColumns = 2;
  int64_t stages = 3;
  int64_t share = 1;
  int64_t group = 8;

  int64_t threads() const { return warpRows * warpColumns * warpLanes; }
  int64_t tileRows() const { return rows / warpRows; } ///< of a warp
  int64_t tileColumns() const { return columns / warpColumns; }
  bool operator==(const GpuProductPlan &) const = default;
};

/// Numbers between rows of sums that wait in shared memory: no two lanes that
/// store or load at once meet in a bank.
constexpr int64_t gpuSumPadding = 8;

/// Bytes of shared memory: of the stages, or of the sums that take their place.
/// `lhsStage` and `rhsStage` are those of a stage.
int64_t sharedBytes(const GpuProductPlan &plan, int64_t lhsStage,
                    int64_t rhsStage);

/// Bytes of a stage of `count` rows of A or columns of B: those of k together,
/// or as they lie in memory, with padding.
int64_t stageBytes(const GpuProduct &problem, int64_t count, bool alongK);

/// Multiply-adds of f16 that take as long as one of the product.
double weightOf(Precision unit);

/// Registers of a thread, roughly.
int64_t registersOf(const GpuProduct &problem, const GpuProductPlan &plan);

/// The plan with the shortest time; none on a target whose units do not
/// multiply such numbers.
GpuProductPlan plan(const GpuProduct &problem, const GpuTarget &target);

/// Up to `most` plans, the fastest first, no two of which differ in stages
/// only.
llvm::SmallVector<GpuProductPlan> plans(const GpuProduct &problem,
                                        const GpuTarget &target, size_t most);

/// Checks a plan against the rules, whoever made it: registers, shared memory,
/// multiples, coverage.
llvm::Error validate(const GpuProduct &problem, const GpuProductPlan &plan,
                     const GpuTarget &target);

/// Expected microseconds, from the end of what is read to its own.
double estimateTime(const GpuProduct &problem, const GpuProductPlan &plan,
                    const GpuTarget &target);

/// Calls `visit(name, field)` for every number of a plan, in printing order.
template <typename Plan, typename Visit>
  requires std::is_same_v<std::remove_const_t<Plan>, GpuProductPlan>
void visitFields(Plan &plan, Visit visit) {
  visit("rows", plan.rows);
  visit("columns", plan.columns);
  visit("warp_rows", plan.warpRows);
  visit("warp_columns", plan.warpColumns);
  visit("stages", plan.stages);
  visit("share", plan.share);
  visit("group", plan.group);
}

} // namespace tenon::tile

#endif // TENON_LIB_TILE_GPUCONTRACTION_H
