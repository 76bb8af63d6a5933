//===- Apply.h - make a plan the program ------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TENON_PASSES_CHECKPOINT_APPLY_H
#define TENON_PASSES_CHECKPOINT_APPLY_H

#include "lib/Checkpoint/Marks.h"
#include "passes/Checkpoint/KernelTimes.h"
#include "passes/Checkpoint/StepProgram.h"

namespace tenon::checkpoint {

/// Puts a clone in front of each step that an event says, and lets each reader
/// read the latest one. The number of clones.
unsigned apply(const StepProgram &program, const ckpt::Evaluation &evaluation,
               KernelTimes &times);

} // namespace tenon::checkpoint

#endif // TENON_PASSES_CHECKPOINT_APPLY_H
