//===- Checkpoint.h - tenon-solve checkpoint --------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TENON_TOOLS_TENON_SOLVE_CHECKPOINT_H
#define TENON_TOOLS_TENON_SOLVE_CHECKPOINT_H

#include "llvm/Support/Error.h"

namespace tenon {

/// Lets the help of a subcommand show its own options only.
void hideUnrelatedToCheckpoint();

/// Whether the command line says `tenon-solve checkpoint`.
bool isCheckpointAsked();

/// Reads, solves, proves and prints what the command line says.
llvm::Error solveCheckpoint();

} // namespace tenon

#endif // TENON_TOOLS_TENON_SOLVE_CHECKPOINT_H
