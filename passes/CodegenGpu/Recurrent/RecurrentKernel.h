//===- RecurrentKernel.h - all steps of a layer in one launch ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares the kernel of a recurrent layer. A warp has one hidden
// unit, a lane its part of all states for the products, and, once these are
// summed up, one of the sequences for all that follows. The launch has two
// steps: the first clears the words that blocks exchange, since memory comes
// with what was in it.
//===----------------------------------------------------------------------===//
#ifndef TENON_PASSES_CODEGENGPU_RECURRENT_RECURRENTKERNEL_H
#define TENON_PASSES_CODEGENGPU_RECURRENT_RECURRENTKERNEL_H

#include "lib/Tile/GpuRecurrence.h"
#include "passes/Codegen/Bodies/RecurrentCell.h"
#include "passes/Codegen/Groups/RecurrenceShape.h"
#include "passes/CodegenGpu/Builder/BlockFunction.h"
#include "passes/CodegenGpu/Recurrent/StateExchange.h"
#include "passes/CodegenGpu/Strategy.h"

namespace tenon::gpu {

/// What is planned for.
tile::GpuRecurrence recurrenceProblem(graph::RecurrenceOp op);

class RecurrentKernel {
public:
  RecurrentKernel(const StageRequest &request, graph::RecurrenceOp op,
                  codegen::RecurrentCell cell);

  StageInfo emit();

private:
  using Num = codegen::Num;
  /// Of the lane's sequence and unit; c only of an LSTM.
  struct State {
    Value h, c;
  };
  /// Where a step is in time; `active` is null where all sequences have it.
  struct Moment {
    Value time, active;
  };

  //===-- Before and after ------------------------------------------------===//
  void clear(Value words);
  void run(Value words);
  void locate(Value words);
  void readLayer();
  void startStates();
  void storeLast(const State &state);

  //===-- Memory ----------------------------------------------------------===//
  Value address(Value operand, ValueRange index);
  Value load(Value operand, ValueRange index);
  Value initial(Value operand, Value ofSequence, Value ofUnit);
  void storeResult(unsigned result, ValueRange index, Value number);
  /// So many neighbours.
  Values loadFloats(Value pointer, int64_t number);
  Values weightsOf(int64_t gate);
  Value weightAddress(int64_t gate, Value k);

  //===-- A step ----------------------------------------------------------===//
  State advance(Value step, const State &state);
  Moment momentOf(Value step);
  /// Of the lane's sequence, of all gates.
  Values inputs(const Moment &moment);
  State next(llvm::ArrayRef<Value> inputs, Value exchange, const State &state);
  Num gru(llvm::ArrayRef<Value> inputs, Value exchange, Num h);
  State lstm(llvm::ArrayRef<Value> sums, Value c);
  void receive(Value exchange);
  /// The matrix times the states of an exchange, for the lane's sequence.
  Values products(Value exchange, llvm::ArrayRef<int64_t> gates);
  Value sumUp(Values rows);
  Value select(Value condition, Value x, Value y);
  Num num(Value value) { return Num(kernel, value); }
  Value zero();

  const StageRequest &request;
  BlockFunction &function;
  codegen::KernelBuilder &kernel;
  graph::RecurrenceOp op;
  codegen::RecurrentCell cell;
  tile::GpuRecurrence problem;
  tile::GpuRecurrencePlan plan;
  bool packed;
  ThreadBuilder t;
  Type f32;
  Value shared;
  Value thread, lane;
  Value direction, firstSequence; ///< of the chain
  Value sequence, unit;           ///< of the lane, or others that exist
  Value isUnit;                   ///< whether the lane has a state of its own
  Value isReal;                   ///< which is one of the layer
  Value length;                   ///< of the sequence
  llvm::SmallVector<Values> weights; ///< of each gate, the lane's
  Values bias, peepholes;            ///< of the unit; empty: none
  std::optional<StateExchange> states;
};

} // namespace tenon::gpu

#endif // TENON_PASSES_CODEGENGPU_RECURRENT_RECURRENTKERNEL_H
