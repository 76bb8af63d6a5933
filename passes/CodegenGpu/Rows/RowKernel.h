//===- RowKernel.h - reductions by teams of threads -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares the kernel of a nest with reductions:
//
//   unit, member = ...                        softmax of rows of 1024 numbers:
//   x = load pieces member, member + team...  8 vectors of 4, by a warp
//   max = over pieces, lanes, the team
//   e = exp(x - max), sum = ...
//   store e / sum
//
// What exceeds the last unit or piece is computed as that one and neither added
// nor stored, so that all threads meet.
//===----------------------------------------------------------------------===//
#ifndef TENON_PASSES_CODEGENGPU_ROWS_ROWKERNEL_H
#define TENON_PASSES_CODEGENGPU_ROWS_ROWKERNEL_H

#include "passes/Codegen/Bodies/LoopsBody.h"
#include "passes/CodegenGpu/Builder/BlockFunction.h"
#include "passes/CodegenGpu/Rows/Team.h"

namespace tenon::gpu {

class RowKernel {
public:
  RowKernel(const StageRequest &request, const ThreadNest &nest,
            const RowPlan &plan);

  /// Fails with a diagnostic.
  mlir::FailureOr<StageInfo> emit();

private:
  /// Some vectors of a unit.
  struct Piece {
    codegen::LoopScope scope;
    Value exists; ///< null: always
  };

  Value wide(Value number);
  void enterUnit();
  Piece pieceOf(Value number, bool mayExceed);
  std::vector<Piece> piecesFrom(Value first, int64_t count, int64_t turn);

  void load(llvm::ArrayRef<unsigned> nodes, std::vector<Piece> &pieces);
  void reduceStage(int64_t stage);
  Values accumulatePieces(int64_t stage);
  Values accumulate(int64_t stage, std::vector<Piece> &pieces, ValueRange sums);
  Value accumulateAt(unsigned node, Piece &piece, Value sum);
  void finish(int64_t stage, ValueRange offered);
  Values
  rounds(int64_t stage, ValueRange sums,
         llvm::function_ref<Values(std::vector<Piece> &, ValueRange)> visit);
  void storeFull(std::vector<Piece> &pieces);
  void storeRows();

  llvm::SmallVector<unsigned> reductionsOf(int64_t stage) const;
  codegen::Reduction reductionOf(unsigned node) const;
  int64_t piecesEach() const;

  const StageRequest &request;
  codegen::KernelBuilder &kernel;
  ThreadBuilder t;
  const ThreadNest &nest;
  const RowPlan &plan;
  codegen::LoopsBody body;
  Team team;
  codegen::LoopScope entry;
  std::optional<codegen::LoopScope> unit;
  Value exists; ///< the unit; null: all do
  std::vector<Piece> kept;
};

} // namespace tenon::gpu

#endif // TENON_PASSES_CODEGENGPU_ROWS_ROWKERNEL_H
