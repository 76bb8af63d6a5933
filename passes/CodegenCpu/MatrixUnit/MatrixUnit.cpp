//===- MatrixUnit.cpp - kernels of a matrix unit --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file builds the loops around the unit's squares of 32 x 32 results:
//   for block of row tiles, for pass over k:
//     split the block's A
//     for panel of columns:
//       for row tile:
//         sums = A's pieces * B's pieces, while a part of the next panel's B
//           is split
//         after the last pass: epilogue(sums)
// A call has row tiles and makes blocks of them, or some panels of blocks. It
// has the scratch that belongs to its launch tiles. Where B is small, A and B
// change places: all of B is split, and beside products the next row tile's A.
//===----------------------------------------------------------------------===//
#include "passes/CodegenCpu/MatrixUnit/Emit.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "passes/CodegenCpu/Builder/MatrixTiles.h"
#include "passes/CodegenCpu/Layout/Overwrite.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::codegen;
using tile::ceilDiv;

FailureOr<EmitResult> MatrixUnitEmitter::emit() {
  EmitResult result;
  result.tiles = grid.launchTiles(plan);
  result.oneCall = true;
  allocate();
  Interval items = b.shareOfCall(grid.items(plan), result.tiles);
  configureTiles(b);
  if (plan.keepsColumns)
    emitKept(items);
  else
    plan.byRows ? emitRows(items) : emitColumns(items);
  releaseTiles(b);
  b.finish();
  if (output.failed())
    return failure();
  return result;
}

void MatrixUnitEmitter::allocate() {
  passing = b.at(
      b.buffer(scratch),
      b.mul(b.tileBegin(), tile::matrixUnitScratch(grid, plan).pieces), byte);
  kept = b.at(passing, 2 * plan.pass * MatrixSquare::stepBytes, byte);
  sums = isInPasses() ? b.buffer(scratch + 1)
                      : b.scratch(MatrixSquare::sumBytes, byte);
  awake = b.scratch(64, byte);
  if (packs())
    packed = b.scratch(
        packedSteps * MatrixSquare::depth * MatrixSquare::columns, rhsType);
}

//===-- Blocks ------------------------------------------------------------===//

void MatrixUnitEmitter::forGroups(const Interval &items, int64_t each,
                                  function_ref<void(Value, Interval)> body) {
  Value last = b.div(b.add(items.end, each - 1), each);
  b.loop(b.div(items.begin, each), last, 1, [&](Value group) {
    Value first = b.mul(group, each);
    body(group, {b.max(b.sub(items.begin, first), b.index(0)),
                 b.min(b.sub(items.end, first), b.index(each))});
  });
}

void MatrixUnitEmitter::emitRows(const Interval &items) {
  forGroups(items, grid.rowTiles, [&](Value batch, Interval part) {
    b.loop(part.begin, part.end, plan.rowTiles, [&](Value rowTile) {
      Value tiles = b.min(b.index(plan.rowTiles), b.sub(part.end, rowTile));
      emitBlock(batch, blockAt(batch, rowTile, tiles),
                {b.index(0), b.index(grid.panels)});
    });
  });
}

void MatrixUnitEmitter::emitColumns(const Interval &items) {
  int64_t blocks = grid.blocks(plan);
  forGroups(items, grid.panels, [&](Value block, Interval panels) {
    Value rowTile = b.mul(b.rem(block, blocks), plan.rowTiles);
    Value tiles =
        b.min(b.index(plan.rowTiles), b.sub(b.index(grid.rowTiles), rowTile));
    Value batch = b.div(block, blocks);
    emitBlock(batch, blockAt(batch, rowTile, tiles), panels);
  });
}

RowBlock MatrixUnitEmitter::blockAt(Value batch, Value rowTile, Value tiles) {
  Place origin =
      moveOver(b, originOf(b, nest, output.tensors()), nest.batch, batch);
  return {origin, rowTile, tiles};
}

Panel MatrixUnitEmitter::panelAt(const RowBlock &block, Value number) {
  NestDim step = nest.column;
  step.rhs = nest.packed ? nest.panelStride : step.rhs * MatrixSquare::columns;
  for (int64_t &stride : step.result)
    stride *= MatrixSquare::columns;
  return {moveAlong(b, block.origin, step, number), number};
}

void MatrixUnitEmitter::emitBlock(Value batch, const RowBlock &block,
                                  const Interval &panels) {
  b.loop(b.index(0), b.index(grid.steps), plan.pass, [&](Value step) {
    Steps pass = passFrom(step);
    splitRows(block, pass, kept);
    emitPanels(batch, block, panels, pass);
  });
}

void MatrixUnitEmitter::emitPanels(Value batch, const RowBlock &block,
                                   const Interval &panels, Steps pass) {
  Value steps = b.sub(pass.last, pass.first);
  Value each = sharePerStep(block.tiles);
  if (!packs())
    splitPanel(panelAt(block, panels.begin), pass, passingPieces(b.index(0)));
  b.loop(panels.begin, panels.end, 1, [&](Value number) {
    Value turn = b.sub(number, panels.begin), next = b.add(number, 1);
    Panel panel = panelAt(block, number), nextPanel = panelAt(block, next);
    if (packs())
      splitPackedPanel(panel, pass, passingPieces(turn));
    Value isOne = b.min(b.sub(panels.end, next), b.index(1));
    Share share{each, b.mul(b.mul(steps, stepLines), isOne)};
    Value to = passingPieces(b.add(turn, 1));
    auto split = [&](Value unit) { splitLineUnit(nextPanel, pass, unit, to); };
    if (!packs()) // Transposing does not go on beside products.
      share.split = split;
    b.loop(b.index(0), block.tiles, 1, [&](Value slot) {
      Value rowTile = b.add(block.rowTile, slot);
      Product product{keptPieces(slot), passingPieces(turn), sums, pass};
      if (isInPasses()) {
        Value before = b.add(b.mul(batch, grid.rowTiles), rowTile);
        before = b.add(b.mul(before, grid.panels), number);
        product.sums = b.at(sums, b.mul(before, MatrixSquare::sumBytes), byte);
      }
      share.first = b.mul(b.mul(slot, each), steps);
      emitSquare(panel, rowTile, product, share);
    });
  });
}

/// A step's part of a line's units where so many row tiles share them.
Value MatrixUnitEmitter::sharePerStep(Value tiles) {
  Value most = b.add(tiles, stepLines - 1);
  return b.builder().createOrFold<arith::DivUIOp>(b.loc(), most, tiles);
}

void MatrixUnitEmitter::emitSquare(const Panel &panel, Value rowTile,
                                   Product product, const Share &share) {
  Value isLast = b.equal(product.pass.last, b.index(grid.steps));
  b.ifThen(isLast, [&] { prefetchResults(panel, rowTile); });
  withHalves(rowTile, panel, [&](Halves halves) {
    product.halves = halves;
    multiply(product, share);
  });
  b.ifThen(isLast, [&] { finish(panel, rowTile, product.sums); });
}

//===-- A small B ---------------------------------------------------------===//

void MatrixUnitEmitter::emitKept(const Interval &items) {
  Steps all{b.index(0), b.index(grid.steps)};
  forGroups(items, grid.rowTiles, [&](Value batch, Interval part) {
    RowBlock block = blockAt(batch, part.begin, b.index(1));
    b.loop(b.index(0), b.index(grid.panels), 1, [&](Value number) {
      Panel panel = panelAt(block, number);
      packs() ? splitPackedPanel(panel, all, keptPieces(number))
              : splitPanel(panel, all, keptPieces(number));
    });
    splitRows(block, all, passingPieces(b.index(0)));
    b.loop(part.begin, part.end, 1, [&](Value rowTile) {
      Value turn = b.sub(rowTile, part.begin);
      RowBlock next = blockAt(batch, b.add(rowTile, 1), b.index(1));
      Value to = passingPieces(b.add(turn, 1));
      auto split = [&](Value unit) { splitRowUnit(next, unit, to); };
      Share share{b.index(ceilDiv(MatrixSquare::rows, grid.panels)),
                  b.mul(rowsOf(next.rowTile, part.end), grid.steps), split};
      emitRowTile(blockAt(batch, rowTile, b.index(1)), passingPieces(turn),
                  share);
    });
  });
}

/// Rows of a row tile, if it is one of those before `end`.
Value MatrixUnitEmitter::rowsOf(Value rowTile, Value end) {
  Value last = b.min(b.mul(end, MatrixSquare::rows), b.index(rows));
  Value left = b.sub(last, b.mul(rowTile, MatrixSquare::rows));
  return b.max(b.min(left, b.index(MatrixSquare::rows)), b.index(0));
}

void MatrixUnitEmitter::emitRowTile(const RowBlock &row, Value lhs,
                                    Share share) {
  Steps all{b.index(0), b.index(grid.steps)};
  b.loop(b.index(0), b.index(grid.panels), 1, [&](Value number) {
    share.first = b.mul(b.mul(number, share.each), grid.steps);
    emitSquare(panelAt(row, number), row.rowTile,
               {lhs, keptPieces(number), sums, all}, share);
  });
}

//===-- Rows and columns --------------------------------------------------===//

void MatrixUnitEmitter::forRows(const Place &from, Value number, int64_t step,
                                function_ref<void(const Place &, Value)> body) {
  Value first = b.mul(number, MatrixSquare::rows);
  Value count = b.min(b.index(MatrixSquare::rows), b.sub(b.index(rows), first));
  b.loop(b.index(0), count, step, [&](Value row) {
    body(moveOver(b, from, nest.rows, b.add(first, row)), row);
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
