//===- StepProblem.h - groups as a problem of checkpointing -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TENON_PASSES_CHECKPOINT_STEPPROBLEM_H
#define TENON_PASSES_CHECKPOINT_STEPPROBLEM_H

#include "lib/Checkpoint/Problem.h"
#include "passes/Checkpoint/KernelTimes.h"
#include "passes/Checkpoint/StepProgram.h"

namespace tenon::checkpoint {

/// Step i is group i of the program, value v its value v. Inputs, constants and
/// what leaves the program lie elsewhere than in the arena.
ckpt::Problem problemOf(const StepProgram &program, KernelTimes &times);

/// Bytes that a clone for a value stores beside it, by value: other results of
/// a kernel of which there is no part.
std::vector<int64_t> bytesBeside(const StepProgram &program);

} // namespace tenon::checkpoint

#endif // TENON_PASSES_CHECKPOINT_STEPPROBLEM_H
