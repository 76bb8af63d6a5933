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
#include "passes/CodegenCpu/Contraction/Epilogue.h"
#include "passes/CodegenCpu/Contraction/Plan.h"
#include "passes/CodegenCpu/Layout/Halo.h"

namespace tenon::codegen {

/// Name of the algorithm in `#kernel.plan<winograd, ...>` of contractions.
inline constexpr llvm::StringLiteral winogradName = "winograd";

/// A plan for a contraction group by minimal filtering; none when the group is
/// no such convolution or would not gain, also over `otherCycles`, if any.
std::optional<PlanResult> planWinograd(kernel::GroupOp group,
                                       const tile::Target &target,
                                       tile::WinogradUse use,
                                       std::optional<double> otherCycles);

/// The spatial dimensions that are filtered, one or two: the last ones, but for
/// those with a single tap, if they have stride 1 and as many taps both. None
/// when the convolution cannot be filtered minimally.
llvm::SmallVector<unsigned, 2> filteredDims(graph::ConvOp conv);

/// The problem of a convolution, and the windows of its tiles: those beyond the
/// result's end count as outputs, so that the input's halo covers them.
tile::WinogradProblem winogradProblem(graph::ConvOp conv);
mlir::FailureOr<WindowGeometry> winogradGeometry(graph::ConvOp conv, int64_t m);

/// Emits a group that `planWinograd` has planned.
mlir::FailureOr<EmitResult> emitWinograd(const EmitRequest &request,
                                         const ContractionOperands &at,
                                         Epilogue epilogue);

} // namespace tenon::codegen

#endif // TENON_PASSES_CODEGENCPU_WINOGRAD_WINOGRAD_H
