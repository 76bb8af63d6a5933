//===- PlanArena.h - where buffers would lie --------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TENON_PASSES_MEMORY_PLANARENA_H
#define TENON_PASSES_MEMORY_PLANARENA_H

#include "lib/Memory/Solve.h"
#include "passes/Memory/Liveness.h"

namespace tenon::memory {

/// Units of work for the solvers of an arena that is shipped, about a second.
inline constexpr int64_t arenaWork = 1'000'000'000;

/// A plan of the arena for launches as they are now.
struct ArenaPlan {
  llvm::SmallVector<LiveBuffer> buffers;
  mem::Problem problem; ///< that was solved: with overlays, or without
  mem::Outcome outcome; ///< proven

  int64_t bytes() const { return outcome.solution.arenaBytes(); }
};

/// Solves with and without results in the place of operands, and takes the
/// smaller plan. Fails with a diagnostic where launches do not wait for what
/// they need.
mlir::FailureOr<ArenaPlan> planArena(mlir::func::FuncOp main, int64_t work);

} // namespace tenon::memory

#endif // TENON_PASSES_MEMORY_PLANARENA_H
