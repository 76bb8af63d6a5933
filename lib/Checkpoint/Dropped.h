//===- Dropped.h - from sets of values to marks -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TENON_LIB_CHECKPOINT_DROPPED_H
#define TENON_LIB_CHECKPOINT_DROPPED_H

#include "lib/Checkpoint/Cut.h"
#include "lib/Checkpoint/Marks.h"

namespace tenon::ckpt {

/// Marks a set of values: before each step behind the loss that needs one of
/// them and does not find it, or only before the first (`once`). What the step
/// can compute itself, it does.
Marks marksOf(const Problem &problem, const Dropped &dropped, bool once);

/// What is dropped if the borders are kept, and what has no recipe.
Dropped droppedBetween(const Problem &problem,
                       llvm::ArrayRef<unsigned> borders);

/// The values that are alone in memory at some point of the forward part, but
/// for what the backward part needs.
std::vector<unsigned> narrowBorders(const Problem &problem);

} // namespace tenon::ckpt

#endif // TENON_LIB_CHECKPOINT_DROPPED_H
