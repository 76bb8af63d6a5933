//===- Step.h - register tiles of a recurrence ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares what a recurrence computes in one time step for a few
// sequences and one panel of hidden units, all gates together. The state lives
// in one scratch buffer of sections, each `[directions, batch, units]` with the
// units padded to whole panels:
//
//   h after even steps | h after odd steps | c, or update gate | reset state
//
// A step reads all of one h and writes its part of the other, so the parts of a
// step are independent.
//===----------------------------------------------------------------------===//
#ifndef TENON_PASSES_CODEGENCPU_RECURRENT_STEP_H
#define TENON_PASSES_CODEGENCPU_RECURRENT_STEP_H

#include "passes/Codegen/Bodies/RecurrentCell.h"
#include "passes/Codegen/Groups/RecurrenceShape.h"
#include "passes/Codegen/Strategy.h"

namespace tenon::codegen {

/// A register tile: some sequences by some hidden units of a direction. With
/// `mayEnd`, those that do not exist compute once more what the last one does.
struct RecurrentTile {
  Value direction;
  Value row; ///< the first sequence
  int64_t rows;
  bool mayEnd = false;
  Value unit; ///< the first hidden unit
  int64_t vectors;
  int64_t last; ///< existing lanes of the last vector
};

/// Emits the parts of steps.
class RecurrentStep {
public:
  /// `packed`: the matrix is in panels, one group of them per gate.
  RecurrentStep(KernelBuilder &b, graph::RecurrenceOp op,
                const StageRequest &request, const tile::RecurrencePlan &plan,
                bool packed)
      : b(b), op(op), request(request), plan(plan), packed(packed), shape(op) {}

  /// Fails with a diagnostic when the operation cannot be expressed.
  mlir::LogicalResult read();
  /// Whether all directions compute with the same functions.
  bool isUniform() const;
  /// Chooses the functions of a direction for what is emitted next.
  void useDirection(int64_t direction);

  /// The state before the first step.
  void start(const RecurrentTile &tile);
  /// Step `step`, counted from 1 in the order of the direction.
  void advance(Value step, int64_t phase, const RecurrentTile &tile);

private:
  /// One sequence of a tile in a step.
  struct Sequence {
    Value number, length;
    Value time;   ///< where gates and results of the step are
    Value active; ///< i1; null when all sequences take all steps
  };
  using Sequences = llvm::ArrayRef<Sequence>;
  using State = std::pair<Num, Num>; ///< h and c

  memory::BufferType typeOf(Value operand) const;
  Value address(Value operand, ValueRange index);
  Value resultAddress(unsigned result, ValueRange index);
  Value isReverse(const RecurrentTile &tile);
  Sequence sequenceAt(const RecurrentTile &tile, int64_t i, Value step);

  Value statePart(Value section, Value unit, const RecurrentTile &tile,
                  int64_t i);
  Num loadState(Value part, int64_t v);
  void storeState(Num value, Value part, int64_t v);
  /// Vector `v` of an operand's row that starts at the tile's first unit.
  Num loadRow(Value row, int64_t v, const RecurrentTile &tile);
  void storeRow(Num value, Value row, int64_t v, const RecurrentTile &tile);
  void storeStep(llvm::ArrayRef<State> states, const Sequence &sequence,
                 const RecurrentTile &tile);
  void storeLast(llvm::ArrayRef<State> states, Value step,
                 const Sequence &sequence, const RecurrentTile &tile);

  void compute(Value step, int64_t phase, Sequences sequences,
               const RecurrentTile &tile);
  void storeReset(llvm::ArrayRef<Num> gates, Num h, int64_t i, int64_t v,
                  const RecurrentTile &tile);
  void storeStates(llvm::ArrayRef<State> states, Value step, int64_t i,
                   const Sequence &sequence, const RecurrentTile &tile);
  Values sums(Value state, llvm::ArrayRef<int64_t> gates, Sequences sequences,
              const RecurrentTile &tile);
  Value firstSum(int64_t gate, int64_t v, const Sequence &sequence,
                 const RecurrentTile &tile);
  /// The state of one vector after a step, from the sums of its gates.
  State next(llvm::ArrayRef<Num> gates, Num h, int64_t i, int64_t v,
             const Sequence &sequence, const RecurrentTile &tile);
  State nextLstm(llvm::ArrayRef<Num> gates, int64_t i, int64_t v,
                 const RecurrentTile &tile);

  KernelBuilder &b;
  graph::RecurrenceOp op;
  const StageRequest &request;
  tile::RecurrencePlan plan;
  bool packed;
  RecurrenceShape shape;
  RecurrentCell cell;
  llvm::SmallVector<Activation> activations;
};

} // namespace tenon::codegen

#endif // TENON_PASSES_CODEGENCPU_RECURRENT_STEP_H
