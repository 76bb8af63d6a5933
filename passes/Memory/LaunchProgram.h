//===- LaunchProgram.h - launches as a program of nodes ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TENON_PASSES_MEMORY_LAUNCHPROGRAM_H
#define TENON_PASSES_MEMORY_LAUNCHPROGRAM_H

#include "lib/Memory/Streams/Program.h"
#include "passes/Memory/Liveness.h"

namespace tenon::memory {

/// The launches of `main` on one stream and the allocations that they use, for
/// planners that look at more than one order. A tensor's producer is the first
/// launch that uses it, all others are consumers. What else orders launches,
/// several writers of one buffer or outputs that are read again, is a tensor
/// without bytes. A node's cost is its cycles after lib/Cost.
mem::Program programOf(mlir::func::FuncOp main);

} // namespace tenon::memory

#endif // TENON_PASSES_MEMORY_LAUNCHPROGRAM_H
