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
// A call has row tiles and makes blocks of them, or some panels of blocks. It
// has the scratch that belongs to its launch tiles. Kept.cpp has the loops that
// split all of B first.
//===----------------------------------------------------------------------===//
#include "passes/CodegenCpu/MatrixUnit/Emit.h"

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
  Value own = b.at(
      b.buffer(scratch),
      b.mul(b.tileBegin(), tile::matrixUnitScratch(grid, plan).pieces), byte);
  Value steps = b.scratch(plan.steps * MatrixSquare::stepBytes, byte);
  lhsPieces = plan.keepsColumns ? steps : own;
  rhsPieces = plan.keepsColumns ? own : steps;
  if (isInPasses())
    sums = b.buffer(scratch + 1);
  else if (grid.keepsSums(plan))
    sums = keptPieces(b.index(grid.panels), b.index(0));
  else
    sums = b.scratch(plan.rowTiles * MatrixSquare::sumBytes, byte);
  if (packs())
    packed = b.scratch(plan.steps * MatrixSquare::depth * MatrixSquare::columns,
                       rhsType);
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
      emitBlock(blockAt(batch, rowTile, tiles),
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
    emitBlock(blockAt(b.div(block, blocks), rowTile, tiles), panels);
  });
}

RowBlock MatrixUnitEmitter::blockAt(Value batch, Value rowTile, Value tiles) {
  Place origin =
      moveOver(b, originOf(b, nest, output.tensors()), nest.batch, batch);
  Value own = sums;
  if (isInPasses()) {
    Value before = b.add(b.mul(batch, grid.rowTiles), rowTile);
    own = b.at(sums, b.mul(before, grid.panels * MatrixSquare::sumBytes), byte);
  }
  return {origin, rowTile, tiles, own};
}

void MatrixUnitEmitter::emitBlock(const RowBlock &block,
                                  const Interval &panels) {
  b.loop(b.index(0), b.index(grid.steps), plan.pass, [&](Value step) {
    Steps pass = passFrom(step);
    splitRows(block, pass);
    b.loop(panels.begin, panels.end, 1, [&](Value number) {
      emitPanel(block, panelAt(block, number), pass);
    });
  });
}

//===-- Panels ------------------------------------------------------------===//

Panel MatrixUnitEmitter::panelAt(const RowBlock &block, Value number) {
  NestDim step = nest.column;
  step.rhs = nest.packed ? nest.panelStride : step.rhs * MatrixSquare::columns;
  for (int64_t &stride : step.result)
    stride *= MatrixSquare::columns;
  Value own = block.sums;
  if (isInPasses() || grid.keepsSums(plan)) {
    Value before = b.mul(number, block.tiles);
    own = b.at(own, b.mul(before, MatrixSquare::sumBytes), byte);
  }
  return {moveAlong(b, block.origin, step, number), number, own};
}

void MatrixUnitEmitter::emitPanel(const RowBlock &block, const Panel &panel,
                                  Steps pass) {
  b.loop(pass.first, pass.last, plan.steps, [&](Value first) {
    Steps steps{first, b.min(b.add(first, plan.steps), pass.last)};
    splitPanel(panel, steps, rhsPieces);
    b.loop(b.index(0), block.tiles, 1, [&](Value slot) {
      Value rowTile = b.add(block.rowTile, slot);
      b.ifThen(b.equal(steps.last, b.index(grid.steps)),
               [&] { prefetchResults(panel, rowTile); });
      Product product = productOf(block, slot, panel, pass, steps);
      withHalves(rowTile, panel, [&](Halves halves) {
        product.halves = halves;
        product.nextHalves = halves.rows;
        multiply(product, steps);
      });
    });
  });
  b.ifThen(b.equal(pass.last, b.index(grid.steps)),
           [&] { finish(block, panel); });
}

/// After the last row tile come the next steps of the first.
Product MatrixUnitEmitter::productOf(const RowBlock &block, Value slot,
                                     const Panel &panel, Steps pass,
                                     Steps steps) {
  auto piecesOf = [&](Value rowTile, Value step) {
    Value before = b.add(b.mul(rowTile, plan.pass), b.sub(step, pass.first));
    return b.at(lhsPieces, b.mul(before, MatrixSquare::stepBytes), byte);
  };
  Value next = b.add(slot, 1);
  Values ahead = b.select(
      b.less(next, block.tiles), [&] { return Values{next, steps.first}; },
      [&] { return Values{b.index(0), steps.last}; });
  Product product;
  product.lhs = piecesOf(slot, steps.first);
  product.rhs = rhsPieces;
  product.nextPieces = piecesOf(ahead[0], ahead[1]);
  product.nextLines = nextLines(slot, panel, steps.first);
  product.sums = b.at(panel.sums, b.mul(slot, MatrixSquare::sumBytes), byte);
  return product;
}

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
