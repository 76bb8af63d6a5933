//===- Choice.h - the fastest strategy for a group --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares how the plan of a group is chosen: by the times that
// strategies expect, or by those that were measured.
//===----------------------------------------------------------------------===//
#ifndef TENON_PASSES_CODEGENGPU_CHOICE_H
#define TENON_PASSES_CODEGENGPU_CHOICE_H

#include "lib/Cost/MeasuredTimes.h"
#include "passes/CodegenGpu/Options.h"
#include "passes/CodegenGpu/Strategy.h"

namespace tenon::gpu {

/// What was measured, and what is to be.
struct Measuring {
  cost::MeasuredTimes times;
  /// The plan to take, counted from the one that looks fastest; -1: the
  /// fastest.
  int64_t attempt = -1;

  bool isOn() const { return attempt >= 0 || times.size() > 0; }
};

/// The fastest plan of those that were measured, else the one that looks
/// fastest of those of all strategies, with what each of them offered; or the
/// one to attempt, which the group then names (`codegen::triedAttr`). Fails
/// with a diagnostic where nothing computes the group.
mlir::FailureOr<StageChoice> choosePlan(kernel::GroupOp group,
                                        const Options &options,
                                        const Measuring &measuring = {});

} // namespace tenon::gpu

#endif // TENON_PASSES_CODEGENGPU_CHOICE_H
