//===- GroupProduct.h - products by the units of warpgroups -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares the kernel of a product on wgmma: one warp asks for boxes
// of both operands, four warps to 64 rows multiply them where they lie.
//===----------------------------------------------------------------------===//
#ifndef TENON_PASSES_CODEGENGPU_CONTRACTION_GROUPPRODUCT_H
#define TENON_PASSES_CODEGENGPU_CONTRACTION_GROUPPRODUCT_H

#include "passes/CodegenGpu/Builder/BlockFunction.h"
#include "passes/CodegenGpu/Contraction/Boxes.h"
#include "passes/CodegenGpu/Contraction/ResultTile.h"

namespace tenon::gpu {

/// Builds the kernel. A stage has a barrier for what arrives, *full*, and one
/// for those who have read it, *empty*.
class GroupProduct {
public:
  GroupProduct(const StageRequest &request, Product product, Boxes boxes,
               codegen::Epilogue epilogue);

  mlir::FailureOr<StageInfo> emit();

private:
  /// The stage that is next, and the parity of its phase.
  struct Turn {
    Value stage, parity;
  };
  void begin();
  void describeRows(Value tile);
  void initBarriers();
  void produce();
  void produceBlock(Value number, Turn turn, bool lhs, bool rhs);
  void copyLhs(Value number, Value stage, Value barrier);
  void copyRhs(Value number, Value stage, Value barrier);
  void consume();
  Values multiplyBlock(Value stage, ValueRange sums);
  /// The same of split numbers, whose products are done at the end.
  Values multiplySplit(Value stage, ValueRange sums);
  /// Three pieces of 16 steps, four words each.
  llvm::SmallVector<Values> piecesOf(Value stage, int64_t step);
  Value tileRow();
  void putSums(ValueRange sums);
  Turn next(Turn turn);
  Value full(Value stage);
  Value empty(Value stage);
  Value stageAt(Value stage);
  int64_t lhsBytes() const { return plan.rows * 128; }
  int64_t rhsBytes() const {
    return plan.columns * boxes.problem.columnBytes();
  }
  int64_t stageBytes() const { return lhsBytes() + rhsBytes(); }
  /// Of one box of each.
  int64_t copiedBytes() const { return box.rows() * 128 + rhsBytes(); }
  int64_t consumers() const { return plan.threads(); }

  const StageRequest &request;
  BlockFunction &function;
  codegen::KernelBuilder &kernel;
  Product product;
  Boxes boxes;
  codegen::Epilogue epilogue;
  tile::GpuProductPlan plan;
  tile::RowBox box;
  ThreadBuilder t;
  ResultTile results;
  bool waits; ///< for earlier kernels, itself
  Value shared;
  TilePlace place;
  Values corner;              ///< the tile's first index of each row dimension
  Value batch;                ///< null: there is one
  Value firstBlock, endBlock; ///< of k
};

} // namespace tenon::gpu

#endif // TENON_PASSES_CODEGENGPU_CONTRACTION_GROUPPRODUCT_H
