//===- Stencil.h - windows over images of one channel -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares the kernels of windows whose lanes run along the rows of
// an image: where there is one channel, nothing else can fill a vector.
//
//   out[y][x ...] = sum w[i][j] in[y + i][x + j ...]     unaligned loads
//
// They clip windows at the border themselves and ask for no halo, so that an
// image that comes from outside needs no copy.
//===----------------------------------------------------------------------===//
#ifndef TENON_PASSES_CODEGENCPU_WINDOW_STENCIL_H
#define TENON_PASSES_CODEGENCPU_WINDOW_STENCIL_H

#include "passes/Codegen/Bodies/WindowTaps.h"
#include "passes/CodegenCpu/Window/Window.h"

namespace tenon::codegen {

/// A register tile is `height` rows by `vectors`; a launch tile is `rows`
/// groups of so many rows.
struct StencilPlan {
  int64_t lanes = 1, height = 1, vectors = 1, rows = 1;
};

/// Calls `visit(name, field)` for every number of a plan.
template <typename Plan, typename Visit>
  requires std::is_same_v<std::remove_const_t<Plan>, StencilPlan>
void visitFields(Plan &plan, Visit visit) {
  visit("lanes", plan.lanes);
  visit("height", plan.height);
  visit("vectors", plan.vectors);
  visit("rows", plan.rows);
}

/// How the rows of results are cut: `before` and `after` the groups of whole
/// height, whose windows lie inside, they are units of their own.
struct StencilRows {
  int64_t before = 0, groups = 0, height = 1, after = 0;

  static StencilRows of(const WindowDim &dim, int64_t height);
  int64_t units() const { return before + groups + after; }
};

/// How the vectors of a row are cut: all windows of those in [first, last) lie
/// inside, and the others hang over the border or are not whole.
struct StencilRow {
  int64_t first = 0, last = 0, count = 0;

  static StencilRow of(const WindowDim &dim, int64_t lanes);
};

StencilPlan planStencilTile(const WindowNest &nest, const tile::Target &target);

/// Emits one kernel.
class StencilEmitter {
public:
  StencilEmitter(const StageRequest &request, WindowNest nest, StencilPlan plan,
                 Epilogue epilogue);

  mlir::FailureOr<StageInfo> emit();

private:
  /// Neighbouring rows of results.
  struct Row {
    Value input; ///< the address of the first window's first row
    Values result;
    int64_t count = 1;
    /// The kernel rows of a single one that exist, and how many an average
    /// divides by.
    Value begin, end, counted;
  };
  /// `count` vectors from number `x` on; at the border `at` is this number.
  struct Span {
    Value x;
    int64_t count = 1;
    std::optional<int64_t> at = {};
  };

  void emitUnit(Value plane, Value unit);
  Row rowAt(Value plane, Value y, int64_t count);
  void clip(Row &row, Value y);
  void emitRow(const Row &row);
  void emitSpan(const Row &row, Span span);
  /// A sum that reads an input row, with these weights.
  struct Use {
    Value *sum;
    Value weights;
  };

  Values ofRows(const Row &rows, Span span);
  Values ofOneRow(const Row &rows, Span span);
  void enter(Value line, Span span, int64_t vector, llvm::ArrayRef<Use> uses);
  Value weightsOf(Value kernelRow);
  Value input(Value line, Span span, int64_t vector, int64_t tap);
  Value atBorder(Value line, int64_t position, int64_t stride);
  Value pieceAt(Value line, int64_t position);
  void average(const Row &rows, Span span, Values &sums);
  void divide(Values &sums, Value rows, llvm::ArrayRef<int64_t> columns);
  llvm::SmallVector<int64_t> counts(int64_t vector) const;
  bool isAtBorder(Span span, int64_t vector) const {
    if (!span.at)
      return false;
    int64_t at = *span.at + vector;
    return at < row.first || at >= row.last;
  }
  bool isConv() const { return nest.kind == WindowKind::Depthwise; }

  WindowNest nest;
  StencilPlan plan;
  mlir::Operation *anchor;
  TileStore output;
  KernelBuilder &b;
  Type element, vector;
  WindowTaps taps;
  StencilRows rows;
  StencilRow row;
  Value image, filter;
};

} // namespace tenon::codegen

#endif // TENON_PASSES_CODEGENCPU_WINDOW_STENCIL_H
