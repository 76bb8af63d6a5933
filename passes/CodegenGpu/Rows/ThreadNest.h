//===- ThreadNest.h - a loop nest that threads share out --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares how a group of loops is read for threads: one loop runs
// over the elements that a thread has beside each other, and neighbouring
// threads have neighbouring pieces of it, so that a warp touches whole lines.
//===----------------------------------------------------------------------===//
#ifndef TENON_PASSES_CODEGENGPU_ROWS_THREADNEST_H
#define TENON_PASSES_CODEGENGPU_ROWS_THREADNEST_H

#include "passes/Codegen/Groups/LoopNest.h"
#include "passes/CodegenGpu/Strategy.h"

namespace tenon::gpu {

/// A nest of known sizes and the loop along which threads have vectors.
struct ThreadNest {
  codegen::LoopNest nest;
  codegen::LoopSchedule schedule; ///< its vector loop and lanes
  /// Bytes that the address of a whole vector is a multiple of: loads (by
  /// node), then stores.
  llvm::SmallVector<int64_t> alignments;
  /// Parallel loops and reduced ones, but the vector loop.
  llvm::SmallVector<unsigned> rowLoops, reducedLoops;

  unsigned vector() const { return schedule.vector; }
  int64_t lanes() const { return schedule.lanes; }
  bool vectorReduced() const { return nest.reduced(schedule.vector); }
  int64_t extent(unsigned loop) const { return nest.extent(loop).fixed(); }
  /// Vectors along the vector loop.
  int64_t vectors() const { return extent(vector()) / lanes(); }
  /// Results of reductions, or of nothing: points of the parallel loops, by
  /// vectors.
  int64_t units() const;
  /// What each of them is reduced from, by vectors.
  int64_t pieces() const;
};

/// Whether the group is a nest of known sizes that 32-bit numbers count.
bool isThreadNest(kernel::GroupOp group);

/// On the given buffers (operands, then results); `vector` is the original
/// number of its loop, or it is chosen: that along which most is contiguous.
mlir::FailureOr<ThreadNest>
readThreadNest(kernel::GroupOp group,
               llvm::ArrayRef<memory::BufferType> buffers,
               std::optional<int64_t> vector = std::nullopt);

/// Microseconds in so many blocks: a launch and the traffic of operands and
/// results.
double timeOf(kernel::GroupOp group, int64_t blocks,
              const tile::GpuTarget &target);

/// The launch of so many blocks without options.
StageInfo launchOf(const StageRequest &request, int64_t blocks, int64_t threads,
                   int64_t sharedBytes);

/// The most of what a stage hands to later ones: 32-bit registers
/// for each of its elements.
int64_t keptWords(const codegen::LoopNest &nest);

/// Whether a result is stored at each point, not once per row.
bool hasFullResult(const codegen::LoopNest &nest);

} // namespace tenon::gpu

#endif // TENON_PASSES_CODEGENGPU_ROWS_THREADNEST_H
