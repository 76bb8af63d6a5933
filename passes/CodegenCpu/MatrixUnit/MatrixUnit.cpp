//===- MatrixUnit.cpp - kernels of a matrix unit --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file builds the loops around the unit's squares of 32 x 32 results:
//   for block of row tiles, for pass over k:
//     split the block's A
//     for panel of columns:
//       for steps of the pass:
//         split the steps' B
//         for row tile: sums += A's pieces * B's pieces
//       after the last pass: epilogue(sums)
// Launch tiles may run at the same time; each call has the scratch that belongs
// to the first of its own. Where there is one block, all tiles share its A: it
// is split in a step of the launch, and multiplied in the next.
//===----------------------------------------------------------------------===//
#include "passes/CodegenCpu/MatrixUnit/MatrixUnit.h"

#include "passes/CodegenCpu/Builder/MatrixTiles.h"
#include "passes/CodegenCpu/Contraction/EpilogueTile.h"
#include "passes/CodegenCpu/Contraction/PackPanel.h"
#include "passes/CodegenCpu/Contraction/Place.h"
#include "passes/CodegenCpu/Layout/Overwrite.h"
#include "passes/CodegenCpu/MatrixUnit/Split.h"
#include <numeric>

using namespace mlir;
using namespace tenon;
using namespace tenon::codegen;
using memory::BufferType;
using tile::ceilDiv;
using tile::MatrixSquare;

static constexpr int64_t lanes = 16;
/// Of the pieces of 16 rows or columns.
static constexpr int64_t halfBytes = MatrixSquare::stepBytes / 2;
/// Of a row of the sums of a square.
static constexpr int64_t sumPitch = MatrixSquare::columns * 4;
/// Most rows whose sums go through the epilogue together.
static constexpr int64_t mostStored = 8;

namespace {

/// Steps of k, [first, last).
struct Steps {
  Value first, last;
};

/// Where one step is: elements from the start of k, and how many there are of
/// the run from there on.
struct StepPlace {
  Value lhs, rhs, left;
};

/// A panel of the block at hand.
struct Panel {
  Place place; ///< of the block's batch, at the panel's first column
  Value number, sums;
};

class MatrixUnitEmitter {
public:
  MatrixUnitEmitter(const EmitRequest &request, ContractionOperands at,
                    ContractionNest nest, Epilogue epilogue)
      : at(at), nest(std::move(nest)),
        plan(fromAttribute<tile::MatrixUnitPlan>(request.plan)),
        grid(this->nest.problem()), rows(this->nest.problem().totalRows()),
        scratch(request.operands.size() + request.results.size()),
        rhsType(BufferType(request.operands[at.rhs]).getElementType()),
        output(std::move(epilogue), Float32Type::get(at.anchor->getContext()),
               mostStored * MatrixSquare::columns / lanes),
        b(request.module, at.anchor->getLoc(), request.name,
          scratch + (isInPasses() ? 2 : 1), request.target) {
    innerResult = this->nest.rowDim(1).result;
    byte = b.builder().getI8Type();
    f32 = b.f32Type();
  }

  FailureOr<EmitResult> emit();

private:
  bool isInPasses() const { return grid.steps > plan.pass; }
  bool packs() const { return needsPacking(nest); }
  int64_t halves(int64_t extent) const {
    return extent > MatrixSquare::tileRows ? 2 : 1;
  }

  void allocate();
  void emitStep(int64_t tiles);
  void emitBlocks();
  void emitBlock(Value block, Value begin, Value end);
  void emitPanels(const Place &origin, Value rowTile, Value begin, Value end,
                  Steps pass);
  /// What `body` builds may use the unit.
  void multiplying(function_ref<void()> body);
  Steps passFrom(Value step) {
    return {step, b.min(b.add(step, plan.pass), b.index(grid.steps))};
  }
  void splitRows(const Place &origin, Value rowTile, Value begin, Value end,
                 Steps pass);
  void splitRow(Value lhs, Value to, Steps pass);
  Panel panelAt(const Place &origin, Value item, Value number);
  void emitPanel(const Panel &panel, Value rowBegin, Steps pass);
  void splitPanel(const Panel &panel, Steps steps);
  void splitLine(Value from, int64_t pitch, Value left, Value columns,
                 Value to);
  Value packPanel(const Panel &panel, Steps steps);
  void multiply(Value slot, const Panel &panel, Steps pass, Steps steps);
  void multiplyStep(Value lhs, Value rhs);
  Value nextSteps(Value slot, const Panel &panel, Steps steps);
  void prefetchResults(const Panel &panel, Value number);
  void finish(const Panel &panel, Value rowBegin);
  void storeSums(const Place &place, Value row, int64_t columns, Value sums);

  StepPlace stepAt(Value step);
  /// Rows that lie evenly, since neither tiles nor the innermost dimension end
  /// between them.
  int64_t storedRows() const {
    return std::gcd(mostStored, nest.rowDim(1).extent);
  }
  /// Row tiles of the block that begins with `first`.
  Value tilesFrom(Value first) {
    return b.min(b.index(plan.rowTiles), b.sub(b.index(grid.rowTiles), first));
  }
  /// Calls `body` for every `step`th row of a row tile with its place and its
  /// number in the tile.
  void forRows(const Place &from, Value number, int64_t step,
               function_ref<void(const Place &place, Value row)> body);
  /// Calls `body` with what is left of a run, or with more than a step.
  void withLeft(const StepPlace &place, function_ref<void(Value left)> body);
  EpilogueTile resultsOf(const Place &place, int64_t columns) const;
  /// Calls `body` with the number of columns of a panel.
  void withColumns(const Panel &panel, function_ref<void(int64_t)> body);

  ContractionOperands at;
  ContractionNest nest;
  tile::MatrixUnitPlan plan;
  tile::MatrixUnitGrid grid;
  int64_t rows;                        ///< of a batch
  SmallVector<int64_t, 6> innerResult; ///< strides of the innermost rows
  unsigned scratch;                    ///< number of the first scratch buffer
  Type rhsType, byte, f32;
  TileStore output;
  KernelBuilder b;
  int64_t itemsPerTile = 1;
  Value lhsPieces, rhsPieces, sums, packed; ///< of this call
  Value blockItems; ///< the first item of the block at hand; null: the only one
};

} // namespace

//===-- Blocks and panels -------------------------------------------------===//

FailureOr<EmitResult> MatrixUnitEmitter::emit() {
  int64_t items = grid.items(plan);
  itemsPerTile = ceilDiv(items, plan.tiles);
  EmitResult result;
  result.tiles = ceilDiv(items, itemsPerTile);
  allocate();
  if (grid.isShared(plan)) {
    result.steps = 2 * ceilDiv(grid.steps, plan.pass);
    emitStep(result.tiles);
  } else {
    multiplying([&] { emitBlocks(); });
  }
  b.finish();
  if (output.failed())
    return failure();
  return result;
}

void MatrixUnitEmitter::allocate() {
  lhsPieces = b.buffer(scratch);
  rhsPieces = b.scratch(plan.steps * MatrixSquare::stepBytes, byte);
  sums = isInPasses() ? b.buffer(scratch + 1)
                      : b.scratch(plan.rowTiles * MatrixSquare::sumBytes, byte);
  if (packs())
    packed = b.scratch(plan.steps * MatrixSquare::depth * MatrixSquare::columns,
                       rhsType);
}

void MatrixUnitEmitter::multiplying(function_ref<void()> body) {
  configureTiles(b);
  body();
  releaseTiles(b);
}

/// Of one block, splitting A for a pass, or multiplying.
void MatrixUnitEmitter::emitStep(int64_t tiles) {
  Value number = b.div(b.tileBegin(), tiles);
  Value begin = b.sub(b.tileBegin(), b.mul(number, tiles));
  Value end = b.sub(b.tileEnd(), b.mul(number, tiles));
  Steps pass = passFrom(b.mul(b.div(number, 2), plan.pass));
  Place origin = originOf(b, nest, output.tensors());
  auto share = [&](Value tile, int64_t each, int64_t all) {
    return b.min(b.mul(tile, each), b.index(all));
  };
  b.ifThen(
      b.equal(b.rem(number, 2), b.index(0)),
      [&] {
        int64_t each = ceilDiv(rows, tiles);
        splitRows(origin, b.index(0), share(begin, each, rows),
                  share(end, each, rows), pass);
      },
      [&] {
        multiplying([&] {
          emitPanels(origin, b.index(0),
                     share(begin, itemsPerTile, grid.panels),
                     share(end, itemsPerTile, grid.panels), pass);
        });
      });
}

void MatrixUnitEmitter::emitBlocks() {
  lhsPieces = b.at(
      lhsPieces,
      b.mul(b.tileBegin(), tile::matrixUnitScratch(grid, plan).pieces), byte);
  Value begin = b.mul(b.tileBegin(), itemsPerTile);
  Value end =
      b.min(b.mul(b.tileEnd(), itemsPerTile), b.index(grid.items(plan)));
  Value last = b.div(b.add(end, grid.panels - 1), grid.panels);
  b.loop(b.div(begin, grid.panels), last, 1,
         [&](Value block) { emitBlock(block, begin, end); });
}

/// The panels of a block that are among the call's items.
void MatrixUnitEmitter::emitBlock(Value block, Value begin, Value end) {
  Value first = b.mul(block, grid.panels);
  Value panelBegin = b.max(b.sub(begin, first), b.index(0));
  Value panelEnd = b.min(b.sub(end, first), b.index(grid.panels));
  int64_t blocks = grid.blocks(plan);
  Place origin = moveOver(b, originOf(b, nest, output.tensors()), nest.batch,
                          b.div(block, blocks));
  Value rowTile = b.mul(b.rem(block, blocks), plan.rowTiles);
  Value rowBegin = b.mul(rowTile, MatrixSquare::rows);
  Value rowEnd =
      b.min(b.add(rowBegin, plan.rowTiles * MatrixSquare::rows), b.index(rows));
  b.loop(b.index(0), b.index(grid.steps), plan.pass, [&](Value step) {
    Steps pass = passFrom(step);
    splitRows(origin, rowTile, rowBegin, rowEnd, pass);
    blockItems = first;
    emitPanels(origin, rowTile, panelBegin, panelEnd, pass);
  });
}

void MatrixUnitEmitter::emitPanels(const Place &origin, Value rowTile,
                                   Value begin, Value end, Steps pass) {
  b.loop(begin, end, 1, [&](Value number) {
    Value item = blockItems ? b.add(blockItems, number) : number;
    emitPanel(panelAt(origin, item, number), rowTile, pass);
  });
}

Panel MatrixUnitEmitter::panelAt(const Place &origin, Value item,
                                 Value number) {
  NestDim step = nest.column;
  step.rhs = nest.packed ? nest.panelStride : step.rhs * MatrixSquare::columns;
  for (int64_t &stride : step.result)
    stride *= MatrixSquare::columns;
  Value own = sums;
  if (isInPasses())
    own = b.at(sums, b.mul(item, plan.rowTiles * MatrixSquare::sumBytes), byte);
  return {moveAlong(b, origin, step, number), number, own};
}

void MatrixUnitEmitter::emitPanel(const Panel &panel, Value rowBegin,
                                  Steps pass) {
  Value tiles = tilesFrom(rowBegin);
  b.loop(pass.first, pass.last, plan.steps, [&](Value first) {
    Steps steps{first, b.min(b.add(first, plan.steps), pass.last)};
    splitPanel(panel, steps);
    b.loop(b.index(0), tiles, 1, [&](Value slot) {
      b.ifThen(b.equal(steps.last, b.index(grid.steps)),
               [&] { prefetchResults(panel, b.add(rowBegin, slot)); });
      multiply(slot, panel, pass, steps);
    });
  });
  b.ifThen(b.equal(pass.last, b.index(grid.steps)),
           [&] { finish(panel, rowBegin); });
}

//===-- Splitting ---------------------------------------------------------===//

StepPlace MatrixUnitEmitter::stepAt(Value step) {
  SmallVector<int64_t> extents;
  for (const NestDim &dim : ArrayRef(nest.k).drop_back())
    extents.push_back(dim.extent);
  extents.push_back(grid.runSteps);
  Values index = b.delinearize(step, extents);
  const NestDim &run = nest.k.back();
  bool isWhole = run.extent % MatrixSquare::depth == 0;
  Value within = b.mul(index.back(), MatrixSquare::depth);
  StepPlace place{b.mul(within, run.lhs), b.mul(within, run.rhs),
                  isWhole ? b.index(MatrixSquare::depth)
                          : b.sub(b.index(run.extent), within)};
  for (auto [dim, i] : llvm::zip(nest.k, ArrayRef<Value>(index).drop_back())) {
    place.lhs = b.add(place.lhs, b.mul(i, dim.lhs));
    place.rhs = b.add(place.rhs, b.mul(i, dim.rhs));
  }
  return place;
}

void MatrixUnitEmitter::forRows(const Place &from, Value number, int64_t step,
                                function_ref<void(const Place &, Value)> body) {
  Value first = b.mul(number, MatrixSquare::rows);
  Value count = b.min(b.index(MatrixSquare::rows), b.sub(b.index(rows), first));
  b.loop(b.index(0), count, step, [&](Value row) {
    body(moveOver(b, from, nest.rows, b.add(first, row)), row);
  });
}

void MatrixUnitEmitter::withLeft(const StepPlace &place,
                                 function_ref<void(Value)> body) {
  Value whole = b.index(MatrixSquare::depth);
  if (b.constant(place.left))
    return body(place.left);
  b.ifThen(
      b.less(place.left, whole), [&] { body(place.left); },
      [&] { body(whole); });
}

/// Rows [begin, end) of a batch, in a block that begins with `rowTile`.
void MatrixUnitEmitter::splitRows(const Place &origin, Value rowTile,
                                  Value begin, Value end, Steps pass) {
  b.loop(begin, end, 1, [&](Value row) {
    Value slot = b.sub(b.div(row, MatrixSquare::rows), rowTile);
    Value tile = b.mul(slot, plan.pass * MatrixSquare::stepBytes);
    Value within = b.rem(row, MatrixSquare::rows);
    constexpr int64_t tileRows = MatrixSquare::tileRows;
    Value offset = b.add(b.mul(b.div(within, tileRows), halfBytes),
                         b.mul(b.rem(within, tileRows), 64));
    splitRow(moveOver(b, origin, nest.rows, row).lhs,
             b.at(lhsPieces, b.add(tile, offset), byte), pass);
  });
}

void MatrixUnitEmitter::splitRow(Value lhs, Value to, Steps pass) {
  b.loop(pass.first, pass.last, 1, [&](Value step) {
    StepPlace place = stepAt(step);
    Value from = b.at(b.buffer(at.lhs), b.add(lhs, place.lhs), f32);
    Value slot = b.mul(b.sub(step, pass.first), MatrixSquare::stepBytes);
    withLeft(place, [&](Value left) {
      Value behind = b.sub(left, b.index(lanes));
      splitPairs(b, loadClamped(b, from, left, f32),
                 loadClamped(b, b.at(from, lanes, f32), behind, f32),
                 b.at(to, slot, byte));
    });
  });
}

void MatrixUnitEmitter::withColumns(const Panel &panel,
                                    function_ref<void(int64_t)> body) {
  int64_t whole = nest.column.extent / MatrixSquare::columns;
  int64_t rest = nest.column.extent % MatrixSquare::columns;
  if (whole == 0)
    return body(rest);
  if (rest == 0)
    return body(MatrixSquare::columns);
  b.ifThen(
      b.less(panel.number, b.index(whole)),
      [&] { body(MatrixSquare::columns); }, [&] { body(rest); });
}

/// Columns that do not lie together: those of the steps, as [step][column].
Value MatrixUnitEmitter::packPanel(const Panel &panel, Steps steps) {
  const NestDim &k = nest.k.front();
  Value first = b.mul(steps.first, MatrixSquare::depth);
  Value end = b.min(b.mul(steps.last, MatrixSquare::depth), b.index(k.extent));
  Value from = b.at(b.buffer(at.rhs),
                    b.add(panel.place.rhs, b.mul(first, k.rhs)), rhsType);
  withColumns(panel, [&](int64_t columns) {
    PanelPacking packing;
    packing.k = {{k.extent, k.rhs}};
    packing.columnStride = nest.column.rhs;
    packing.vectors = ceilDiv(columns, lanes);
    packing.lanes = lanes;
    packing.lastLanes = columns - (packing.vectors - 1) * lanes;
    packing.pitch = MatrixSquare::columns;
    packing.element = rhsType;
    packing.emit(b, from, packed, b.sub(end, first));
  });
  return packed;
}

void MatrixUnitEmitter::splitPanel(const Panel &panel, Steps steps) {
  Value own = packs() ? packPanel(panel, steps) : Value();
  int64_t pitch = own ? MatrixSquare::columns : nest.k.back().rhs;
  bool isWhole =
      own || nest.packed || nest.column.extent % MatrixSquare::columns == 0;
  Value columns = b.index(MatrixSquare::columns);
  if (!isWhole)
    columns = b.sub(b.index(nest.column.extent),
                    b.mul(panel.number, MatrixSquare::columns));
  b.loop(steps.first, steps.last, 1, [&](Value step) {
    Value slot = b.sub(step, steps.first);
    StepPlace place = stepAt(step);
    Value from =
        own ? b.at(own, b.mul(slot, MatrixSquare::depth * pitch), rhsType)
            : b.at(b.buffer(at.rhs), b.add(panel.place.rhs, place.rhs),
                   rhsType);
    Value to = b.at(rhsPieces, b.mul(slot, MatrixSquare::stepBytes), byte);
    withLeft(place, [&](Value left) {
      b.loop(b.index(0), b.index(MatrixSquare::tileRows), 1, [&](Value row) {
        bool isWhole = b.constant(left) == MatrixSquare::depth;
        splitLine(b.at(from, b.mul(row, pitch), rhsType), pitch,
                  isWhole ? left : b.sub(left, row), columns,
                  b.at(to, b.mul(row, 64), byte));
      });
    });
  });
}

/// The columns of a step and of the 16th after it; `left` are those of the run
/// from the first of them on.
void MatrixUnitEmitter::splitLine(Value from, int64_t pitch, Value left,
                                  Value columns, Value to) {
  for (int64_t half = 0; half < halves(nest.column.extent); ++half) {
    auto load = [&](int64_t step) {
      Value existing = b.sub(columns, b.index(half * lanes));
      // Steps behind the run's end have no columns.
      Value steps = b.sub(left, b.index(step));
      Value line = b.at(from, step * pitch + half * lanes, rhsType);
      return loadClamped(b, line, b.min(existing, b.mul(steps, lanes)),
                         rhsType);
    };
    splitPairs(b, load(0), load(MatrixSquare::tileRows),
               b.at(to, half * halfBytes, byte));
  }
}

//===-- Products ----------------------------------------------------------===//

namespace {
/// Tiles 0 to 3 are sums, row by row; then two of A, then two of B.
enum { lhsTile = 4, rhsTile = 6 };
} // namespace

/// The six products of pieces whose numbers add up to four at most, the small
/// ones first. Each shares a piece with the one before.
void MatrixUnitEmitter::multiplyStep(Value lhs, Value rhs) {
  static constexpr int64_t order[][2] = {{3, 1}, {2, 1}, {2, 2},
                                         {1, 2}, {1, 1}, {1, 3}};
  int64_t rowHalves = halves(rows);
  int64_t columnHalves = halves(nest.column.extent);
  auto load = [&](int64_t tile, int64_t count, Value from, int64_t piece) {
    for (int64_t half = 0; half < count; ++half)
      loadTile(b, tile + half,
               b.at(from,
                    half * halfBytes + (piece - 1) * MatrixSquare::tileBytes,
                    byte),
               64);
  };
  int64_t left = 0, right = 0;
  for (auto [x, y] : order) {
    if (x != left)
      load(lhsTile, rowHalves, lhs, left = x);
    if (y != right)
      load(rhsTile, columnHalves, rhs, right = y);
    for (int64_t i = 0; i < rowHalves; ++i)
      for (int64_t j = 0; j < columnHalves; ++j)
        multiplyTiles(b, 2 * i + j, lhsTile + i, rhsTile + j);
  }
}

/// Where the share of a row tile begins in the steps of B that come next; null
/// where nothing is asked for.
Value MatrixUnitEmitter::nextSteps(Value slot, const Panel &panel,
                                   Steps steps) {
  bool isLinear =
      nest.k.size() == 1 || nest.k.back().extent % MatrixSquare::depth == 0;
  if (!plan.prefetch || !nest.packed || !isLinear)
    return Value();
  int64_t step = MatrixSquare::depth * MatrixSquare::columns;
  Value next =
      b.add(panel.place.rhs, b.mul(b.add(steps.first, plan.steps), step));
  int64_t share = ceilDiv(plan.steps * step, plan.rowTiles);
  return b.at(b.buffer(at.rhs), b.add(next, b.mul(slot, share)), rhsType);
}

void MatrixUnitEmitter::multiply(Value slot, const Panel &panel, Steps pass,
                                 Steps steps) {
  int64_t rowHalves = halves(rows);
  int64_t columnHalves = halves(nest.column.extent);
  Value own = b.at(panel.sums, b.mul(slot, MatrixSquare::sumBytes), byte);
  auto forSums = [&](function_ref<void(int64_t tile, Value place)> body) {
    for (int64_t i = 0; i < rowHalves; ++i)
      for (int64_t j = 0; j < columnHalves; ++j)
        body(2 * i + j,
             b.at(own, i * MatrixSquare::tileRows * sumPitch + j * sumPitch / 2,
                  byte));
  };
  b.ifThen(
      b.equal(steps.first, b.index(0)),
      [&] { forSums([&](int64_t tile, Value) { zeroTile(b, tile); }); },
      [&] {
        forSums([&](int64_t tile, Value place) {
          loadTile(b, tile, place, sumPitch);
        });
      });
  Value lhs =
      b.at(lhsPieces, b.mul(slot, plan.pass * MatrixSquare::stepBytes), byte);
  Value next = nextSteps(slot, panel, steps);
  int64_t lines = ceilDiv(MatrixSquare::depth * MatrixSquare::columns * 4 / 64,
                          plan.rowTiles);
  b.loop(steps.first, steps.last, 1, [&](Value step) {
    Value number = b.sub(step, steps.first);
    if (next)
      b.prefetchLines(b.at(next, b.mul(number, lines * 16), f32), lines * 16,
                      f32, /*locality=*/2);
    Value ofPass = b.mul(b.sub(step, pass.first), MatrixSquare::stepBytes);
    multiplyStep(b.at(lhs, ofPass, byte),
                 b.at(rhsPieces, b.mul(number, MatrixSquare::stepBytes), byte));
  });
  forSums(
      [&](int64_t tile, Value place) { storeTile(b, tile, place, sumPitch); });
}

//===-- Results -----------------------------------------------------------===//

/// Of `storedRows` rows from a place on.
EpilogueTile MatrixUnitEmitter::resultsOf(const Place &place,
                                          int64_t columns) const {
  EpilogueTile tile;
  tile.base = place.result;
  tile.width = storedRows();
  tile.vectors = ceilDiv(columns, lanes);
  tile.lanes = lanes;
  tile.last = columns - (tile.vectors - 1) * lanes;
  tile.inner = innerResult;
  tile.column = nest.column.result;
  return tile;
}

void MatrixUnitEmitter::prefetchResults(const Panel &panel, Value number) {
  int64_t columns = std::min(nest.column.extent, MatrixSquare::columns);
  forRows(panel.place, number, storedRows(), [&](const Place &place, Value) {
    output.prefetch(b, resultsOf(place, columns));
  });
}

void MatrixUnitEmitter::finish(const Panel &panel, Value rowBegin) {
  withColumns(panel, [&](int64_t columns) {
    b.loop(b.index(0), tilesFrom(rowBegin), 1, [&](Value slot) {
      Value own = b.at(panel.sums, b.mul(slot, MatrixSquare::sumBytes), byte);
      forRows(panel.place, b.add(rowBegin, slot), storedRows(),
              [&](const Place &place, Value row) {
                storeSums(place, row, columns, own);
              });
    });
  });
}

void MatrixUnitEmitter::storeSums(const Place &place, Value row,
                                  int64_t columns, Value sums) {
  EpilogueTile tile = resultsOf(place, columns);
  Value first = b.at(sums, b.mul(row, MatrixSquare::columns), f32);
  Values values;
  for (int64_t i = 0; i < tile.width; ++i)
    for (int64_t j = 0; j < tile.vectors; ++j)
      values.push_back(
          b.load(b.at(first, i * MatrixSquare::columns + j * lanes, f32),
                 b.vectorType(f32, lanes)));
  output.store(b, tile, values);
}

//===-- Groups ------------------------------------------------------------===//

FailureOr<EmitResult> codegen::emitMatrixUnit(const EmitRequest &request,
                                              const ContractionOperands &at,
                                              ContractionNest nest,
                                              Epilogue epilogue) {
  OverwritePairs inPlace = overwritesOf(request.group, epilogue);
  FailureOr<EmitResult> result =
      MatrixUnitEmitter(request, at, std::move(nest), std::move(epilogue))
          .emit();
  if (succeeded(result))
    result->inPlace = std::move(inPlace);
  return result;
}
