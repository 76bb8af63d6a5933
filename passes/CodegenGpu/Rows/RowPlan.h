//===- RowPlan.h - who reduces a row ----------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TENON_PASSES_CODEGENGPU_ROWS_ROWPLAN_H
#define TENON_PASSES_CODEGENGPU_ROWS_ROWPLAN_H

#include "passes/CodegenGpu/Rows/ThreadNest.h"

namespace tenon::gpu {

/// Teams of threads have a unit each: what is reduced to one vector of results.
/// Pieces, vectors of the unit, are dealt out to the team's threads in turn.
///
///   the vector loop is reduced:  a warp (or a part of one, or several) goes
///                                along a row
///   it is not:                   neighbouring threads have neighbouring
///                                columns, those of a team are `units` apart
struct RowPlan {
  int64_t vector = 0; ///< the original number of the loop
  int64_t team = 32;  ///< threads of a unit
  int64_t units = 4;  ///< of a block, beside each other
  /// Whether each thread keeps its pieces in registers from one reduction to
  /// the next; else it reads them again.
  bool kept = true;

  int64_t threads() const { return team * units; }
};

template <typename Plan, typename Visit>
  requires std::is_same_v<std::remove_const_t<Plan>, RowPlan>
void visitFields(Plan &plan, Visit visit) {
  visit("vector", plan.vector);
  visit("team", plan.team);
  visit("units", plan.units);
  visit("kept", plan.kept);
}

/// Pieces that a thread reads before it adds them up.
int64_t piecesAtOnce(const ThreadNest &nest, const RowPlan &plan);

/// Whether all of a thread's pieces fit its registers.
bool canKeep(const ThreadNest &nest, const RowPlan &plan,
             const tile::GpuTarget &target);

/// Bytes of shared memory.
int64_t sharedBytes(const ThreadNest &nest, const RowPlan &plan);

/// Whether the nest can be computed so.
bool isValid(const ThreadNest &nest, const RowPlan &plan,
             const tile::GpuTarget &target);

RowPlan planRows(const ThreadNest &nest, const tile::GpuTarget &target);

/// Microseconds beside the launch and the traffic.
double timeOf(const ThreadNest &nest, const RowPlan &plan);

} // namespace tenon::gpu

#endif // TENON_PASSES_CODEGENGPU_ROWS_ROWPLAN_H
