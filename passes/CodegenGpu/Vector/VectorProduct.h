//===- VectorProduct.h - products of a few rows by lanes --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares the kernel of a product whose matrix is read once:
//
//   column = ...                          a team's columns
//   w = load vectors member, member + team...   all on their way
//   wait for earlier kernels              if the matrix is a constant
//   sum[row] += x[row] * w                lanes of a vector apart
//   add up lanes, the team, warps; what follows; store
//
// Steps of k behind the last one are read as zero, columns behind it as that
// one, and not stored.
//===----------------------------------------------------------------------===//
#ifndef TENON_PASSES_CODEGENGPU_VECTOR_VECTORPRODUCT_H
#define TENON_PASSES_CODEGENGPU_VECTOR_VECTORPRODUCT_H

#include "passes/Codegen/Bodies/Epilogue.h"
#include "passes/CodegenGpu/Builder/BlockFunction.h"
#include "passes/CodegenGpu/Builder/ThreadBuilder.h"
#include "passes/CodegenGpu/Vector/VectorPlan.h"

namespace tenon::gpu {

class VectorProduct {
public:
  VectorProduct(const StageRequest &request, const Product &product,
                const VectorProblem &problem, codegen::Epilogue &epilogue,
                const VectorPlan &plan);

  /// Fails with a diagnostic.
  mlir::FailureOr<StageInfo> emit();

private:
  /// A result that a lane goes on with.
  struct Piece {
    Value number; ///< of the team's results
    Value exists; ///< null: it does
    Values offsets, loaded;
  };

  void enter();
  void findOperands(ValueRange batch);
  Value columnOf(Value first, Value &exists);
  Value loadVector(const OperandLayout &layout, Value start, Value step);
  Values loadWeights(Value step);
  void multiply(Value step, ValueRange weights, Values &sums);
  void multiplyAll(Values &sums);
  Values addLanes(ValueRange sums);
  Value shareOf(Value own, Value number);
  Piece pieceOf(Value number);
  mlir::LogicalResult finish(ValueRange sums);
  int64_t results() const { return problem.rows * plan.columns; }
  bool exceeds() const;
  /// Whether the matrix is.
  bool isConstant() const { return request.plan.getInt("packed"); }

  const StageRequest &request;
  codegen::KernelBuilder &kernel;
  ThreadBuilder t;
  const Product &product;
  VectorProblem problem;
  codegen::Epilogue &epilogue;
  const VectorPlan &plan;
  bool waits; ///< for earlier kernels, itself
  Values batch;
  Value inTeam, member, group, part, column;
  Values rowStarts, columnStarts; ///< in the operands
  std::vector<Piece> pieces;
};

} // namespace tenon::gpu

#endif // TENON_PASSES_CODEGENGPU_VECTOR_VECTORPRODUCT_H
