//===- MatrixUnit.h - contractions on a unit for bf16 -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares how a contraction is planned and emitted as six products
// of bf16: see lib/Tile/MatrixUnit.h.
//===----------------------------------------------------------------------===//
#ifndef TENON_PASSES_CODEGENCPU_MATRIXUNIT_MATRIXUNIT_H
#define TENON_PASSES_CODEGENCPU_MATRIXUNIT_MATRIXUNIT_H

#include "lib/Tile/MatrixUnit.h"
#include "passes/Codegen/Bodies/Epilogue.h"
#include "passes/CodegenCpu/Contraction/Plan.h"

namespace tenon::codegen {

/// The strategy's two functions.
PlannedChoices planMatrixUnit(const PlanRequest &request);
mlir::FailureOr<StageInfo> emitMatrixUnit(const StageRequest &request);

} // namespace tenon::codegen

#endif // TENON_PASSES_CODEGENCPU_MATRIXUNIT_MATRIXUNIT_H
