//===- Blocks.h - buffers that keep their distance --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file has the normal form that solvers work on. Contiguous lists and
// overlays all fix the distance between two offsets, so the buffers that they
// connect move as one rigid block:
//
//        +-----+---------+------+
//        |  a  |    b    |  c   |     list (a, b, c), d a view of b
//        +-----+--+---+--+------+
//                 | d |
//                 +---+
//
// Every buffer is in exactly one block; most are alone in theirs.
//===----------------------------------------------------------------------===//
#ifndef TENON_LIB_MEMORY_BLOCKS_H
#define TENON_LIB_MEMORY_BLOCKS_H

#include "lib/Memory/Problem.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace tenon::mem {

/// Bytes of a block that are taken while `buffer` lives: the buffer's own, or
/// a guard of its list.
struct Piece {
  unsigned buffer;
  int64_t delta; ///< from the start of the block; never negative
  int64_t size;  ///< bytes; never zero
};

/// Buffers at fixed distances from each other. The block may start wherever
/// `offset % alignment == phase`, or only at `fixed`.
struct Block {
  llvm::SmallVector<Piece, 1> pieces;
  int64_t size = 0; ///< from the start to the end of the last piece
  int64_t alignment = 1;
  int64_t phase = 0;
  unsigned scope = 0;
  std::optional<int64_t> fixed;

  /// The lowest start that is not below `offset`.
  int64_t align(int64_t offset) const {
    return offset + ((phase - offset) & (alignment - 1));
  }

  /// Whether some of its bytes belong to more than one piece.
  bool mayShare() const;

  /// The bytes that pieces of buffers for which `lives` holds take together.
  int64_t coveredBytes(llvm::function_ref<bool(unsigned buffer)> lives) const;
};

struct Blocks {
  std::vector<Block> blocks;
  std::vector<unsigned> blockOf; ///< for each buffer
  std::vector<int64_t> deltaOf;  ///< for each buffer, from its block's start

  /// The solution that a start per block makes.
  Solution solution(const Problem &problem,
                    llvm::ArrayRef<int64_t> starts) const;
};

/// Merges what keeps its distance. Fails where distances contradict each other
/// or buffers of one block would share bytes without leave. Needs buffers that
/// are right each for itself.
llvm::Expected<Blocks> buildBlocks(const Problem &problem);

} // namespace tenon::mem

#endif // TENON_LIB_MEMORY_BLOCKS_H
