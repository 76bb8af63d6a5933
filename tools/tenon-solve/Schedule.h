//===- Schedule.h - tenon-solve schedule ------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TENON_TOOLS_TENON_SOLVE_SCHEDULE_H
#define TENON_TOOLS_TENON_SOLVE_SCHEDULE_H

#include "llvm/Support/Error.h"

namespace tenon {

/// Lets the help of a subcommand show its own options only.
void hideUnrelatedToSchedule();

/// Whether the command line says `tenon-solve schedule`.
bool isScheduleAsked();

/// Reads, solves, proves and prints what the command line says.
llvm::Error solveSchedule();

} // namespace tenon

#endif // TENON_TOOLS_TENON_SOLVE_SCHEDULE_H
