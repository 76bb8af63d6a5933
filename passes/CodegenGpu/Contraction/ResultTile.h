//===- ResultTile.h - from the sums of a block to memory --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares what follows a product's sums: they wait in shared memory
// in the order of rows, so that each thread goes on with neighbours and all of
// a warp with whole lines, whatever unit computed them.
//===----------------------------------------------------------------------===//
#ifndef TENON_PASSES_CODEGENGPU_CONTRACTION_RESULTTILE_H
#define TENON_PASSES_CODEGENGPU_CONTRACTION_RESULTTILE_H

#include "passes/CodegenGpu/Builder/TensorAccess.h"
#include "passes/CodegenGpu/Builder/ThreadBuilder.h"
#include "passes/CodegenGpu/Contraction/Product.h"
#include <functional>

namespace tenon::gpu {

/// Where a block's tile of results is, and who works on it.
struct TilePlace {
  Values batch;      ///< index along each batch dimension
  Value row, column; ///< the first ones
  Value thread;
  Value rank; ///< in the cluster; null where blocks are alone
  /// Where rows of a tile are not neighbours: the index along each dimension of
  /// rows of row `i`, or of one that exists.
  std::function<Values(Value i)> rowIndex = {};
  std::function<Value(Value i)> rowExists = {};
};

class ResultTile {
public:
  /// `alignments`: what the address of each tensor of the epilogue is a
  /// multiple of, in bytes.
  ResultTile(codegen::KernelBuilder &kernel, ThreadBuilder &t,
             const Product &product, codegen::Epilogue &epilogue,
             const tile::GpuProductPlan &plan,
             llvm::ArrayRef<int64_t> alignments);

  /// Two neighbouring sums of a row of the tile, in a lane's registers.
  void put(Value shared, Value row, Value column, Value first, Value second);

  /// Applies the epilogue to all of the tile, whose sums are in `shared` since
  /// a barrier: those of all blocks of a cluster added up in their order.
  mlir::LogicalResult finish(Value shared, const TilePlace &place);

private:
  /// Neighbours in a row that a thread goes on with.
  struct Piece {
    Value exists; ///< null: it does
    Value sums;
    Values offsets; ///< of each tensor, in elements
    Values loaded;  ///< of those that are read
  };
  int64_t neighbours() const;
  bool canJoin(unsigned tensor, int64_t count) const;
  Values rowIndex(Value inTile, const TilePlace &place, Value &exists);
  Piece pieceOf(Value number, Value shared, const TilePlace &place);
  Value sumsAt(Value offset, Value shared, const TilePlace &place);
  TensorAccess accessOf(unsigned tensor) const;
  mlir::LogicalResult finishPiece(const Piece &piece);
  mlir::LogicalResult finishPieces(Value first, int64_t count, Value shared,
                                   const TilePlace &place);
  int64_t pitch() const { return plan.columns + tile::gpuSumPadding; }
  Type sumsType() const { return kernel.vectorType(kernel.f32Type(), lanes); }

  codegen::KernelBuilder &kernel;
  ThreadBuilder &t;
  const Product &product;
  codegen::Epilogue &epilogue;
  const tile::GpuProductPlan &plan;
  llvm::SmallVector<int64_t> alignments;
  int64_t rowCount;
  int64_t lanes; ///< neighbours of a piece
  Values bases;  ///< of each tensor for the block's batch, in elements
};

} // namespace tenon::gpu

#endif // TENON_PASSES_CODEGENGPU_CONTRACTION_RESULTTILE_H
