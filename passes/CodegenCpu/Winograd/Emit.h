//===- Emit.h - builds the code of a winograd kernel ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares the emitter that Winograd.cpp (blocks, products),
// Inputs.cpp and Outputs.cpp (the two transforms), PlainSums.cpp (tiles whose
// numbers are not all finite) and Symbols.cpp (what only the run counts)
// define.
//===----------------------------------------------------------------------===//
#ifndef TENON_PASSES_CODEGENCPU_WINOGRAD_EMIT_H
#define TENON_PASSES_CODEGENCPU_WINOGRAD_EMIT_H

#include "dialects/Graph/Graph.h"
#include "dialects/Kernel/Buffers.h"
#include "passes/CodegenCpu/Contraction/EpilogueTile.h"
#include "passes/CodegenCpu/Winograd/Winograd.h"

namespace tenon::codegen {

/// Units that go through the steps together, [first, last).
struct UnitBlock {
  Value first, last;
};

/// What a call has of the units and of the panels of filters.
struct WinogradShare {
  Interval units, panels;
};

/// A panel of filters: among all, its group, and which it is in there.
struct FilterPanel {
  Value number, group, inGroup;
};

/// One tile: which, and where it lies in the scratch.
struct TilePlace {
  Value number, inputs, products;
};

/// Outputs of one tile and vector of filters, and where they go.
struct TileOutputs {
  Values values; ///< row-major
  EpilogueTile tile;
  const Values &base; ///< of the first output in each tensor
  ValueRange position;
};

/// Points of a square of `count` each way, or of a line of them, `steps` apart,
/// row-major.
class PointGrid {
public:
  PointGrid(llvm::ArrayRef<Size> steps, int64_t count)
      : steps(steps), count(count) {}

  int64_t size() const { return tile::windowSize(count, steps.size()); }
  /// Point `number` of those from a pointer on, or from an element on; or one
  /// `further` along the last dimension.
  Value at(KernelBuilder &b, Value from, int64_t number, Type element,
           int64_t further = 0) const;
  Value index(KernelBuilder &b, Value from, int64_t number) const;

private:
  /// The known part of a point's distance; `other` gets steps that are not.
  int64_t walk(int64_t number, int64_t further,
               llvm::function_ref<void(int64_t, const Size &)> other) const;

  Sizes steps;
  int64_t count;
};

/// Emits one kernel: see Winograd.cpp.
class WinogradEmitter {
public:
  WinogradEmitter(const StageRequest &request, const ContractionOperands &at,
                  const WindowGeometry &geometry,
                  const tile::WinogradProblem &problem, Epilogue epilogue)
      : conv(llvm::cast<graph::ConvOp>(at.anchor)), at(at), geometry(geometry),
        input(request.operands[at.lhs]), dims(filteredDims(conv)),
        problem(problem), plan(fromAttribute<tile::WinogradPlan>(request.plan)),
        units(tile::winogradUnits(problem, plan)),
        matrices(tile::winogradMatrices(plan.m, problem.taps)),
        sizes(tile::winogradScratch(problem, plan)),
        groupPanels(tile::ceilDiv(problem.filters, plan.tile.panel)),
        output(std::move(epilogue), plan.m), b(request.b) {
    element = input.getElementType();
    vector = b.vectorType(element, plan.tile.lanes);
    resultSizes = graph::sizesOf(conv.getType());
    inputStrides = kernel::stridesOf(input);
    findTiles();
  }

  mlir::FailureOr<StageInfo> emit();

private:
  void findTiles();
  void countUnits();
  StageInfo shareOut(WinogradShare &share);
  WinogradShare shareOf(Interval tiles);
  Value startOf(Value unit);
  void forHeights(Value unit, llvm::function_ref<void(int64_t)> emit);
  int64_t points() const { return problem.points(plan.m); }
  Values transform(const tile::Matrix &matrix, ValueRange values);
  void emitBlocks(const WinogradShare &share);
  void emitBlock(UnitBlock block, const Interval &panels);
  void forTiles(UnitBlock block, llvm::function_ref<void(TilePlace)> body);
  Values positionOf(Value tile);
  Value inputAddress(Value tile);
  Value windowOffset(Value window);
  int64_t channelStride() const;
  PointGrid inputGrid() const;
  void transformInput(const TilePlace &tile);
  void transformWindow(Value from, Value to);
  void askForInputs(Value from);
  void transformChannels(Value from, Value to, int64_t count);
  void multiply(UnitBlock block, const FilterPanel &panel);
  void multiplyUnit(UnitBlock block, const FilterPanel &panel, Value point,
                    Value unit, int64_t height, int64_t vectors);
  void transformOutput(const TilePlace &tile, const FilterPanel &panel);
  void storeFilters(const Values &values, const Values &base,
                    ValueRange position, int64_t count);
  Values outputsOf(const TilePlace &tile, const FilterPanel &panel,
                   Value offset);
  Value areFinite(ValueRange outputs);
  Values plainSums(const TilePlace &tile, const FilterPanel &panel,
                   Value offset);
  Values addChannel(Value from, Value filters, ValueRange exist,
                    ValueRange sums);
  Values tapsExist(Value window);
  void askForOutputs(Value first);
  void storeRows(TileOutputs &outputs);
  void storeRow(TileOutputs &outputs, int64_t y);
  void storeWidths(TileOutputs &outputs, int64_t y,
                   llvm::ArrayRef<int64_t> widths);
  void storeAnyWidth(TileOutputs &outputs, int64_t y);
  void storeWidth(TileOutputs &outputs, int64_t y, int64_t x, int64_t width);
  const Size &extentOf(unsigned dim) const {
    return resultSizes[dims[dim] + 1];
  }
  int64_t leastOutputs(unsigned dim) const;
  Value exists(const TileOutputs &outputs, unsigned dim, int64_t number);
  Sizes resultStrides(unsigned dim) const;
  Sizes outputStrides(unsigned number) const;

  graph::ConvOp conv;
  ContractionOperands at;
  WindowGeometry geometry;
  memory::BufferType input;
  llvm::SmallVector<unsigned, 2> dims; ///< filtered, of the spatial ones
  tile::WinogradProblem problem;
  tile::WinogradPlan plan;
  tile::EvenSplit units; ///< where all extents are known
  tile::WinogradMatrices matrices;
  tile::WinogradScratch sizes;
  int64_t groupPanels; ///< of one group
  TileStore output;
  KernelBuilder &b;
  Type element, vector;
  Sizes resultSizes, inputStrides;
  Sizes tileExtents; ///< of all tiles, see positionOf
  Size tileCount, unitCount;
  Value unitHeight, tallUnits; ///< null: as `units` says
  Value transformed, products; ///< in the thread's scratch
};

} // namespace tenon::codegen

#endif // TENON_PASSES_CODEGENCPU_WINOGRAD_EMIT_H
