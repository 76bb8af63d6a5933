//===- Plan.h - plans of contraction groups ---------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares how a contraction group is read and its plan is kept.
//===----------------------------------------------------------------------===//
#ifndef TENON_PASSES_CODEGENCPU_CONTRACTION_PLAN_H
#define TENON_PASSES_CODEGENCPU_CONTRACTION_PLAN_H

#include "passes/Codegen/Bodies/Epilogue.h"
#include "passes/Codegen/Groups/ContractionGroup.h"
#include "passes/Codegen/Groups/ContractionNest.h"
#include "passes/Codegen/PlanAttribute.h"
#include "passes/Codegen/Strategy.h"

namespace tenon::codegen {

/// Whether the code of a product may have its sizes come in with the call: of
/// those that say which operands are broadcast.
bool takesSymbolicProduct(kernel::GroupOp group);

/// Whether the operations behind an anchor read what is known to be broadcast,
/// and yield whole results.
bool hasKnownEpilogue(kernel::GroupOp group, llvm::ArrayRef<Size> result);

/// Whether such a product sums a known number of steps, which lie together in
/// the left operand.
bool hasKnownSteps(kernel::GroupOp group);

/// The nest if all buffers are as asked for, with `padding` elements behind
/// each row of A, and with each dimension for itself where it is `loose`.
mlir::FailureOr<ContractionNest> idealNest(const ContractionOperands &at,
                                           bool packed, int64_t padding = 0,
                                           bool loose = false);

/// What that nest asks of a plan.
tile::ContractionProblem problemOf(const ContractionOperands &at,
                                   const ContractionNest &nest,
                                   kernel::GroupOp group);

/// With what a contraction needs around it: zeros around A, and B in panels
/// where it can be packed.
StagePlan resultOf(kernel::GroupOp group, const ContractionOperands &at,
                   kernel::PlanAttr plan, Packing packing);

/// Whether panels of the right operand must be packed in the kernel, since its
/// columns are not contiguous.
bool needsPacking(const ContractionNest &nest);

/// How a plan wants a constant right operand.
Packing packingOf(const tile::ContractionPlan &plan);

/// A contraction on its buffers, with what follows it.
struct ContractionStage {
  ContractionOperands at;
  ContractionNest nest;
  Epilogue epilogue;
};

/// Reads the stage, whose right operand lies in panels if its plan packs it;
/// fails with a diagnostic.
mlir::FailureOr<ContractionStage> readContraction(const StageRequest &request,
                                                  Packing packing);

/// Everything but the right-hand side is addressed by strides alone, and that
/// one, if it is not packed, by the stride of its columns. With `joinsSteps`,
/// several steps of k are read at once, which must lie together.
bool canAddressProduct(kernel::GroupOp group, unsigned index,
                       memory::BufferType type, bool joinsSteps);

} // namespace tenon::codegen

#endif // TENON_PASSES_CODEGENCPU_CONTRACTION_PLAN_H
