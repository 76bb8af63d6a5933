//===- Overlays.h - buffers that launches overwrite -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TENON_PASSES_MEMORY_OVERLAYS_H
#define TENON_PASSES_MEMORY_OVERLAYS_H

#include "passes/Memory/Liveness.h"

namespace tenon::memory {

/// The allocations, by their numbers in `buffers`, that can be one because a
/// launch allows it (`in_place`): whole ones of equal size, of which the launch
/// uses the one for the last and the other for the first time, and as no other
/// operand; with several streams all other uses are surely over by then. At
/// most one allocation lies on another, and under another.
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
