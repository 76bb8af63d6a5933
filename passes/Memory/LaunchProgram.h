//===- LaunchProgram.h - launches as a program of nodes ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TENON_PASSES_MEMORY_LAUNCHPROGRAM_H
#define TENON_PASSES_MEMORY_LAUNCHPROGRAM_H

#include "lib/Memory/Streams/Program.h"
#include "lib/Support/Time.h"
#include "passes/Memory/Liveness.h"

namespace tenon::memory {

/// The launches of `main` on their streams and the allocations that they use,
/// for planners that look at more than one order. A tensor's producer is the
/// first launch that uses it; others that write other parts of it before it is
/// read are its coproducers, the rest consumers. What else orders launches,
/// several writers of the same bytes or outputs that are read again, is a
/// tensor without bytes. A node's cost is its nanoseconds (timeOf), 1 at least.
/// Launches of a wave are on streams of their own between two barriers.
mem::Program programOf(mlir::func::FuncOp main);

/// The same without what may lie on what.
mem::Program orderOf(mlir::func::FuncOp main);

/// What a launch is predicted to take, by the plan that was taken. One without
/// a plan, which clears a border, is priced by its bytes.
Time timeOf(kernel::LaunchOp launch);

/// Whether launches are in other streams than the first, or wait.
bool hasStreams(mlir::func::FuncOp main);

/// What is planned, as problemOf(buffers) says, with clocks where there are
/// streams; an error where readers do not wait for writers.
llvm::Expected<mem::Problem> problemOf(mlir::func::FuncOp main,
                                       llvm::ArrayRef<LiveBuffer> buffers);

/// Whether all that orders launches is seen: a state's output may lie where its
/// input does, which one launch reads and another writes.
bool isPlain(mlir::func::FuncOp main);

/// Brings the launches of a plain program in an order, each with what it needs;
/// the number of those that are in another place now.
unsigned reorder(mlir::func::FuncOp main, llvm::ArrayRef<unsigned> order);

} // namespace tenon::memory

#endif // TENON_PASSES_MEMORY_LAUNCHPROGRAM_H
