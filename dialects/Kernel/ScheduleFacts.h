//===- ScheduleFacts.h - what a schedule of a GPU is predicted to be ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares what tenon-schedule-launches leaves on a program for
// reports, as an attribute: launches of a wave are one later on.
//===----------------------------------------------------------------------===//
#ifndef TENON_DIALECTS_KERNEL_SCHEDULEFACTS_H
#define TENON_DIALECTS_KERNEL_SCHEDULEFACTS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include <optional>
#include <string>
#include <vector>

namespace tenon::kernel {

/// What a plan takes: nanoseconds, and bytes in use at once.
struct Predicted {
  int64_t nanoseconds = 0, bytes = 0;
};

/// A launch, or the launches of a wave, in nanoseconds from the begin.
struct StepFacts {
  int64_t begin, end;
  int64_t launches, inTurn; ///< how many, and what they take one by one
};

/// For the pictures of a report alone.
struct ScheduleDetails {
  std::vector<StepFacts> steps; ///< in their order
  std::vector<Predicted> front; ///< plans by arena
  int64_t orderBytes = 0;       ///< the arena of launches one by one
  int64_t leastBytes = 0;       ///< no order keeps fewer in use
};

struct ScheduleFacts {
  std::string way; ///< of the candidates
  int64_t streams = 1, waits = 0, waves = 0, launchesInWaves = 0;
  int64_t nanoseconds = 0, inTurn = 0; ///< simulated; launches one by one
  int64_t savedByWaves = 0;            ///< of `inTurn`
  std::optional<ScheduleDetails> details = {}; ///< where they were asked for
};

void setSchedule(mlir::func::FuncOp main, const ScheduleFacts &facts);

/// None where launches follow each other.
std::optional<ScheduleFacts> scheduleOf(mlir::func::FuncOp main);

/// Among the `costs` of the first launch of a wave on a device: what the wave
/// takes.
inline constexpr llvm::StringLiteral waveCost = "gpu_wave";

/// Whether an attribute of a function is what setSchedule() writes.
inline constexpr llvm::StringLiteral scheduledAttr = "kernel.scheduled";
mlir::LogicalResult verifySchedule(mlir::Operation *op,
                                   mlir::Attribute attribute);

} // namespace tenon::kernel

#endif // TENON_DIALECTS_KERNEL_SCHEDULEFACTS_H
