//===- UnitProduct.h - products by the matrix units of warps ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares the kernel of a product that warps compute with mma.sync:
// on every GPU since sm_80, of operands of any extents.
//===----------------------------------------------------------------------===//
#ifndef TENON_PASSES_CODEGENGPU_CONTRACTION_UNITPRODUCT_H
#define TENON_PASSES_CODEGENGPU_CONTRACTION_UNITPRODUCT_H

#include "passes/CodegenGpu/Builder/BlockFunction.h"
#include "passes/CodegenGpu/Contraction/OperandTile.h"
#include "passes/CodegenGpu/Contraction/ResultTile.h"

namespace tenon::gpu {

/// Builds the kernel. Blocks of k are on their way into the stages while one is
/// multiplied. Numbers of f32 are multiplied in two pieces of TF32, and sums of
/// a block are apart from those of all: units truncate what they add.
class UnitProduct {
public:
  UnitProduct(const StageRequest &request, Product product,
              codegen::Epilogue epilogue);

  mlir::FailureOr<StageInfo> emit();

private:
  TilePlace place();
  std::pair<Value, Value> tileOf(Value number);
  void beginOperands(const TilePlace &place);
  Value baseOf(const OperandLayout &layout, const TilePlace &place);
  void fillStages();
  void copyBlock(Value number, Value offset);
  Values sumUp(Value thread);
  Values addBlock(Value stage, ValueRange sums);
  Values addStep(Value stage, int64_t step, Values sums);
  llvm::SmallVector<int64_t> alignments() const;
  void putSums(ResultTile &results, ValueRange sums);
  int64_t tilesAlong(int64_t extent, int64_t size) const {
    return tile::ceilDiv(extent, size);
  }
  int64_t lhsTiles() const { return plan.tileRows() / 16; }
  int64_t rhsTiles() const { return plan.tileColumns() / 8; }

  const StageRequest &request;
  codegen::KernelBuilder &kernel;
  Product product;
  codegen::Epilogue epilogue;
  tile::GpuProductPlan plan;
  tile::GpuProduct problem;
  ThreadBuilder t;
  bool waits;   ///< for earlier kernels, itself
  bool isEarly; ///< and has constants before they have ended
  OperandTile lhs, rhs;
  Value shared;
  Value firstBlock, endBlock; ///< of k
  Value warpRow, warpColumn;  ///< the first of the warp's in the tile
  OperandTile::Reader lhsReader, rhsReader;
};

} // namespace tenon::gpu

#endif // TENON_PASSES_CODEGENGPU_CONTRACTION_UNITPRODUCT_H
