//===- AttentionKernel.h - attention by warps -------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares the kernel of attention:
//
//   queries, keys and values of the first steps are on their way
//   for each step of keys:
//     scores = Q K^T, f(scores)                        in registers
//     a row's maximum so far, weights = 2^(...), their sum
//     sums = sums * 2^(what the maximum grew by) + weights V
//   warps with other keys of the same rows join their sums
//
//===----------------------------------------------------------------------===//
#ifndef TENON_PASSES_CODEGENGPU_ATTENTION_ATTENTIONKERNEL_H
#define TENON_PASSES_CODEGENGPU_ATTENTION_ATTENTIONKERNEL_H

#include "passes/CodegenGpu/Attention/Attention.h"
#include "passes/CodegenGpu/Builder/BlockFunction.h"
#include "passes/CodegenGpu/Contraction/OperandTile.h"
#include "passes/CodegenGpu/Contraction/UnitTerms.h"

namespace tenon::gpu {

/// Builds the kernel. A warp has 16 rows: a lane has numbers of two of them,
/// 8 apart, which are called halves. Units truncate what they add, so that of
/// numbers of f32 sums of 128 bytes are apart from those of all.
class AttentionKernel {
public:
  AttentionKernel(const StageRequest &request, Attention attention,
                  codegen::Epilogue between);

  mlir::FailureOr<StageInfo> emit();

private:
  /// Of all keys so far.
  struct State {
    Values sums;     ///< as matrix units have them, eight for 16 columns
    Value most[2];   ///< of each half, as a power of two
    Value totals[2]; ///< of each half, of this lane's keys
  };
  State begin();
  Values pack(const State &state) const;
  State unpack(ValueRange values) const;

  void findPlace();
  Value baseOf(const OperandLayout &layout);

  void copyQueries();
  void copyKeys(Value step, Value to);
  void copyValues(Value step, Value to);
  void copyLater(Value step, Value to);
  void fillStages();
  State visitSteps();
  State visitStep(Value step, Value stage, const State &before,
                  llvm::function_ref<void()> copyNext);

  /// One for each tile of 8 keys, half, and key of two.
  template <typename Of> Values forScores(Of of) const;
  Value keyOf(Value step, int64_t tile, int64_t number);
  std::vector<Values> loadTensors(Value step);
  Value loadTensor(const codegen::IndexedTensor &tensor, int64_t half,
                   Value key);
  Values scores(Value stage);
  Values logits(Value step, ValueRange scores, llvm::ArrayRef<Values> tensors);
  Values weights(ValueRange logits, State &state, Value (&factors)[2]);
  llvm::SmallVector<Fragment> fragmentsOf(ValueRange weights);
  void addValues(Value stage, llvm::ArrayRef<Fragment> weights, State &state,
                 Value (&factors)[2]);

  void putResults(State &state);
  void finishPieces();
  Value joined(Value inTile, Value column, int64_t lanes);
  void storeResult(Value row, Value column, Value result, int64_t lanes);
  Value powerOf(Value exponent, Value shift);
  Value joinQuad(Value value, llvm::function_ref<Value(Value, Value)> join);
  Value ifEmpty(Value most);
  int64_t resultLanes() const;

  int64_t tiles() const { return problem.keysOfWarp() / 8; }
  int64_t stageBytes() const {
    return problem.depthBlocks() * keys.bytes() +
           plan.warpKeys * values.bytes();
  }
  int64_t queryBytes() const { return problem.depthBlocks() * queries.bytes(); }
  /// Of a row of results in shared memory, in numbers.
  int64_t pitch() const { return columns + tile::gpuSumPadding; }
  bool isSplit() const { return problem.terms() > 1; }

  const StageRequest &request;
  codegen::KernelBuilder &kernel;
  Attention attention;
  codegen::Epilogue between;
  tile::GpuAttentionPlan plan;
  tile::GpuAttention problem;
  ThreadBuilder t;
  OperandTile queries, keys, values;
  int64_t columns; ///< of V, in pairs of tiles
  bool failed = false;

  Values batch;   ///< index along each dimension
  Value firstRow; ///< of the block
  Value endStep;  ///< of its keys
  Value rows[2];  ///< of this lane, one that exists
  Value warpRow;  ///< its first row in the block
  Value warpKeys; ///< which of the warps with the same rows
  Value thread, lane, shared;
  OperandTile::Reader queryReader, keyReader, valueReader;
};

} // namespace tenon::gpu

#endif // TENON_PASSES_CODEGENGPU_ATTENTION_ATTENTIONKERNEL_H
