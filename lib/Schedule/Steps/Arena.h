//===- Arena.h - where tensors of steps lie ---------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TENON_LIB_SCHEDULE_STEPS_ARENA_H
#define TENON_LIB_SCHEDULE_STEPS_ARENA_H

#include "lib/Schedule/Steps/Steps.h"

namespace tenon::sched {

/// Stages of steps in a row that do not wait for each other, as long as what is
/// in use behind barriers between them stays below `most` bytes. Steps come
/// one by one where it does not.
std::vector<unsigned> stagesAlong(const Problem &problem,
                                  llvm::ArrayRef<Step> steps, int64_t most);

/// Bytes in use at once if one step came after the other, nothing in place.
int64_t peakInTurn(const Problem &problem, llvm::ArrayRef<Step> steps);

struct Placement {
  std::vector<int64_t> offsets; ///< one for each tensor
  int64_t bytes = 0;            ///< of the arena
};

/// How bytes are placed.
struct PlacementOptions {
  /// Bytes are left alone behind their last use while what is in use, or left
  /// alone, stays below so much: steps may drift apart by as many stages.
  int64_t room = 0;
  int64_t most = INT64_MAX; ///< bytes
  int64_t work = 5'000'000; ///< as in mem::Options
};

/// Places tensors as if each stage began when the one before it is over. A
/// life is whole stages; a launch overwrites what it alone uses in its stage.
/// Offsets are multiples of the power of two that all sizes are multiples of.
/// None if that needs too many bytes.
std::optional<Placement> placeBytes(const Problem &problem,
                                    llvm::ArrayRef<Step> steps,
                                    llvm::ArrayRef<unsigned> stageOf,
                                    const PlacementOptions &options);

} // namespace tenon::sched

#endif // TENON_LIB_SCHEDULE_STEPS_ARENA_H
