//===- Emit.h - builds the code of a window kernel --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares the emitter that Units.cpp (what a call has to do),
// Window.cpp (rows, single windows), Pool.cpp (tiles of columns), Roll.cpp
// (those that roll down), Symbols.cpp (images of any size) and Inputs.cpp (what
// a tile reads) define.
//===----------------------------------------------------------------------===//
#ifndef TENON_PASSES_CODEGENCPU_WINDOW_EMIT_H
#define TENON_PASSES_CODEGENCPU_WINDOW_EMIT_H

#include "passes/Codegen/Builder/LongSum.h"
#include "passes/CodegenCpu/Window/Columns.h"

namespace tenon::codegen {

/// Emits one kernel: loops over rows of results, or groups of them, over blocks
/// of pixels and of channel vectors. Where a tap can fall outside of the input,
/// its range is clipped per row and, at the left and right border, per pixel.
class WindowEmitter {
public:
  WindowEmitter(const StageRequest &request, WindowNest nest, WindowPlan plan,
                Epilogue epilogue)
      : nest(std::move(nest)), plan(plan), combines(plan.columns),
        anchor(kernel::GroupOp(request.group).getAnchor()),
        output(std::move(epilogue), plan.height * plan.pixels * plan.vectors),
        b(request.b), element(elementOf(anchor->getOperand(0))),
        taps(b, this->nest, plan.lanes, element) {
    auto argument = [&](unsigned i) {
      return llvm::cast<mlir::BlockArgument>(anchor->getOperand(i))
          .getArgNumber();
    };
    input = b.buffer(argument(0));
    if (this->nest.kind == WindowKind::Depthwise)
      filter = b.buffer(argument(1));
  }

  mlir::FailureOr<StageInfo> emit();

private:
  /// The taps of one dimension that fall inside, and where tap 0 reads.
  struct TapRange {
    Value begin, end;
    Value position; ///< input coordinate of tap 0, possibly negative
    Value counted;  ///< taps that an average divides by
  };

  /// A row of outputs, or `count` neighbouring ones.
  struct Row {
    Value input; ///< element index of the image
    Values result;
    TapRange depth, height;
    int64_t count = 1;
    bool wholeHeight = false; ///< all kernel rows exist
    /// The channels that are worked on: whole vectors, and what is left after
    /// them in the last block.
    Value channel, channelEnd, isLastBlock;
    Value firstTile;  ///< of pixels
    Value first, end; ///< rows of the band
  };

  /// Where a tap reads: element indices, and the kernel's row.
  struct Place {
    Value input, weight, tapRow = {};
  };
  using RowBody = llvm::function_ref<Values(Place at, ValueRange sums)>;

  static Type elementOf(Value tensor) {
    return llvm::cast<mlir::RankedTensorType>(tensor.getType())
        .getElementType();
  }
  /// Whether windows hang over the input in a dimension. A convolution's rows
  /// have zeros to the left and right.
  bool clips(size_t i) const {
    return (nest.kind != WindowKind::Depthwise || i < 2) &&
           !nest.dims[i].staysInside();
  }
  /// Whether a tile asks for the next rows in shares, one beside the
  /// multiply-adds of each kernel row: all at once finds miss buffers taken.
  bool spreadsAsking() const { return nest.kind == WindowKind::Depthwise; }
  /// The input coordinate of an output's tap 0.
  Value firstInput(size_t i, Value output);
  TapRange range(const WindowDim &dim, Value position, bool clip);
  TapRange rangeAt(size_t i, Value output, bool clip);
  void emitRows(Interval units);
  void emitBands(Interval units);
  Row planeAt(Value plane);
  void setPiece(Row &row, Value span, Value block);
  void emitUnit(const Row &row, Value unit);
  void askForWeights(const Row &row, Value y);
  Row rowAt(Row row, Value y, int64_t count, bool clip);
  void emitPixels(const Row &row);
  void emitTiles(const Row &row);
  void emitInterior(const Row &row, int64_t first, int64_t last);
  void emitEdges(const Row &row, int64_t first, int64_t last);
  Interval interiorOf(size_t i);
  void emitAnyRows(const Row &image, Value group);
  void emitAnyInterior(const Row &row);
  void emitAnyEdges(const Row &row);
  void emitChannels(const Row &row, Value x, int64_t pixels, bool edge);
  void emitBlock(const Row &row, Value x, int64_t pixels, bool edge);
  int64_t lanesOfLast(const WindowTile &tile) const;
  void emitLast(const Row &row, Value x, Value channel, const WindowTile &tile);
  void emitTile(const Row &row, Value x, Value channel, const WindowTile &tile);
  void emitDown(const Row &row, Value x, Value channel, const WindowTile &tile);
  Values enterLine(Value base, int64_t tap, const WindowTile &tile,
                   ValueRange open);
  Value inputChannel(Value channel);
  Place startOf(const Row &row, Value channel);
  Values overRows(const Row &row, size_t i, Place at, ValueRange init,
                  RowBody body);
  int64_t termsFrom(size_t i) const;
  Values overTaps(size_t i, const TapRange &range, mlir::ValueRange init,
                  llvm::function_ref<Values(Value, mlir::ValueRange)> body);
  Values tapRow(const TapRange &width, Place at, ValueRange init,
                const WindowTile &tile);
  Values accumulate(const Row &row, Value x, Value channel,
                    const WindowTile &tile);
  void prefetchNext(const Row &row, Value x, Value channel,
                    const WindowTile &tile, Value tapRow = {});
  Values overColumns(const Row &row, Value position, Value channel,
                     const WindowTile &tile);
  Values overKnownRows(const Row &row, Value start,
                       const WindowColumns &columns);
  void average(const Row &row, Value position, const WindowTile &tile,
               Values &sums);
  EpilogueTile resultTile(const Row &row, Value x, Value channel,
                          const WindowTile &tile);

  WindowNest nest;
  WindowPlan plan;
  bool combines; ///< columns, in the tile at hand
  mlir::Operation *anchor;
  TileStore output;
  KernelBuilder &b;
  Type element;
  WindowTaps taps;
  Value input, filter;
};

} // namespace tenon::codegen

#endif // TENON_PASSES_CODEGENCPU_WINDOW_EMIT_H
