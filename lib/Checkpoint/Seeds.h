//===- Seeds.h - plans by minimum cuts --------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TENON_LIB_CHECKPOINT_SEEDS_H
#define TENON_LIB_CHECKPOINT_SEEDS_H

#include "lib/Checkpoint/Marks.h"

namespace tenon::ckpt {

/// Which values of the forward part are computed again, as a set.
using Dropped = std::vector<bool>;

/// Marks such a set: before each step behind the loss that needs one of them
/// and does not find it, or only before the first (`once`). What the step can
/// compute itself, it does.
Marks marksOf(const Problem &problem, const Dropped &dropped, bool once);

/// What is dropped if the borders are kept, and what has no recipe.
Dropped droppedBetween(const Problem &problem,
                       llvm::ArrayRef<unsigned> borders);

/// The values that are alone in memory at some point of the forward part, but
/// for what the backward part needs.
std::vector<unsigned> narrowBorders(const Problem &problem);

/// What a cut drops at a price of a byte. A kept value costs its bytes, a
/// dropped one the time to compute it again:
///
///   source -- time --> in -- price * bytes --> out --> sink, if the backward
///   out of an operand -- infinite --> in                part reads it
///
/// `bytePrice` is in femtoseconds.
Dropped droppedByCut(const Problem &problem, int64_t bytePrice);

/// Plans of cuts at all prices that matter, and of borders: those that the
/// problem states and those that it has.
std::vector<Marks> seedsOf(const Problem &problem);

} // namespace tenon::ckpt

#endif // TENON_LIB_CHECKPOINT_SEEDS_H
