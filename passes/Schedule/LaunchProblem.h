//===- LaunchProblem.h - launches as a problem of scheduling ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TENON_PASSES_SCHEDULE_LAUNCHPROBLEM_H
#define TENON_PASSES_SCHEDULE_LAUNCHPROBLEM_H

#include "lib/Schedule/Problem.h"
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

} // namespace tenon::schedule

#endif // TENON_PASSES_SCHEDULE_LAUNCHPROBLEM_H
