//===- PointKernel.h - element-wise nests, a vector a thread ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares the kernels of nests without reductions. Where results lie
// in another order than what is read, a block moves squares through shared
// memory, so that both sides touch whole lines:
//
//     | threads along `transposed` read |  ->  | threads along `vector` write |
//===----------------------------------------------------------------------===//
#ifndef TENON_PASSES_CODEGENGPU_ROWS_POINTKERNEL_H
#define TENON_PASSES_CODEGENGPU_ROWS_POINTKERNEL_H

#include "passes/Codegen/Bodies/LoopsBody.h"
#include "passes/CodegenGpu/Builder/BlockFunction.h"
#include "passes/CodegenGpu/Builder/ThreadBuilder.h"
#include "passes/CodegenGpu/Rows/ThreadNest.h"

namespace tenon::gpu {

struct PointPlan {
  int64_t vector = 0;      ///< the original number of the loop
  int64_t transposed = -1; ///< that of a second one; -1: none
  int64_t threads = 128;
};

template <typename Plan, typename Visit>
  requires std::is_same_v<std::remove_const_t<Plan>, PointPlan>
void visitFields(Plan &plan, Visit visit) {
  visit("vector", plan.vector);
  visit("transposed", plan.transposed);
  visit("threads", plan.threads);
}

/// Edges of the squares.
constexpr int64_t squareEdge = 32;

/// Blocks of a launch; `transposed`: the loop of the nest.
int64_t blocksOf(const ThreadNest &nest, std::optional<unsigned> transposed,
                 int64_t threads);

/// Bytes of the squares of all loads that are contiguous along that loop.
int64_t squareBytes(const ThreadNest &nest, unsigned transposed);

class PointKernel {
public:
  PointKernel(const StageRequest &request, const ThreadNest &nest,
              std::optional<unsigned> transposed, int64_t threads);

  /// Fails with a diagnostic.
  mlir::FailureOr<StageInfo> emit();

private:
  Value wide(Value number);
  void vectors(codegen::LoopScope &entry);
  void squares(codegen::LoopScope &entry);
  void readSquare(codegen::LoopScope &row, Value u, Value v, Value thread);
  void writeSquare(codegen::LoopScope &row, Value u, Value v, Value thread);
  Value placeOf(unsigned load, Value u, Value v);
  codegen::LoopScope pointAt(codegen::LoopScope &row, Value u, Value v);
  void storeAll(codegen::LoopScope &point);

  const StageRequest &request;
  codegen::KernelBuilder &kernel;
  ThreadBuilder t;
  const ThreadNest &nest;
  std::optional<unsigned> transposed;
  int64_t threads;
  codegen::LoopsBody body;
};

} // namespace tenon::gpu

#endif // TENON_PASSES_CODEGENGPU_ROWS_POINTKERNEL_H
