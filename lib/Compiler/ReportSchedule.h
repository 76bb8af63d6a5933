//===- ReportSchedule.h - how launches follow each other --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file is private to the compiler: what a report says of waves, and of
// time against memory.
//===----------------------------------------------------------------------===//
#ifndef TENON_LIB_COMPILER_REPORTSCHEDULE_H
#define TENON_LIB_COMPILER_REPORTSCHEDULE_H

#include "lib/Compiler/Report.h"
#include "lib/Schedule/Problem.h"
#include "lib/Tile/Gpu.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tenon {

/// The launches of a planned program on so many threads, or on a device; none
/// if their order is not for the scheduler to choose any more.
std::optional<sched::Problem> scheduleProblem(mlir::func::FuncOp main,
                                              int64_t threads);
std::optional<sched::Problem> scheduleProblem(mlir::func::FuncOp main,
                                              const tile::GpuTarget &gpu);

/// What became of the launches of a device, by what its scheduler noted; none
/// of programs whose order is not the scheduler's to choose. With `showFront`,
/// also what else could have, and pictures of both.
std::optional<ScheduleReport> reportDeviceSchedule(mlir::func::FuncOp main,
                                                   const tile::GpuTarget &gpu,
                                                   bool showFront,
                                                   llvm::StringRef model);

/// What became of the launches of a planned program that have this problem.
/// With `showFront`, also what else could have, and pictures of both, which
/// have the model's name.
ScheduleReport reportSchedule(mlir::func::FuncOp main,
                              const sched::Problem &problem, bool showFront,
                              llvm::StringRef model);

/// Bytes of the order of the program, of what no order can do without, and of
/// what was compiled.
struct FrontBytes {
  int64_t order, least, compiled;
};

/// A picture of the report's front; empty if there is none.
std::string drawFront(const ScheduleReport &report, const FrontBytes &bytes,
                      llvm::StringRef model);

/// Nothing for launches one after the other without a front.
void printSchedule(llvm::raw_ostream &stream, const ScheduleReport &schedule,
                   int64_t threads);

llvm::json::Object scheduleJson(const ScheduleReport &schedule);

} // namespace tenon

#endif // TENON_LIB_COMPILER_REPORTSCHEDULE_H
