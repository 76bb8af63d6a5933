//===- Dots.h - contractions to one column ----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TENON_PASSES_CODEGENCPU_CONTRACTION_DOTS_H
#define TENON_PASSES_CODEGENCPU_CONTRACTION_DOTS_H

#include "passes/Codegen/Bodies/Epilogue.h"
#include "passes/CodegenCpu/Contraction/Plan.h"

namespace tenon::codegen {

/// The kernel of a contraction whose result has one column. Where k is
/// contiguous, the vectors of a block of rows meet those of the column:
///
///   for k in vectors:           B       x    (lanes along k)
///     x = B[k]              A
///     for each row i:       A[0,k] ->  acc0      acc0..3 -> their sums as
///       acc[i] += A[i,k]*x  A[1,k] ->  acc1      the lanes of one vector
///
/// Where rows are contiguous instead, lanes run along the rows.
mlir::FailureOr<StageInfo> emitDots(const StageRequest &request,
                                    const ContractionOperands &at,
                                    const ContractionNest &nest,
                                    Epilogue epilogue);

} // namespace tenon::codegen

#endif // TENON_PASSES_CODEGENCPU_CONTRACTION_DOTS_H
