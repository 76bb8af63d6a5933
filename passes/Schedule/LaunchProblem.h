//===- LaunchProblem.h - launches as a problem of scheduling ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TENON_PASSES_SCHEDULE_LAUNCHPROBLEM_H
#define TENON_PASSES_SCHEDULE_LAUNCHPROBLEM_H

#include "dialects/Memory/Memory.h"
#include "lib/Schedule/Problem.h"
#include "lib/Tile/Gpu.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tenon::schedule {

/// The launches of a plain program (memory::isPlain) on so many threads, in
/// their order, and the allocations that they use, as large as their alignment
/// makes them. A launch takes
///
///     T1 * ceil(tiles / threads) / tiles * 1.03 + steps * join
///
/// nanoseconds on all threads, where T1 is what its plan says. Waves are all
/// that runs side by side; a launch of several steps shares none. Checked: an
/// error if there are more launches than a schedule may have.
llvm::Expected<sched::Problem> launchProblem(mlir::func::FuncOp main,
                                             unsigned threads);

/// Launches of a GPU, and the allocation that each tensor stands for.
struct DeviceProblem {
  sched::Problem problem;
  llvm::SmallVector<memory::AllocOp> tensors;
};

/// The same on a GPU: a launch takes its time and a part of the device, and one
/// that waits for another stream begins later.
llvm::Expected<DeviceProblem> deviceProblem(mlir::func::FuncOp main,
                                            const tile::GpuTarget &gpu);

} // namespace tenon::schedule

#endif // TENON_PASSES_SCHEDULE_LAUNCHPROBLEM_H
