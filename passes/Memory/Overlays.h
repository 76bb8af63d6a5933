//===- Overlays.h - buffers that launches overwrite -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TENON_PASSES_MEMORY_OVERLAYS_H
#define TENON_PASSES_MEMORY_OVERLAYS_H

#include "passes/Memory/Liveness.h"

namespace tenon::memory {

/// What a launch reads, and may write a result over.
struct InPlacePair {
  AllocOp read, written;
};

/// The pairs that a launch allows (`in_place`), whatever comes before and
/// behind it: whole allocations of equal size, each no other operand of it.
llvm::SmallVector<InPlacePair> inPlacePairs(kernel::LaunchOp launch);

/// The allocations, by their numbers in `buffers`, that can be one because a
/// launch allows it (inPlacePairs): it uses the one for the last and the other
/// for the first time, and no other launch of its wave uses either; with
/// several streams all other uses are surely over by then. At most one
/// allocation lies on another, and under another.
std::vector<mem::Overlay> possibleOverlays(mlir::func::FuncOp main,
                                           llvm::ArrayRef<LiveBuffer> buffers);

/// What the plan of `main` must solve: its overlays are those of the possible
/// ones that it makes use of, with both at one offset; all others must be
/// apart.
mem::Problem plannedProblem(mlir::func::FuncOp main,
                            llvm::ArrayRef<LiveBuffer> buffers,
                            const mem::Solution &solution);

} // namespace tenon::memory

#endif // TENON_PASSES_MEMORY_OVERLAYS_H
