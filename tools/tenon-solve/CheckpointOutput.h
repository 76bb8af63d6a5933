//===- CheckpointOutput.h - what tenon-solve checkpoint says ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TENON_TOOLS_TENON_SOLVE_CHECKPOINTOUTPUT_H
#define TENON_TOOLS_TENON_SOLVE_CHECKPOINTOUTPUT_H

#include "lib/Checkpoint/Others.h"
#include "lib/Checkpoint/Solve.h"

namespace tenon {

/// A problem with its frontier, and with the plans of others.
struct CheckpointResult {
  std::string name;
  const ckpt::Problem &problem;
  const ckpt::Frontier &frontier;
  std::vector<ckpt::OtherPlan> others;
};

/// Time, bytes and marks of one plan.
void printPlan(const CheckpointResult &result, const ckpt::Plan &plan);

/// A line for each of 24 budgets with a plan of its own, then for others.
void printFront(const CheckpointResult &result);

/// All points of the frontier, and the marks of one plan.
void printJson(const CheckpointResult &result, const ckpt::Plan &plan);

} // namespace tenon

#endif // TENON_TOOLS_TENON_SOLVE_CHECKPOINTOUTPUT_H
