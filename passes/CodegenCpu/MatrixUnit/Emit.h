//===- Emit.h - builds the code of a matrix unit ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares the emitter that MatrixUnit.cpp (blocks, panels), Kept.cpp
// (B split once), Operands.cpp (splitting), Products.cpp and Results.cpp
// define.
//===----------------------------------------------------------------------===//
#ifndef TENON_PASSES_CODEGENCPU_MATRIXUNIT_EMIT_H
#define TENON_PASSES_CODEGENCPU_MATRIXUNIT_EMIT_H

#include "passes/CodegenCpu/Contraction/EpilogueTile.h"
#include "passes/CodegenCpu/Contraction/Place.h"
#include "passes/CodegenCpu/MatrixUnit/MatrixUnit.h"
#include <numeric>

namespace tenon::codegen {

/// Steps of k, [first, last).
struct Steps {
  Value first, last;
};

/// Where one step is: elements from the start of k, and how many there are of
/// the run from there on.
struct StepPlace {
  Value lhs, rhs, left;
};

/// Rows whose A is split at once.
struct SquareBlock {
  Place origin; ///< of its batch
  Value batch, rowTile, tiles;
};

/// Tiles of a square in each direction: 2, or 1 where no more has results.
struct Halves {
  int64_t rows, columns;
};

/// A panel of a block.
struct Panel {
  Place place; ///< at the panel's first column
  Value number;
};

/// A part of what is multiplied next, which is split while the unit works:
/// `each` lines of pieces beside a step of k, of those from `first` on to
/// `end`.
struct Share {
  Value each, first, end;
  llvm::function_ref<void(Value line)> split; ///< null: none
};

/// Some steps of a panel, whose B is split at once.
struct Chunk {
  Value panel; ///< its number
  Steps steps, pass;
  Value turn; ///< how many came before in the pass
};

/// What is multiplied for the sums of a square.
struct Product {
  Value lhs, rhs;         ///< pieces
  Value nextLhs, nextRhs; ///< of the next product; null: they lie behind
  Value sums;
  Steps steps;
  Halves halves = {2, 2};
};

/// Emits one kernel: see MatrixUnit.cpp.
class MatrixUnitEmitter {
public:
  MatrixUnitEmitter(const StageRequest &request, ContractionOperands at,
                    ContractionNest nest, Epilogue epilogue)
      : at(at), nest(std::move(nest)),
        plan(fromAttribute<tile::MatrixUnitPlan>(request.plan)),
        grid(this->nest.stepsProblem()), isOpen(this->nest.isSymbolic()),
        batches(extentOf(this->nest.batch)), rows(extentOf(this->nest.rows)),
        rowTiles(rows.ceilDiv(MatrixSquare::rows)),
        sharedSums(request.operands.size() + request.results.size()),
        rhsType(memory::BufferType(request.operands[at.rhs]).getElementType()),
        output(std::move(epilogue), mostStored * MatrixSquare::columns / lanes),
        b(request.b) {
    innerResult = this->nest.rowDim(1).result;
    // A run may have few rows, of which threads take columns.
    plan.byRows &= !isOpen || plan.keepsColumns;
    byte = b.builder().getI8Type();
    f32 = b.f32Type();
  }

  mlir::FailureOr<StageInfo> emit();

private:
  using MatrixSquare = tile::MatrixSquare;
  static constexpr int64_t lanes = 16;
  /// Of the pieces of 16 rows or columns.
  static constexpr int64_t halfBytes = MatrixSquare::stepBytes / 2;
  /// Of a row of the sums of a square.
  static constexpr int64_t sumPitch = MatrixSquare::columns * 4;
  /// Of B in a step.
  static constexpr int64_t stepElements =
      MatrixSquare::depth * MatrixSquare::columns;
  /// Steps of B that are transposed at once.
  static constexpr int64_t packedSteps = 2;
  /// Pairs of B's rows in a step: each is split at once.
  static constexpr int64_t stepPairs = MatrixSquare::depth / 2;
  /// Most rows whose sums go through the epilogue together.
  static constexpr int64_t mostStored = 8;

  static Size extentOf(llvm::ArrayRef<NestDim> dims);
  Size blocks() const { return rowTiles.ceilDiv(plan.rowTiles); }
  Size items() const {
    return batches * (plan.byRows ? rowTiles : blocks() * grid.panels);
  }
  Size launchTiles() const;

  bool isInPasses() const { return grid.isInPasses(plan); }
  bool packs() const { return needsPacking(nest); }
  int64_t halves(int64_t extent) const {
    return extent > MatrixSquare::tileRows ? 2 : 1;
  }

  void allocate();
  void forGroups(const Interval &items, Value each,
                 llvm::function_ref<void(Value group, Interval part)> body);
  void emitRows(const Interval &items);
  void emitColumns(const Interval &items);
  SquareBlock blockAt(Value batch, Value rowTile, Value tiles);
  Panel panelAt(const SquareBlock &block, Value number);
  void emitBlock(const SquareBlock &block, const Interval &panels);
  void emitPanels(const SquareBlock &block, const Interval &panels, Steps pass);
  void emitChunk(const SquareBlock &block, const Chunk &chunk,
                 const Interval &panels);
  /// A chunk's steps.
  Steps stepsFrom(Value first, Steps pass) {
    return {first, b.min(b.add(first, plan.steps), pass.last)};
  }
  Steps allSteps() { return {b.index(0), b.index(grid.steps)}; }
  Value countOf(Steps steps) { return b.sub(steps.last, steps.first); }
  Chunk nextOf(const Chunk &chunk, const Interval &panels);
  Product productOf(const SquareBlock &block, const Chunk &chunk, Value slot);
  Value sumsOf(const SquareBlock &block, Value slot, Value panel);
  void emitSquare(const Panel &panel, Value rowTile, Product product,
                  const Share &share);
  void emitKept(const Interval &items);
  void splitColumns(const SquareBlock &block);
  void emitRowTile(const SquareBlock &row, const Interval &part);
  Value rowsOf(Value rowTile, Value end);
  /// Of the kept operand: the tile with that number, from a step of the pass
  /// on.
  Value keptPieces(Value number, Value step) {
    Value before = b.add(b.mul(number, plan.pass), step);
    return b.at(kept, b.mul(before, MatrixSquare::stepBytes), byte);
  }
  /// Of the other one, whose chunks take turns in two places.
  Value passingPieces(Value turn) {
    Value place = b.rem(turn, MatrixSquare::passingChunks);
    return b.at(passing, b.mul(place, chunkBytes()), byte);
  }
  int64_t chunkBytes() const { return plan.steps * MatrixSquare::stepBytes; }

  void splitRows(const SquareBlock &block, Steps pass, Value to);
  void splitRow(Value lhs, const StepPlace &place, Value left, Value to);
  void splitRowUnit(const SquareBlock &row, Value unit, Value to);
  Value lineOfRow(Value within);
  void splitPanel(const Panel &panel, Steps steps, Value to);
  void splitPackedPanel(const Panel &panel, Steps steps, Value to);
  void splitPairUnit(const Panel &panel, Value first, Value unit, Value to);
  void splitPair(const Panel &panel, Value from, int64_t pitch, Value left,
                 Value pair, Value to);
  void askForLines(Value pair);
  Value columnsOf(const Panel &panel);
  Value packPanel(const Panel &panel, Steps steps);
  /// Calls `body` for a row tile of a panel with what has to be multiplied.
  void withHalves(Value rowTile, const Panel &panel,
                  llvm::function_ref<void(Halves)> body);
  void multiply(const Product &product, const Share &share);
  void multiplyStep(const Product &at,
                    llvm::function_ref<void(int64_t sixth)> beside);
  Product behind(const Product &at, Value isLast);
  void askFor(const Product &next, int64_t sixth);
  void splitSixth(const Share &share, Value first, int64_t sixth);
  void prefetchResults(const Panel &panel, Value number);
  void finish(const Panel &panel, Value rowTile, Value sums);
  void storeOpenRows(const Panel &panel, Value rowTile, int64_t columns,
                     Value sums);
  void storeSums(const Place &place, Value row, int64_t columns, int64_t height,
                 Value sums);

  StepPlace stepAt(Value step);
  /// Rows that lie evenly, since neither tiles nor the innermost dimension end
  /// between them; most of them, where only the run knows its extent.
  int64_t storedRows() const {
    const Size &extent = nest.rowDim(1).extent;
    return extent.isFixed() ? std::gcd(mostStored, extent.fixed()) : mostStored;
  }
  /// Calls `body` for every `step`th row of a row tile with its place and its
  /// number in the tile.
  void forRows(const Place &from, Value number, int64_t step,
               llvm::function_ref<void(const Place &place, Value row)> body);
  /// Calls `body` with what is left of a run, or with more than a step.
  void withLeft(const StepPlace &place,
                llvm::function_ref<void(Value left)> body);
  EpilogueTile resultsOf(const Place &place, int64_t columns,
                         int64_t height) const;
  /// Calls `body` with the number of columns of a panel.
  void withColumns(const Panel &panel, llvm::function_ref<void(int64_t)> body);

  ContractionOperands at;
  ContractionNest nest;
  tile::MatrixUnitPlan plan;
  tile::MatrixUnitGrid grid; ///< of one row, in columns and steps
  bool isOpen;               ///< in batches and rows
  Size batches;
  Size rows, rowTiles;                    ///< of a batch
  llvm::SmallVector<Size, 6> innerResult; ///< strides of the innermost rows
  unsigned sharedSums; ///< number of the buffer, if sums wait for passes
  Type rhsType, byte, f32;
  TileStore output;
  KernelBuilder &b;
  Value kept, passing; ///< pieces of the two operands
  Value sums, packed, awake;
};

} // namespace tenon::codegen

#endif // TENON_PASSES_CODEGENCPU_MATRIXUNIT_EMIT_H
