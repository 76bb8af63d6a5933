//===- Winograd.h - convolutions by minimal filtering -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares how a convolution is planned and emitted with fewer
// products: see lib/Tile/Winograd.h.
//===----------------------------------------------------------------------===//
#ifndef TENON_PASSES_CODEGENCPU_WINOGRAD_WINOGRAD_H
#define TENON_PASSES_CODEGENCPU_WINOGRAD_WINOGRAD_H

#include "dialects/Graph/Graph.h"
#include "lib/Tile/Winograd.h"
#include "passes/Codegen/Bodies/Epilogue.h"
#include "passes/Codegen/Groups/WindowGeometry.h"
#include "passes/CodegenCpu/Contraction/Plan.h"

namespace tenon::codegen {

/// The spatial dimensions that are filtered, one or two: the last ones, but for
/// those with a single tap, if they have stride 1 and as many taps both. None
/// when the convolution cannot be computed with Winograd.
llvm::SmallVector<unsigned, 2> filteredDims(graph::ConvOp conv);

/// The problem of a convolution of known sizes.
tile::WinogradProblem winogradProblem(graph::ConvOp conv);
/// The windows of tiles: those beyond the result's end count as outputs, so
/// that the input's halo covers them, of any size where that is not known.
mlir::FailureOr<WindowGeometry> winogradGeometry(graph::ConvOp conv, int64_t m);

/// Asks for the halo that images of any size need.
void widenWinogradHalo(kernel::GroupOp group, StagePlan &plan);

/// The strategy's two functions.
PlannedChoices planWinograd(const PlanRequest &request);
mlir::FailureOr<StageInfo> emitWinograd(const StageRequest &request);

} // namespace tenon::codegen

#endif // TENON_PASSES_CODEGENCPU_WINOGRAD_WINOGRAD_H
