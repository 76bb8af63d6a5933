//===- GpuRecurrence.h - loops over time on GPUs ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares plans of recurrent layers for GPUs: all steps are one
// launch, whose blocks keep their part of the matrix in registers and tell each
// other the states through memory.
//===----------------------------------------------------------------------===//
#ifndef TENON_LIB_TILE_GPURECURRENCE_H
#define TENON_LIB_TILE_GPURECURRENCE_H

#include "lib/Tile/Gpu.h"
#include "llvm/Support/Error.h"
#include <type_traits>

namespace tenon::tile {

/// `gates` matrices `[hidden, hidden]` per direction, of f32.
struct GpuRecurrence {
  int64_t directions = 1, batch = 1, gates = 1, hidden = 1;
  int64_t steps = 1;
  /// Parts of a step, each of which needs all of the one before.
  int64_t phases = 1;

  /// Neighbours of a state that a lane takes at once: lanes without any are
  /// avoided.
  int64_t width() const { return hidden > 64 ? 4 : hidden > 32 ? 2 : 1; }
  /// A state with zeros behind it, so that all lanes have as much of it.
  int64_t padded() const;
};

/// `rows` sequences of a direction go through time together, apart from all
/// others: a chain. Each of its blocks has `units` hidden units, and a warp has
/// all gates of one.
struct GpuRecurrencePlan {
  int64_t rows = 1;
  int64_t units = 8;

  int64_t threads() const { return units * warpLanes; }
  int64_t groups(const GpuRecurrence &problem) const; ///< of sequences
  int64_t blocksOfChain(const GpuRecurrence &problem) const;
  int64_t blocks(const GpuRecurrence &problem) const;
  /// Of shared memory: the states of this step and of the next.
  int64_t sharedBytes(const GpuRecurrence &problem) const;
  /// Of the memory through which blocks tell each other states.
  int64_t exchangeBytes(const GpuRecurrence &problem) const;
};

/// The plan with the shortest time; one that is not valid where there is none.
GpuRecurrencePlan plan(const GpuRecurrence &problem, const GpuTarget &target);

/// Checks that all blocks run at once, and have registers and shared memory.
llvm::Error validate(const GpuRecurrence &problem,
                     const GpuRecurrencePlan &plan, const GpuTarget &target);

/// Expected microseconds, from the end of what is read to its own.
double estimateTime(const GpuRecurrence &problem, const GpuRecurrencePlan &plan,
                    const GpuTarget &target);

/// Calls `visit(name, field)` for every number of a plan, in printing order.
template <typename Plan, typename Visit>
  requires std::is_same_v<std::remove_const_t<Plan>, GpuRecurrencePlan>
void visitFields(Plan &plan, Visit visit) {
  visit("rows", plan.rows);
  visit("units", plan.units);
}

} // namespace tenon::tile

#endif // TENON_LIB_TILE_GPURECURRENCE_H
