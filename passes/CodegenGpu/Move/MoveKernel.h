//===- MoveKernel.h - copies, a vector a thread -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares the kernels of concatenations, paddings and gathered
// rows. Blocks of threads come part by part, so that all of a block do the
// same:
//
//   blocks:  [ part 0           | part 1   | part 2 ... ]
//   thread:  index in the part -> where it comes from -> 16 bytes
//===----------------------------------------------------------------------===//
#ifndef TENON_PASSES_CODEGENGPU_MOVE_MOVEKERNEL_H
#define TENON_PASSES_CODEGENGPU_MOVE_MOVEKERNEL_H

#include "dialects/Graph/Graph.h"
#include "passes/Codegen/Bodies/Move.h"
#include "passes/CodegenGpu/Builder/BlockFunction.h"
#include "passes/CodegenGpu/Move/MoveBox.h"

namespace tenon::gpu {

struct MovePlan {
  int64_t threads = 128;
};

template <typename Plan, typename Visit>
  requires std::is_same_v<std::remove_const_t<Plan>, MovePlan>
void visitFields(Plan &plan, Visit visit) {
  visit("threads", plan.threads);
}

class MoveKernel {
public:
  MoveKernel(const StageRequest &request, const codegen::Move &move,
             const MovePlan &plan);

  StageInfo emit();

private:
  /// Visits a part's vectors: by the index of the first element.
  void part(const MoveBox &box,
            llvm::function_ref<void(Values index, int64_t lanes)> body);
  BoxSide sideOf(unsigned tensor) const;
  Value pointerTo(unsigned tensor, Value element);
  Value load(unsigned tensor, Value element, int64_t lanes);
  void store(Value value, Value element, int64_t lanes);
  unsigned resultNumber() const { return move.op->getNumOperands(); }

  void copyBox(unsigned from, const MoveBox &box);
  void concat(graph::ConcatOp op);
  void reshape();
  void gather(graph::GatherOp op);
  void gatherElements(graph::GatherElementsOp op);
  void pad(graph::PadOp op);
  Value padSource(graph::PadOp op, size_t dim, Value at, Value &inside);
  Value padValue(graph::PadOp op, int64_t lanes);
  Value chosen(Value place, int64_t extent);

  const StageRequest &request;
  codegen::KernelBuilder &kernel;
  ThreadBuilder t;
  codegen::Move move;
  const MovePlan &plan;
  int64_t elementBytes;
  int64_t blocks = 0; ///< of the parts so far
};

} // namespace tenon::gpu

#endif // TENON_PASSES_CODEGENGPU_MOVE_MOVEKERNEL_H
