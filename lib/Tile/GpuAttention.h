//===- GpuAttention.h - two products and a softmax between ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares plans of attention for the matrix units of GPUs: the
// scores of a row stay in the registers of the warps that computed them.
//===----------------------------------------------------------------------===//
#ifndef TENON_LIB_TILE_GPUATTENTION_H
#define TENON_LIB_TILE_GPUATTENTION_H

#include "lib/Tile/GpuContraction.h"

namespace tenon::tile {

/// `O[batch][row] = softmax(f(Q[batch][row] K[batch]^T)) V[batch]`.
struct GpuAttention {
  int64_t batches = 1;
  int64_t rows = 1, keys = 1;
  int64_t depth = 8; ///< of a row of Q and of K
  int64_t width = 8; ///< of a row of V and of O
  int64_t elementBytes = 4;
  Precision unit = Precision::F32;
  /// Of everything that is read and written, each byte once.
  int64_t bytes = 0;
  /// Tensors that f reads beside the scores.
  int64_t loads = 0;
  /// Whether keys behind a row's own number have no weight.
  bool causal = false;

  int64_t terms() const { return unit == Precision::F32 ? 3 : 1; }
  /// Keys that a warp has at once: 128 bytes of a column of V.
  int64_t keysOfWarp() const { return 128 / elementBytes; }
  /// Blocks of 128 bytes that a row of Q has.
  int64_t depthBlocks() const;
};

/// A block of threads has 16 rows for each of `warpRows` rows of warps.
/// `warpKeys` warps share the keys of these rows: each has its own maxima and
/// sums, which are joined in the end. Keys and values of `stages` steps have
/// room in shared memory; one is enough where there is one step.
struct GpuAttentionPlan {
  int64_t warpRows = 4, warpKeys = 1;
  int64_t stages = 2;
  bool causal = false; ///< steps end behind the keys of a block's last row

  int64_t threads() const { return warpRows * warpKeys * warpLanes; }
  int64_t rows() const { return warpRows * 16; }
  int64_t keysOfStep(const GpuAttention &problem) const {
    return warpKeys * problem.keysOfWarp();
  }
  int64_t steps(const GpuAttention &problem) const;
  int64_t blocks(const GpuAttention &problem) const;
  /// Columns of V as they are copied and multiplied.
  int64_t columns(const GpuAttention &problem) const;
};

/// What attention has in shared memory, in bytes: rows of Q, and a stage's rows
/// of K and of V.
struct GpuAttentionParts {
  int64_t queries, keys, values;
};

/// Bytes of shared memory: of all parts, or of what warps put there in the end.
int64_t sharedBytes(const GpuAttention &problem, const GpuAttentionPlan &plan,
                    const GpuAttentionParts &parts);

/// The plan with the shortest time; one that is not valid where there is none.
GpuAttentionPlan plan(const GpuAttention &problem, const GpuTarget &target);

/// Checks a plan against the rules, whoever made it: registers, shared memory,
/// multiples.
llvm::Error validate(const GpuAttention &problem, const GpuAttentionPlan &plan,
                     const GpuTarget &target);

/// Expected microseconds, from the end of what is read to its own.
double estimateTime(const GpuAttention &problem, const GpuAttentionPlan &plan,
                    const GpuTarget &target);

/// Calls `visit(name, field)` for every number of a plan, in printing order.
template <typename Plan, typename Visit>
  requires std::is_same_v<std::remove_const_t<Plan>, GpuAttentionPlan>
void visitFields(Plan &plan, Visit visit) {
  visit("warp_rows", plan.warpRows);
  visit("warp_keys", plan.warpKeys);
  visit("stages", plan.stages);
  visit("causal", plan.causal);
}

} // namespace tenon::tile

#endif // TENON_LIB_TILE_GPUATTENTION_H
