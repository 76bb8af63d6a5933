//===- SizePlans.h - plans of a kernel for several sizes --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares how a group with symbols gets further plans, for smaller
// sizes than typical ones, and how its kernel takes one of them by the sizes of
// a call:
//
//   tenon.smaller = [{most = 22, plan = #kernel.plan<"gemm", {...}>}]
//
// The plan of the group is that of more. All of them read the same packs and
// halos, and buffers lie so that all can address them.
//===----------------------------------------------------------------------===//
#ifndef TENON_PASSES_CODEGEN_SIZEPLANS_H
#define TENON_PASSES_CODEGEN_SIZEPLANS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "passes/Codegen/Device.h"

namespace tenon::codegen {

/// On a group and its launch.
inline constexpr llvm::StringLiteral smallerAttr = "tenon.smaller";

/// On an instance of a group that is planned for other sizes than those of its
/// plan, which stands on it: strategies keep the packs, and offer that plan,
/// too, with what it takes for these sizes.
inline constexpr llvm::StringLiteral plannedAttr = "tenon.planned";

/// What the sizes of a call are told by: the product of all dimensions of its
/// first result that only the run knows, or 1.
Size countedOf(mlir::RankedTensorType result);

/// A plan where that is at most `most`.
struct SmallerPlan {
  int64_t most = 0;
  kernel::PlanAttr plan;
};

/// Those of a group or a launch, from the least on.
llvm::SmallVector<SmallerPlan> smallerPlansOf(mlir::Operation *op);

/// Those of all plans of a planned group; of a plan that nobody knows, and of a
/// group without one, null.
llvm::SmallVector<const Strategy *> strategiesOf(kernel::GroupOp group);

/// Gives the planned groups of a program plans for further sizes
/// (`graph.further`), where these are predicted to pay.
void planForSizes(mlir::func::FuncOp function, const Device &device,
                  const Arithmetic &arithmetic);

/// Builds the code of all plans of a stage; the call takes the one for its
/// sizes.
mlir::FailureOr<StageInfo> emitBySize(const StageRequest &request);

} // namespace tenon::codegen

#endif // TENON_PASSES_CODEGEN_SIZEPLANS_H
