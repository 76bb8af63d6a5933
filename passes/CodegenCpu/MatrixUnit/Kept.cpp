//===- Kept.cpp - products whose B is split once --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file builds the loops for a B of few columns and steps:
//   split all of B, which stays in the second-level cache, and the first A
//   for row tile of the call, for panel of columns:
//     sums = A's pieces * B's pieces, while a part of the next row tile's A is
//       split
//     epilogue(sums)
//===----------------------------------------------------------------------===//
#include "passes/CodegenCpu/MatrixUnit/Emit.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::codegen;
using tile::ceilDiv;

void MatrixUnitEmitter::emitKept(const Interval &items) {
  forGroups(items, b.index(rowTiles), [&](Value batch, Interval part) {
    SquareBlock first = blockAt(batch, part.begin, b.index(1));
    splitColumns(first);
    splitRows(first, allSteps(), passingPieces(b.index(0)));
    b.loop(part.begin, part.end, 1, [&](Value rowTile) {
      emitRowTile(blockAt(batch, rowTile, b.index(1)), part);
    });
  });
}

void MatrixUnitEmitter::splitColumns(const SquareBlock &block) {
  b.loop(b.index(0), b.index(grid.panels), 1, [&](Value number) {
    Panel panel = panelAt(block, number);
    Value to = keptPieces(number, b.index(0));
    packs() ? splitPackedPanel(panel, allSteps(), to)
            : splitPanel(panel, allSteps(), to);
  });
}

/// Rows of a row tile, if it is one of those before `end`.
Value MatrixUnitEmitter::rowsOf(Value rowTile, Value end) {
  Value last = b.min(b.mul(end, MatrixSquare::rows), b.index(rows));
  Value left = b.sub(last, b.mul(rowTile, MatrixSquare::rows));
  return b.max(b.min(left, b.index(MatrixSquare::rows)), b.index(0));
}

void MatrixUnitEmitter::emitRowTile(const SquareBlock &row,
                                    const Interval &part) {
  Value turn = b.sub(row.rowTile, part.begin);
  SquareBlock next = blockAt(row.batch, b.add(row.rowTile, 1), b.index(1));
  Value to = passingPieces(b.add(turn, 1));
  auto split = [&](Value unit) { splitRowUnit(next, unit, to); };
  // A panel that is half as wide takes half the time.
  int64_t halfPanels =
      ceilDiv(nest.column.extent.fixed(), MatrixSquare::tileRows);
  Share share;
  share.split = split;
  share.each = b.index(ceilDiv(2 * MatrixSquare::rows, halfPanels));
  share.end = b.mul(rowsOf(next.rowTile, part.end), grid.steps);
  b.loop(b.index(0), b.index(grid.panels), 1, [&](Value number) {
    Product product;
    product.lhs = passingPieces(turn);
    product.rhs = keptPieces(number, b.index(0));
    product.sums = sums;
    product.steps = allSteps();
    share.first = b.mul(b.mul(number, share.each), grid.steps);
    emitSquare(panelAt(row, number), row.rowTile, product, share);
  });
}
