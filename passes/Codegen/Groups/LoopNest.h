//===- LoopNest.h - a loop nest on buffers and its schedule -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares the two data structures of kernels of kind `loops`: the
// nest with its memory accesses, and the decisions about it.
//===----------------------------------------------------------------------===//
#ifndef TENON_PASSES_CODEGEN_GROUPS_LOOPNEST_H
#define TENON_PASSES_CODEGEN_GROUPS_LOOPNEST_H

#include "dialects/Kernel/LoopDomain.h"
#include "passes/Codegen/Strategy.h"

namespace tenon::codegen {

/// Element offset + sum(strides[k] * loop k) of a buffer.
struct LoopAccess {
  unsigned buffer = 0;
  mlir::Type element;
  Size offset = 0;
  Sizes strides;
  /// Per loop, if there are any: the extents of which one that is 1 makes the
  /// stride 0.
  std::vector<Sizes> repeated = {};

  llvm::ArrayRef<Size> repeatedAlong(unsigned loop) const {
    return repeated.empty() ? llvm::ArrayRef<Size>() : repeated[loop];
  }
  bool isFixed() const;
};

/// A loop program with accesses. Loops that every access walks as one are one.
struct LoopNest {
  kernel::LoopProgram program;
  std::vector<LoopAccess> loads;      ///< per node; only of `Load` ones
  std::vector<LoopAccess> stores;     ///< per result
  llvm::SmallVector<unsigned> origin; ///< original loop -> loop
  llvm::SmallVector<uint64_t> along;  ///< per node: bit k: varies along loop k

  const Size &extent(unsigned loop) const { return program.loops[loop].extent; }
  bool reduced(unsigned loop) const { return program.loops[loop].reduction; }
  /// Product of the extents of R.
  Size reducedSize() const;
  /// Whether there are no symbols in it.
  bool isFixed() const;
  int64_t stages() const; ///< number of reductions one after the other
  /// Whether the value of a node changes along a loop.
  bool varies(unsigned node, unsigned loop) const {
    return along[node] >> loop & 1;
  }
};

/// How a nest runs. One loop runs over vector lanes. Rows are the points of the
/// parallel loops but that one; a tile is `rows` rows, or one piece of `chunk`
/// elements of one row. Where the vector loop is reduced, `jam` rows at a time
/// hide each other's latencies and share what all rows read; short ones overlap
/// with the next such rows, whose first stage comes before the results of
/// these.
struct LoopSchedule {
  unsigned vector = 0;
  int64_t lanes = 1, unroll = 1, jam = 1;
  bool overlap = false;
  /// What rows that far ahead read is asked for: it comes from afar.
  int64_t rowsAhead = 0;
  /// Of rows that no private cache holds, what takes two passes runs in one:
  /// the mean and variance with a centre of so many samples (Moments.h), the
  /// maximum and sum of a softmax (Online.h).
  int64_t samples = 0;
  bool online = false;
  /// A second loop: operands contiguous along it (and not along `vector`) are
  /// transposed in registers, square by square.
  std::optional<unsigned> transposed;
  /// A second, short loop along which results are contiguous: its few vectors
  /// are interleaved in registers.
  std::optional<unsigned> interleaved;
  /// Whole lines of results go past the caches.
  bool stream = false;
  /// The loop along which rows are cut into tiles: the vector loop, or the
  /// longer one of two that are transposed.
  unsigned cut = 0;
  int64_t rows = 1, chunk = 0;
  Size rowCount = 1, chunkCount = 1;

  /// Whether tiles are pieces of rows, so many that only the run may tell.
  bool cutsRows() const { return !chunkCount.is(1); }
  Size tiles() const;
};

/// The program of a group, on the given buffers (operands, then results).
mlir::FailureOr<LoopNest> makeNest(kernel::GroupOp group,
                                   llvm::ArrayRef<memory::BufferType> buffers);

/// Plans speak of the loops before merging, which depends on layouts: of a
/// merged loop, the innermost one.
int64_t originalLoop(const LoopNest &nest, unsigned loop);
unsigned currentLoop(const LoopNest &nest, int64_t original);

/// Dense ones for the operands and results of a group.
llvm::SmallVector<memory::BufferType> denseBuffers(kernel::GroupOp group);

/// Whether a load is contiguous along the loop that is transposed and walks
/// along the vector loop.
bool isTransposed(const LoopAccess &load, unsigned vector, unsigned transposed);

/// Whether a node is the maximum in max -> exp(x - max) -> sum -> quotient and
/// serves nothing else. An x that is NaN then makes the sum NaN, and with it
/// the whole row, whatever the maximum was.
bool isSoftmaxShift(const LoopNest &nest, unsigned node);

/// Whether a node is the exponential of such a softmax: its argument is at most
/// 0, and its sum at least 1.
bool isSoftmaxPower(const LoopNest &nest, unsigned node);

} // namespace tenon::codegen

#endif // TENON_PASSES_CODEGEN_GROUPS_LOOPNEST_H
