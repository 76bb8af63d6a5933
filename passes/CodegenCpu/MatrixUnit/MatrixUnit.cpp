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
// to the first of its own.
//===----------------------------------------------------------------------===//
#include "passes/CodegenCpu/MatrixUnit/MatrixUnit.h"

#include "passes/CodegenCpu/Builder/MatrixTiles.h"
#include "passes/CodegenCpu/Contraction/EpilogueTile.h"
#include "passes/CodegenCpu/Contraction/PackPanel.h"
#include "passes/CodegenCpu/Contraction/Place.h"
#include "passes/CodegenCpu/Layout/Overwrite.h"
#include "passes/CodegenCpu/MatrixUnit/Split.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::codegen;
using memory::BufferType;
using tile::ceilDiv;
using tile::MatrixSquare;

static constexpr int64_t lanes = 16;
/// Of a row of the sums of a square.
static constexpr int64_t sumPitch = MatrixSquare::columns * 4;
/// Rows whose sums go through the epilogue together.
static constexpr int64_t storedRows = 8;

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
        problem(this->nest.problem()), grid(problem),
        rows(tile::tileRows(problem.rows, MatrixSquare::rows)),
        scratch(request.operands.size() + request.results.size()),
        rhsType(BufferType(request.operands[at.rhs]).getElementType()),
        output(std::move(epilogue),
               Float32Type::get(at.anchor->getContext()),
               storedRows * MatrixSquare::columns / lanes),
        b(request.module, at.anchor->getLoc(), request.name,
          scratch + (isInPasses() ? 2 : 1), request.target) {
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

  void emitBlock(Value block, Value begin, Value end);
  void splitRows(const Place &origin, Value rowBegin, Steps pass);
  void splitRow(Value lhs, Value to, Steps pass);
  Panel panelAt(const Place &origin, Value item, Value number);
  void emitPanel(const Panel &panel, Value rowBegin, Steps pass);
  void splitPanel(const Panel &panel, Steps steps);
  Value packPanel(const Panel &panel, Steps steps);
  void multiply(Value slot, const Panel &panel, Steps pass, Steps steps);
  void multiplyStep(Value lhs, Value rhs);
  Value nextSteps(Value slot, const Panel &panel, Steps steps);
  void finish(const Panel &panel, Value rowBegin);
  void storeSums(const Place &place, int64_t height, int64_t width,
                 int64_t columns, Value sums);

  StepPlace stepAt(Value step);
  Value blockEnd(Value rowBegin) {
    return b.min(b.add(rowBegin, plan.rowTiles), b.index(grid.rowTiles));
  }
  /// Calls `body` with the number of columns of a panel.
  void withColumns(const Panel &panel, function_ref<void(int64_t)> body);

  ContractionOperands at;
  ContractionNest nest;
  tile::MatrixUnitPlan plan;
  tile::ContractionProblem problem;
  tile::MatrixUnitGrid grid;
  tile::RowTiling rows;
  unsigned scratch; ///< number of the first scratch buffer
  Type rhsType, byte, f32;
  TileStore output;
  KernelBuilder b;
  Value lhsPieces, rhsPieces, sums, packed; ///< of this call
};

} // namespace

//===-- Blocks and panels -------------------------------------------------===//

FailureOr<EmitResult> MatrixUnitEmitter::emit() {
  int64_t items = grid.items(plan), perTile = ceilDiv(items, plan.tiles);
  tile::MatrixUnitScratch sizes = tile::matrixUnitScratch(grid, plan);
  lhsPieces =
      b.at(b.buffer(scratch), b.mul(b.tileBegin(), sizes.pieces), byte);
  rhsPieces = b.scratch(plan.steps * MatrixSquare::stepBytes, byte);
  sums = isInPasses() ? b.buffer(scratch + 1)
                      : b.scratch(plan.rowTiles * MatrixSquare::sumBytes, byte);
  if (packs())
    packed = b.scratch(
        plan.steps * MatrixSquare::depth * MatrixSquare::columns, rhsType);
  configureTiles(b);
  Value begin = b.mul(b.tileBegin(), perTile);
  Value end = b.min(b.mul(b.tileEnd(), perTile), b.index(items));
  Value last = b.div(b.add(end, grid.panels - 1), grid.panels);
  b.loop(b.div(begin, grid.panels), last, 1,
         [&](Value block) { emitBlock(block, begin, end); });
  releaseTiles(b);
  b.finish();
  if (output.failed())
    return failure();
  EmitResult result;
  result.tiles = ceilDiv(items, perTile);
  return result;
}

/// The panels of a block that are among the call's items.
void MatrixUnitEmitter::emitBlock(Value block, Value begin, Value end) {
  Value first = b.mul(block, grid.panels);
  Value panelBegin = b.max(b.sub(begin, first), b.index(0));
  Value panelEnd = b.min(b.sub(end, first), b.index(grid.panels));
  int64_t blocks = grid.blocks(plan);
  Value rowBegin = b.mul(b.rem(block, blocks), plan.rowTiles);
  Place origin = moveOver(b, originOf(b, nest, output.tensors()), nest.batch,
                          b.div(block, blocks));
  b.loop(b.index(0), b.index(grid.steps), plan.pass, [&](Value step) {
    Steps pass{step, b.min(b.add(step, plan.pass), b.index(grid.steps))};
    splitRows(origin, rowBegin, pass);
    b.loop(panelBegin, panelEnd, 1, [&](Value number) {
      emitPanel(panelAt(origin, b.add(first, number), number), rowBegin, pass);
    });
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
  Value tiles = b.sub(blockEnd(rowBegin), rowBegin);
  b.loop(pass.first, pass.last, plan.steps, [&](Value first) {
    Steps steps{first, b.min(b.add(first, plan.steps), pass.last)};
    splitPanel(panel, steps);
    b.loop(b.index(0), tiles, 1,
           [&](Value slot) { multiply(slot, panel, pass, steps); });
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

void MatrixUnitEmitter::splitRows(const Place &origin, Value rowBegin,
                                  Steps pass) {
  constexpr int64_t tileRows = MatrixSquare::tileRows;
  int64_t ofHalf = MatrixSquare::stepBytes / 2;
  NestDim outer = nest.rowDim(2), inner = nest.rowDim(1);
  b.loop(rowBegin, blockEnd(rowBegin), 1, [&](Value number) {
    Value slot = b.sub(number, rowBegin);
    Value tile = b.at(
        lhsPieces, b.mul(slot, plan.pass * MatrixSquare::stepBytes), byte);
    auto body = [&](const Place &place, int64_t height, int64_t width) {
      b.loop(b.index(0), b.index(height * width), 1, [&](Value row) {
        Value lhs = b.add(place.lhs, b.add(b.mul(b.div(row, width), outer.lhs),
                                           b.mul(b.rem(row, width), inner.lhs)));
        Value offset = b.add(b.mul(b.div(row, tileRows), ofHalf),
                             b.mul(b.rem(row, tileRows), 64));
        splitRow(lhs, b.at(tile, offset, byte), pass);
      });
    };
    atRowTile(b, nest, rows, origin, number, body);
  });
}

void MatrixUnitEmitter::splitRow(Value lhs, Value to, Steps pass) {
  b.loop(pass.first, pass.last, 1, [&](Value step) {
    StepPlace place = stepAt(step);
    Value from = b.at(b.buffer(at.lhs), b.add(lhs, place.lhs), f32);
    Value slot = b.mul(b.sub(step, pass.first), MatrixSquare::stepBytes);
    splitPairs(b, loadClamped(b, from, place.left, f32),
               loadClamped(b, b.at(from, lanes, f32),
                           b.sub(place.left, b.index(lanes)), f32),
               b.at(to, slot, byte));
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
  bool isPadded = own || nest.packed;
  Value columns = b.sub(b.index(nest.column.extent),
                        b.mul(panel.number, MatrixSquare::columns));
  b.loop(steps.first, steps.last, 1, [&](Value step) {
    Value slot = b.sub(step, steps.first);
    StepPlace place = stepAt(step);
    Value from =
        own ? b.at(own, b.mul(slot, MatrixSquare::depth * pitch), rhsType)
            : b.at(b.buffer(at.rhs), b.add(panel.place.rhs, place.rhs),
                   rhsType);
    Value to = b.at(rhsPieces, b.mul(slot, MatrixSquare::stepBytes), byte);
    b.loop(b.index(0), b.index(MatrixSquare::tileRows), 1, [&](Value row) {
      for (int64_t half = 0; half < halves(nest.column.extent); ++half) {
        Value existing = isPadded ? b.index(lanes)
                                  : b.sub(columns, b.index(half * lanes));
        // Steps behind the run's end have no columns.
        auto load = [&](Value row) {
          Value left = b.max(b.sub(place.left, row), b.index(0));
          Value count = b.constant(place.left)
                            ? existing
                            : b.min(existing, b.mul(left, lanes));
          Value line = b.at(from, b.add(b.mul(row, pitch),
                                        half * lanes), rhsType);
          return loadClamped(b, line, count, rhsType);
        };
        Value at = b.at(to, b.add(b.mul(row, 64),
                                  half * MatrixSquare::stepBytes / 2),
                        byte);
        splitPairs(b, load(row), load(b.add(row, MatrixSquare::tileRows)), at);
      }
    });
  });
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
  int64_t rowHalves = halves(rows.rows());
  int64_t columnHalves = halves(nest.column.extent);
  auto load = [&](int64_t tile, int64_t count, Value from, int64_t piece) {
    for (int64_t half = 0; half < count; ++half)
      loadTile(b, tile + half,
               b.at(from,
                    half * MatrixSquare::stepBytes / 2 +
                        (piece - 1) * MatrixSquare::tileBytes,
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
  if (!plan.prefetch || !nest.packed ||
      nest.k.back().extent % MatrixSquare::depth != 0)
    return Value();
  int64_t step = MatrixSquare::depth * MatrixSquare::columns;
  Value next = b.add(panel.place.rhs,
                     b.mul(b.add(steps.first, plan.steps), step));
  int64_t share = ceilDiv(plan.steps * step, plan.rowTiles);
  return b.at(b.buffer(at.rhs), b.add(next, b.mul(slot, share)), rhsType);
}

void MatrixUnitEmitter::multiply(Value slot, const Panel &panel, Steps pass,
                                 Steps steps) {
  int64_t rowHalves = halves(rows.rows());
  int64_t columnHalves = halves(nest.column.extent);
  Value own = b.at(panel.sums, b.mul(slot, MatrixSquare::sumBytes), byte);
  auto forSums = [&](function_ref<void(int64_t tile, Value place)> body) {
    for (int64_t i = 0; i < rowHalves; ++i)
      for (int64_t j = 0; j < columnHalves; ++j)
        body(2 * i + j, b.at(own,
                             i * MatrixSquare::tileRows * sumPitch +
                                 j * sumPitch / 2,
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
  Value lhs = b.at(lhsPieces, b.mul(slot, plan.pass * MatrixSquare::stepBytes),
                   byte);
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
  forSums([&](int64_t tile, Value place) {
    storeTile(b, tile, place, sumPitch);
  });
}

//===-- Results -----------------------------------------------------------===//

void MatrixUnitEmitter::finish(const Panel &panel, Value rowBegin) {
  withColumns(panel, [&](int64_t columns) {
    b.loop(rowBegin, blockEnd(rowBegin), 1, [&](Value number) {
      Value own = b.at(panel.sums,
                       b.mul(b.sub(number, rowBegin), MatrixSquare::sumBytes),
                       byte);
      atRowTile(b, nest, rows, panel.place, number,
                [&](const Place &place, int64_t height, int64_t width) {
                  storeSums(place, height, width, columns, own);
                });
    });
  });
}

/// Some neighbouring rows at once.
void MatrixUnitEmitter::storeSums(const Place &place, int64_t height,
                                  int64_t width, int64_t columns, Value sums) {
  NestDim outer = nest.rowDim(2), inner = nest.rowDim(1);
  int64_t vectors = ceilDiv(columns, lanes);
  auto store = [&](Value y, Value x, int64_t count) {
    Place from = moveAlong(b, moveAlong(b, place, outer, y), inner, x);
    EpilogueTile tile;
    tile.base = from.result;
    tile.width = count;
    tile.vectors = vectors;
    tile.lanes = lanes;
    tile.last = columns - (vectors - 1) * lanes;
    tile.inner = inner.result;
    tile.column = nest.column.result;
    Value row = b.add(b.mul(y, width), x);
    Value first = b.at(sums, b.mul(row, MatrixSquare::columns), f32);
    Values values;
    for (int64_t i = 0; i < count; ++i)
      for (int64_t j = 0; j < vectors; ++j)
        values.push_back(
            b.load(b.at(first, i * MatrixSquare::columns + j * lanes, f32),
                   b.vectorType(f32, lanes)));
    output.store(b, tile, values);
  };
  int64_t chunk = std::min(width, storedRows), whole = width / chunk * chunk;
  b.loop(b.index(0), b.index(height), 1, [&](Value y) {
    b.loop(b.index(0), b.index(whole), chunk,
           [&](Value x) { store(y, x, chunk); });
    if (whole < width)
      store(y, b.index(whole), width - whole);
  });
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
