//===- Choice.h - the fastest strategy for a group --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TENON_PASSES_CODEGENGPU_CHOICE_H
#define TENON_PASSES_CODEGENGPU_CHOICE_H

#include "passes/CodegenGpu/Options.h"
#include "passes/CodegenGpu/Strategy.h"

namespace tenon::gpu {

/// The plan with the shortest time among those of all strategies, and what each
/// of them offered. Fails with a diagnostic where nothing computes the group.
mlir::FailureOr<StageChoice> choosePlan(kernel::GroupOp group,
                                        const Options &options);

} // namespace tenon::gpu

#endif // TENON_PASSES_CODEGENGPU_CHOICE_H
