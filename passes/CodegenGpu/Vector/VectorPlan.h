//===- VectorPlan.h - who multiplies a few rows -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TENON_PASSES_CODEGENGPU_VECTOR_VECTORPLAN_H
#define TENON_PASSES_CODEGENGPU_VECTOR_VECTORPLAN_H

#include "passes/CodegenGpu/Contraction/Product.h"

namespace tenon::gpu {

/// Teams of lanes have some columns of a matrix each, with all rows of the left
/// operand. Vectors of k are dealt out to the team in turn: a warp, a part of
/// one where k is short, or several warps where it is long.
struct VectorPlan {
  int64_t team = 32;   ///< lanes of a warp for the same columns
  int64_t columns = 1; ///< of a team
  int64_t share = 1;   ///< warps for the same columns
  int64_t groups = 1;  ///< of such warps in a block

  int64_t warps() const { return share * groups; }
  int64_t threads() const { return warps() * tile::warpLanes; }
  /// Lanes that share out k.
  int64_t members() const { return share * team; }
  int64_t columnsOfBlock() const {
    return groups * (tile::warpLanes / team) * columns;
  }
};

template <typename Plan, typename Visit>
  requires std::is_same_v<std::remove_const_t<Plan>, VectorPlan>
void visitFields(Plan &plan, Visit visit) {
  visit("team", plan.team);
  visit("columns", plan.columns);
  visit("share", plan.share);
  visit("groups", plan.groups);
}

/// The product as teams see it.
struct VectorProblem {
  int64_t batches, rows, columns, k;
  int64_t vector;       ///< steps of k of one load
  int64_t elementBytes; ///< of both operands
  int64_t bytes;        ///< of all operands and results

  /// Loads of a lane for one column.
  int64_t loads(const VectorPlan &plan) const {
    return tile::ceilDiv(tile::ceilDiv(k, vector), plan.members());
  }
  int64_t blocks(const VectorPlan &plan) const {
    return batches * tile::ceilDiv(columns, plan.columnsOfBlock());
  }
};

/// What a product reads when there are so few rows; nothing where k does not
/// run along one dimension of both operands.
std::optional<VectorProblem> vectorProblem(const Product &product);

/// Vectors of k of each column that are on their way at once.
int64_t loadsAtOnce(const VectorProblem &problem, const VectorPlan &plan);

/// Whether the product can be computed so.
bool isValid(const VectorProblem &problem, const VectorPlan &plan);

VectorPlan planVectors(const VectorProblem &problem,
                       const tile::GpuTarget &target);

/// Expected microseconds.
double estimateTime(const VectorProblem &problem, const VectorPlan &plan,
                    const tile::GpuTarget &target);

} // namespace tenon::gpu

#endif // TENON_PASSES_CODEGENGPU_VECTOR_VECTORPLAN_H
