//===- LaunchCost.h - what a launch does, for reports -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares the counts of operations and bytes of a launch: those of
// the run, for profiles, and those of typical sizes, for who compiles.
//===----------------------------------------------------------------------===//
#ifndef TENON_PASSES_CODEGEN_PROGRAMS_LAUNCHCOST_H
#define TENON_PASSES_CODEGEN_PROGRAMS_LAUNCHCOST_H

#include "dialects/Kernel/Facts.h"
#include "passes/Codegen/Layout/Views.h"

namespace tenon::codegen {

/// Of the launch of a group whose buffers lie at `places`.
kernel::RunCounts runCounts(kernel::GroupOp group,
                            llvm::ArrayRef<PlacedBuffer> places);

/// For typical sizes, never negative.
int64_t typicalFlops(kernel::GroupOp group);
int64_t typicalBytes(const graph::Size &bytes, mlir::Operation *around);

} // namespace tenon::codegen

#endif // TENON_PASSES_CODEGEN_PROGRAMS_LAUNCHCOST_H
