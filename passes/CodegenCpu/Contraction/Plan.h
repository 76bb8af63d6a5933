//===- Plan.h - plans of contraction groups ---------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares how a contraction group is read and its plan is kept.
//===----------------------------------------------------------------------===//
#ifndef TENON_PASSES_CODEGENCPU_CONTRACTION_PLAN_H
#define TENON_PASSES_CODEGENCPU_CONTRACTION_PLAN_H

#include "passes/CodegenCpu/Contraction/Nest.h"
#include "passes/CodegenCpu/Emitter.h"
#include "passes/CodegenCpu/PlanAttribute.h"

namespace tenon::codegen {

/// The anchor, and which operands of the group it multiplies.
struct ContractionOperands {
  mlir::Operation *anchor;
  unsigned lhs, rhs;
};

/// Fails with a diagnostic when the group has no contraction of its operands.
mlir::FailureOr<ContractionOperands> contractionOperands(kernel::GroupOp group);

/// Whether the right operand may be packed at compile time: a constant that
/// nothing else in the group reads.
bool canPack(kernel::GroupOp group, const ContractionOperands &at);

/// The nest if all buffers are as asked for, with `padding` elements behind
/// each row of A, and with each dimension for itself where it is `loose`.
mlir::FailureOr<ContractionNest> idealNest(const ContractionOperands &at,
                                           bool packed, int64_t padding = 0,
                                           bool loose = false);

/// What that nest asks of a plan.
tile::ContractionProblem problemOf(const ContractionOperands &at,
                                   const ContractionNest &nest,
                                   kernel::GroupOp group);

/// Estimated cycles of the group's plan for vectors; none if it has no nest.
std::optional<double> vectorCycles(kernel::GroupOp group,
                                   const ContractionOperands &at,
                                   const tile::Target &target);

/// With what a contraction needs around it: zeros around A, and B in panels
/// where it can be packed.
PlanResult resultOf(kernel::GroupOp group, const ContractionOperands &at,
                    kernel::PlanAttr plan, Packing packing);

/// Whether panels of the right operand must be packed in the kernel, since its
/// columns are not contiguous.
bool needsPacking(const ContractionNest &nest);

/// How a plan wants a constant right operand.
Packing packingOf(const tile::ContractionPlan &plan);

/// The emitter's two functions.
mlir::FailureOr<PlanResult> planContraction(kernel::GroupOp group,
                                            const tile::Target &target);
mlir::FailureOr<EmitResult> emitContraction(const EmitRequest &request);

} // namespace tenon::codegen

#endif // TENON_PASSES_CODEGENCPU_CONTRACTION_PLAN_H
