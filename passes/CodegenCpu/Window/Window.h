//===- Window.h - kernels of pools and depthwise convolutions ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares what the parts of the window emitter share.
//===----------------------------------------------------------------------===//
#ifndef TENON_PASSES_CODEGENCPU_WINDOW_WINDOW_H
#define TENON_PASSES_CODEGENCPU_WINDOW_WINDOW_H

#include "dialects/Graph/Graph.h"
#include "lib/Tile/Rows.h"
#include "passes/CodegenCpu/Contraction/EpilogueTile.h"
#include "passes/CodegenCpu/Layout/Halo.h"
#include "passes/CodegenCpu/Strategy.h"

namespace tenon::codegen {

/// One spatial dimension of a window.
struct WindowDim {
  Size input = 1, output = 1;
  int64_t kernel = 1, stride = 1, dilation = 1;
  int64_t padBefore = 0, padAfter = 0;
  Size pitch = 0;                    ///< stride of the input, in elements
  int64_t tapPitch = 0;              ///< stride of the filter, in elements
  llvm::SmallVector<Size, 6> result; ///< strides of the result's tensors

  bool isFixed() const { return input.isFixed() && output.isFixed(); }
  /// Inputs from the first to the last tap.
  int64_t span() const { return (kernel - 1) * dilation + 1; }
  /// Outputs `[first, second)` have no tap outside of the input. It must be
  /// fixed.
  std::pair<int64_t, int64_t> interior() const;
  /// Whether no output has one outside.
  bool staysInside() const;
};

/// Combines the taps of a window into the accumulator. A depthwise convolution
/// may also mix the channels of groups that fill a vector.
enum class WindowKind { Max, Average, Depthwise };

/// A window over up to three spatial dimensions (unused ones have extent 1);
/// channels are contiguous and run along vectors.
struct WindowNest {
  WindowKind kind;
  std::array<WindowDim, 3> dims;
  Size images = 1;
  int64_t channels = 1;
  Size imagePitch = 0, inputOffset = 0;
  int64_t filterOffset = 0;
  int64_t filterChannel = 1; ///< stride of vectors of channels, by channels
  int64_t filterLane = 1;    ///< stride of channels in a vector
  int64_t multiplier = 1;    ///< outputs per input channel
  int64_t mixed = 1;         ///< channels of a group, which each output sums
  int64_t filterMixed = 0;   ///< stride of the filter along them
  bool paddedFilter = false; ///< whole vectors may be read past the channels
  bool countsPadding = false;
  llvm::SmallVector<Size, 6> imageResult, channelResult;

  int64_t taps() const {
    return dims[0].kernel * dims[1].kernel * dims[2].kernel;
  }
  /// Of the input and the result.
  int64_t mapBytes(Type element) const;
  /// Whether each window lies in one plane of the first dimension.
  bool isFlat() const;
  Size planes() const { return images * dims[0].output; }
  /// Whether rows and pixels are counted now.
  bool hasFixedMap() const { return dims[1].isFixed() && dims[2].isFixed(); }
  /// Whether everything is.
  bool isFixed() const {
    return hasFixedMap() && dims[0].isFixed() && images.isFixed();
  }
  /// Whether the taps along the width are emitted one by one.
  bool unrollsRow() const { return dims[2].kernel <= 11; }
  /// Whether all taps of a tile are emitted one by one where all exist.
  bool unrollsTile(int64_t rows, int64_t pixels) const;
};

/// What the planner chose: `pixels` by `vectors` accumulators, and whether
/// their rows ask for what the next ones need. With `columns` (Columns.h) a
/// register tile is `height` rows by `pixels`. A unit is a row, or a group of
/// them, `across` tiles of pixels long and `block` vectors of channels deep.
/// Units follow each other down a band of rows, then along it
/// (lib/Tile/Window.h); a launch tile is `rows` of them. Where tiles of
/// columns roll down (Roll.cpp), a unit is all rows of a band. A call that has
/// all units walks each map as one band.
struct WindowPlan {
  int64_t lanes = 1, pixels = 1, vectors = 1, rows = 1;
  int64_t prefetch = 0;    ///< how often a tile asks
  bool asksResults = true; ///< also for where results are stored
  bool columns = false, rolls = false;
  int64_t height = 1, block = 1, across = 1, band = 1;

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

/// Calls `visit(name, field)` for every number of a plan.
template <typename Plan, typename Visit>
  requires std::is_same_v<std::remove_const_t<Plan>, WindowPlan>
void visitFields(Plan &plan, Visit visit) {
  visit("lanes", plan.lanes);
  visit("pixels", plan.pixels);
  visit("vectors", plan.vectors);
  visit("rows", plan.rows);
  visit("prefetch", plan.prefetch);
  visit("results", plan.asksResults);
  visit("columns", plan.columns);
  visit("rolls", plan.rolls);
  visit("height", plan.height);
  visit("block", plan.block);
  visit("across", plan.across);
  visit("band", plan.band);
}

/// Where a convolution's windows hang over its input, they read zeros that lie
/// around it, or what emits them leaves those taps out.
enum class Border { Halo, Clipped };

/// The nest of a pool or depthwise convolution; the input and filter lie as
/// given (`filter` may be null), `tensors` are addressed by the result.
mlir::FailureOr<WindowNest>
buildWindowNest(mlir::Operation *op, memory::BufferType input,
                memory::BufferType filter, bool packed,
                llvm::ArrayRef<IndexedTensor> tensors,
                Border border = Border::Halo);

/// The type that taps are combined in. Averages of integers are sums of 64 bits
/// and a division.
Type windowAccumulator(WindowKind kind, Type element);

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

/// Whether the lanes of a convolution are its groups, or channels that are
/// mixed inside of vectors.
bool hasLanesOfGroups(graph::ConvOp conv);

/// The pool or convolution of a group, which reads the group's operands; null
/// after a diagnostic.
mlir::Operation *windowAnchor(kernel::GroupOp group);

/// Whether a filter may be packed at compile time: a constant that nothing else
/// in the group reads.
bool canPackFilter(kernel::GroupOp group, mlir::BlockArgument filter);

/// The depthwise filter as `[vector][tap][mixed][lane]`: a tile reads what lies
/// together, and the next one what follows.
mlir::DictionaryAttr packFilter(graph::ConvOp conv, int64_t lanes);

/// Channels of the input are neighbours; a filter lies as it was planned.
bool canAddressWindow(kernel::GroupOp group, unsigned index,
                      memory::BufferType type);

/// The strategies' two functions; the plan carries the name of the strategy.
mlir::FailureOr<StagePlan> planWindow(const PlanRequest &request,
                                      llvm::StringRef name);
mlir::FailureOr<StageInfo> emitWindow(const StageRequest &request);

} // namespace tenon::codegen

#endif // TENON_PASSES_CODEGENCPU_WINDOW_WINDOW_H
