//===- MatrixUnit.h - contractions on a unit for bf16 -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares how a contraction is planned and emitted as six products
// of bf16: see lib/Tile/MatrixUnit.h.
//===----------------------------------------------------------------------===//
#ifndef TENON_PASSES_CODEGENCPU_MATRIXUNIT_MATRIXUNIT_H
#define TENON_PASSES_CODEGENCPU_MATRIXUNIT_MATRIXUNIT_H

#include "lib/Tile/MatrixUnit.h"
#include "passes/CodegenCpu/Contraction/Epilogue.h"
#include "passes/CodegenCpu/Contraction/Plan.h"

namespace tenon::codegen {

/// Name of the algorithm in `#kernel.plan<bf16x6, ...>` of contractions.
inline constexpr llvm::StringLiteral bf16x6Name = "bf16x6";

/// A plan, and the cycles that it is expected to take.
struct MatrixUnitChoice {
  PlanResult result;
  double cycles;
};

/// A plan for a contraction group on the target's matrix unit; none when it has
/// no such unit or the group would not gain.
std::optional<MatrixUnitChoice> planMatrixUnit(kernel::GroupOp group,
                                               const tile::Target &target);

/// Emits a group that `planMatrixUnit` has planned.
mlir::FailureOr<EmitResult> emitMatrixUnit(const EmitRequest &request,
                                           const ContractionOperands &at,
                                           ContractionNest nest,
                                           Epilogue epilogue);

} // namespace tenon::codegen

#endif // TENON_PASSES_CODEGENCPU_MATRIXUNIT_MATRIXUNIT_H
