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
#include "passes/CodegenCpu/MatrixUnit/Emit.h"

#include "passes/CodegenCpu/Builder/MatrixTiles.h"
#include "passes/CodegenCpu/Layout/Overwrite.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::codegen;
using tile::ceilDiv;

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

void MatrixUnitEmitter::emitPanel(const Panel &panel, Value rowTile,
                                  Steps pass) {
  Value tiles = tilesFrom(rowTile);
  b.loop(pass.first, pass.last, plan.steps, [&](Value first) {
    Steps steps{first, b.min(b.add(first, plan.steps), pass.last)};
    splitPanel(panel, steps);
    b.loop(b.index(0), tiles, 1, [&](Value slot) {
      b.ifThen(b.equal(steps.last, b.index(grid.steps)),
               [&] { prefetchResults(panel, b.add(rowTile, slot)); });
      multiply(slot, panel, pass, steps);
    });
  });
  b.ifThen(b.equal(pass.last, b.index(grid.steps)),
           [&] { finish(panel, rowTile); });
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
