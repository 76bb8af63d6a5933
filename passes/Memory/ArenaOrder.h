//===- ArenaOrder.h - plans for every size ----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares how a plan holds for buffers whose sizes depend on
// symbols. Offsets are found for typical sizes; what stays of them is an order:
// of two buffers that live at the same time, which one lies above the other. A
// buffer's offset is the largest end of those that it lies above, whatever the
// sizes are: a longest path.
//
//   +----------+       memory.alloc                     0
//   |    2     |       memory.alloc above 0             end of 0
//   +----+-----+       memory.alloc above 0, 1          the larger end
//   | 1  |  (0 is dead while 1 and 2 live: no order between 0 and others then)
//===----------------------------------------------------------------------===//
#ifndef TENON_PASSES_MEMORY_ARENAORDER_H
#define TENON_PASSES_MEMORY_ARENAORDER_H

#include "dialects/Graph/Constraints.h"
#include "passes/Memory/Liveness.h"

#include <optional>

namespace tenon::memory {

/// Whether some buffer's size depends on symbols. Then all allocations have an
/// order, and their offsets are those for typical sizes.
bool hasSymbols(mlir::func::FuncOp main);

/// Writes the order of a plan down: `above` and `in_place_of`.
void writeOrder(llvm::ArrayRef<LiveBuffer> buffers, const mem::Problem &problem,
                const mem::Solution &solution);

/// Proves that the order keeps apart what lives at the same time, for any
/// sizes: each two such buffers are one above the other, through others or not,
/// or one overwrites the other where `problem` allows it and their sizes are
/// equal expressions.
mlir::LogicalResult verifyOrder(mlir::func::FuncOp main,
                                llvm::ArrayRef<LiveBuffer> buffers,
                                const mem::Problem &problem);

/// The numbers of the allocations so that each comes after those that it lies
/// above; empty where there is a cycle. One that lies in another's place has
/// none.
std::vector<unsigned> bottomUp(llvm::ArrayRef<LiveBuffer> buffers);

/// What the arena does not exceed for any sizes that `constraints` allow;
/// nothing where some buffer has no bound.
std::optional<int64_t> arenaBound(mlir::func::FuncOp main,
                                  const graph::ConstraintStore &constraints);

} // namespace tenon::memory

#endif // TENON_PASSES_MEMORY_ARENAORDER_H
