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
struct RowBlock {
  Place origin; ///< of its batch
  Value rowTile, tiles;
  Value sums; ///< of all its panels, or of the one at hand
};

/// Tiles of a square in each direction: 2, or 1 where no more has results.
struct Halves {
  int64_t rows, columns;
};

/// What is multiplied for the sums of a square, from some step on.
struct Product {
  Value lhs, rhs;   ///< pieces
  Value nextPieces; ///< what the next product loads from afar
  Value nextLines;  ///< of B, to ask for; null: none
  Value sums;
  Halves halves = {2, 2};
  int64_t nextHalves = 2; ///< of `nextPieces`
};

/// A panel of a block.
struct Panel {
  Place place; ///< at the panel's first column
  Value number, sums;
};

/// Emits one kernel: see MatrixUnit.cpp.
class MatrixUnitEmitter {
public:
  MatrixUnitEmitter(const EmitRequest &request, ContractionOperands at,
                    ContractionNest nest, Epilogue epilogue)
      : at(at), nest(std::move(nest)),
        plan(fromAttribute<tile::MatrixUnitPlan>(request.plan)),
        grid(this->nest.problem()), rows(this->nest.problem().totalRows()),
        scratch(request.operands.size() + request.results.size()),
        rhsType(memory::BufferType(request.operands[at.rhs]).getElementType()),
        output(std::move(epilogue),
               mlir::Float32Type::get(at.anchor->getContext()),
               mostStored * MatrixSquare::columns / lanes),
        b(request.module, at.anchor->getLoc(), request.name,
          scratch + (isInPasses() ? 2 : 1), request.target) {
    innerResult = this->nest.rowDim(1).result;
    byte = b.builder().getI8Type();
    f32 = b.f32Type();
  }

  mlir::FailureOr<EmitResult> emit();

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
  /// Most rows whose sums go through the epilogue together.
  static constexpr int64_t mostStored = 8;

  bool isInPasses() const { return grid.isInPasses(plan); }
  bool packs() const { return needsPacking(nest); }
  int64_t halves(int64_t extent) const {
    return extent > MatrixSquare::tileRows ? 2 : 1;
  }

  void allocate();
  void forGroups(const Interval &items, int64_t each,
                 llvm::function_ref<void(Value group, Interval part)> body);
  void emitRows(const Interval &items);
  void emitColumns(const Interval &items);
  RowBlock blockAt(Value batch, Value rowTile, Value tiles);
  void emitBlock(const RowBlock &block, const Interval &panels);
  void emitKept(const Interval &items);
  void splitColumns(const RowBlock &block);
  void multiplyKept(const RowBlock &block);
  /// B's pieces of a panel from a step on.
  Value keptPieces(Value panel, Value step);
  Steps passFrom(Value step) {
    return {step, b.min(b.add(step, plan.pass), b.index(grid.steps))};
  }
  void splitRows(const RowBlock &block, Steps pass);
  void splitRow(Value lhs, Value to, Steps pass);
  Panel panelAt(const RowBlock &block, Value number);
  void emitPanel(const RowBlock &block, const Panel &panel, Steps pass);
  void splitPanel(const Panel &panel, Steps steps, Value to);
  void askForLines(Value line, int64_t pitch);
  void splitLine(Value from, int64_t pitch, Value left, Value columns,
                 Value to);
  Value packPanel(const Panel &panel, Steps steps);
  /// Calls `body` for a row tile of a panel with what has to be multiplied.
  void withHalves(Value rowTile, const Panel &panel,
                  llvm::function_ref<void(Halves)> body);
  Product productOf(const RowBlock &block, Value slot, const Panel &panel,
                    Steps pass, Steps steps);
  void multiply(const Product &product, Steps steps);
  void multiplyStep(const Product &at);
  void askFor(const Product &at, int64_t sixth);
  Value nextLines(Value slot, const Panel &panel, Value step);
  /// Elements of B in a line of memory.
  int64_t lineElements() const { return 512 / rhsType.getIntOrFloatBitWidth(); }
  /// Lines of a step of B that each row tile asks for.
  int64_t sharedLines() const {
    return tile::ceilDiv(stepElements, plan.rowTiles * lineElements());
  }
  void prefetchResults(const Panel &panel, Value number);
  void finish(const RowBlock &block, const Panel &panel);
  void storeSums(const Place &place, Value row, int64_t columns, Value sums);

  StepPlace stepAt(Value step);
  /// Rows that lie evenly, since neither tiles nor the innermost dimension end
  /// between them.
  int64_t storedRows() const {
    return std::gcd(mostStored, nest.rowDim(1).extent);
  }
  /// Calls `body` for every `step`th row of a row tile with its place and its
  /// number in the tile.
  void forRows(const Place &from, Value number, int64_t step,
               llvm::function_ref<void(const Place &place, Value row)> body);
  /// Calls `body` with what is left of a run, or with more than a step.
  void withLeft(const StepPlace &place,
                llvm::function_ref<void(Value left)> body);
  EpilogueTile resultsOf(const Place &place, int64_t columns) const;
  /// Calls `body` with the number of columns of a panel.
  void withColumns(const Panel &panel, llvm::function_ref<void(int64_t)> body);

  ContractionOperands at;
  ContractionNest nest;
  tile::MatrixUnitPlan plan;
  tile::MatrixUnitGrid grid;
  int64_t rows;                              ///< of a batch
  llvm::SmallVector<int64_t, 6> innerResult; ///< strides of the innermost rows
  unsigned scratch; ///< number of the first scratch buffer
  Type rhsType, byte, f32;
  TileStore output;
  KernelBuilder b;
  Value lhsPieces, rhsPieces, sums, packed; ///< of this call
};

} // namespace tenon::codegen

#endif // TENON_PASSES_CODEGENCPU_MATRIXUNIT_EMIT_H
