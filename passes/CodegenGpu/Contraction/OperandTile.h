//===- OperandTile.h - operands of a product in shared memory ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares how a block copies its rows of an operand into shared
// memory, a block of k at a time, and how warps read them from there.
//===----------------------------------------------------------------------===//
#ifndef TENON_PASSES_CODEGENGPU_CONTRACTION_OPERANDTILE_H
#define TENON_PASSES_CODEGENGPU_CONTRACTION_OPERANDTILE_H

#include "passes/CodegenGpu/Builder/ThreadBuilder.h"
#include "passes/CodegenGpu/Contraction/Product.h"

namespace tenon::gpu {

/// `count` rows of an operand by a block of k, 128 bytes. Where steps of k lie
/// together in memory, a row is 8 chunks of 16 bytes in shared memory, too, and
/// chunk `c` of row `r` is at `c ^ (r % 8)`: neither copies nor `ldmatrix` meet
/// in banks. Where rows lie together, a step of k has all of them, and steps
/// are apart by some padding.
///
/// What lies outside of the operand is zero: rows behind the last one, steps
/// behind the last one, and what windows have outside of the input.
class OperandTile {
public:
  /// What `isEarly` is constant, and copied before waitForGrids, too.
  OperandTile(ThreadBuilder &t, const OperandLayout &layout, int64_t count,
              int64_t threads, bool isEarly = false);

  /// Of a stage.
  int64_t bytes() const;

  /// What this thread copies from now on: rows from `firstRow` on of the
  /// operand that starts at `base`.
  void begin(Value base, Value firstRow, Value thread);
  /// Copies block `number` of k to `to` in shared memory; where it `mayExceed`,
  /// there may be no such block.
  void copy(Value number, Value to, bool mayExceed = false);

  /// What a lane needs to read the `rows` from `firstRow` of the tile on.
  struct Reader {
    Value row;    ///< of the lane, where k is together
    Value row0;   ///< the first one's
    Value quad;   ///< lane / 4
    Value inQuad; ///< lane % 4
    Value lane;
  };
  Reader readerOf(Value firstRow, Value lane, bool isLhs);
  /// Of B, for products whose results are rows of another product's A: result
  /// `2 i` of eight is that of column `i`, result `2 i + 1` that of `i + 4`.
  /// There a lane has the numbers of f32 that it needs of such rows.
  Reader turned(Reader reader);
  /// Words of step `step` (32 bytes of k) of the 16 rows from the reader's row
  /// `first` on: four of 16 rows of A, or two of each 8 columns of B.
  Values read(const Reader &reader, Value stage, int64_t first, int64_t step,
              bool isLhs);

private:
  struct Slot {
    Value offset;                    ///< of the first of its elements at k = 0
    Value exists;                    ///< null: it does
    Value column;                    ///< the first of its steps in a block
    Value to;                        ///< in shared memory
    llvm::SmallVector<Value> starts; ///< in the input, of each window
  };
  Slot slotOf(Value number, Value firstRow);
  Value sharedOffset(Value row, Value column);
  void copySlot(const Slot &slot, Value number, Value to, bool mayExceed);
  void copyElement(Value to, Value from, Value exists);
  Value readWord(Value stage, Value row, Value column);

  ThreadBuilder &t;
  const OperandLayout &layout;
  int64_t count, threads;
  int64_t elementBytes, block, elements;
  bool alongK, isEarly;
  Value base;
  llvm::SmallVector<Slot> slots;
};

} // namespace tenon::gpu

#endif // TENON_PASSES_CODEGENGPU_CONTRACTION_OPERANDTILE_H
