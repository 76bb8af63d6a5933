//===- Window.h - kernels of pools and depthwise convolutions ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares what the parts of the window emitter share.
//===----------------------------------------------------------------------===//
#ifndef TENON_PASSES_CODEGENCPU_WINDOW_WINDOW_H
#define TENON_PASSES_CODEGENCPU_WINDOW_WINDOW_H

#include "dialects/Graph/Graph.h"
#include "lib/Tile/Rows.h"
#include "lib/Tile/WindowPlan.h"
#include "passes/Codegen/Groups/WindowGroup.h"
#include "passes/Codegen/Groups/WindowNest.h"
#include "passes/Codegen/Strategy.h"
#include "passes/CodegenCpu/Contraction/EpilogueTile.h"

namespace tenon::codegen {

/// What the planner chose (lib/Tile/WindowPlan.h), and the units that follow of
/// it. Columns.h has columns, Roll.cpp what rolls down.
struct WindowPlan : tile::WindowPlan {
  /// Rows of results, or groups of them.
  Size heightUnits(const WindowNest &nest) const;
  /// Their bands, of `band` at most.
  tile::EvenSplit bands(const WindowNest &nest) const;
  /// Units that follow each other down a band, at most.
  int64_t bandUnits(const WindowNest &nest) const;
  int64_t blocks(const WindowNest &nest) const;
  int64_t spans(const WindowNest &nest) const;
  /// Of a row: spans of pixels, of each all blocks of channels.
  int64_t pieces(const WindowNest &nest) const {
    return spans(nest) * blocks(nest);
  }
  Size units(const WindowNest &nest) const;
};

/// A nest as the rules of plans see it.
tile::WindowMap windowMap(const WindowNest &nest, Type element);

/// Chooses lanes, register tile and rows. `distance` bytes went through the
/// caches since the input was touched.
WindowPlan planWindowTile(const WindowNest &nest, Type element,
                          const tile::Target &target, int64_t distance);

/// Whether tiles of columns roll down a map, where `met` bytes went through the
/// caches since it was touched, it and the result included, and how (Roll.cpp).
bool canRoll(const WindowNest &nest, Type element, const tile::Target &target,
             int64_t met);
void planRoll(const WindowNest &nest, const tile::Target &target,
              WindowPlan &plan);

/// Makes a plan, of a typical instance, one for all sizes of `nest`.
void adaptPlan(const WindowNest &nest, const tile::Target &target,
               WindowPlan &plan);

/// Whether the code may have the batch and the extents of images come in with
/// the call.
bool takesSymbolicWindow(kernel::GroupOp group);

/// The strategies' two functions; the plan carries the name of the strategy.
mlir::FailureOr<StagePlan> planWindow(const PlanRequest &request,
                                      llvm::StringRef name);
mlir::FailureOr<StageInfo> emitWindow(const StageRequest &request);

} // namespace tenon::codegen

#endif // TENON_PASSES_CODEGENCPU_WINDOW_WINDOW_H
