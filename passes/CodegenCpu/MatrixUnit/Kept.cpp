//===- Kept.cpp - products whose B is split once --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file builds the loops for a B of few columns and steps:
//   split all of B, which stays in the second-level cache
//   for row tile of the call:
//     for steps:
//       split the steps' A, which stays in the first-level cache
//       for panel of columns: sums += A's pieces * B's pieces
//     epilogue(sums)
//===----------------------------------------------------------------------===//
#include "passes/CodegenCpu/MatrixUnit/Emit.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::codegen;

void MatrixUnitEmitter::emitKept(const Interval &items) {
  forGroups(items, grid.rowTiles, [&](Value batch, Interval part) {
    splitColumns(blockAt(batch, part.begin, b.index(1)));
    b.loop(part.begin, part.end, 1, [&](Value rowTile) {
      multiplyKept(blockAt(batch, rowTile, b.index(1)));
    });
  });
}

void MatrixUnitEmitter::splitColumns(const RowBlock &block) {
  b.loop(b.index(0), b.index(grid.panels), 1, [&](Value number) {
    b.loop(b.index(0), b.index(grid.steps), plan.steps, [&](Value first) {
      splitPanel(panelAt(block, number), passFrom(first),
                 keptPieces(number, first));
    });
  });
}

Value MatrixUnitEmitter::keptPieces(Value panel, Value step) {
  Value before = b.add(b.mul(panel, grid.steps), step);
  return b.at(rhsPieces, b.mul(before, MatrixSquare::stepBytes), byte);
}

void MatrixUnitEmitter::multiplyKept(const RowBlock &block) {
  auto forPanels = [&](function_ref<void(const Panel &)> body) {
    b.loop(b.index(0), b.index(grid.panels), 1,
           [&](Value number) { body(panelAt(block, number)); });
  };
  auto finishPanel = [&](const Panel &panel) { finish(block, panel); };
  b.loop(b.index(0), b.index(grid.steps), plan.steps, [&](Value first) {
    Steps steps = passFrom(first);
    splitRows(block, steps);
    forPanels([&](const Panel &panel) {
      b.ifThen(b.equal(steps.last, b.index(grid.steps)),
               [&] { prefetchResults(panel, block.rowTile); });
      Product product;
      product.lhs = lhsPieces;
      product.rhs = keptPieces(panel.number, first);
      product.nextPieces = keptPieces(b.add(panel.number, 1), first);
      product.sums = panel.sums;
      withHalves(block.rowTile, panel, [&](Halves halves) {
        product.halves = halves;
        product.nextHalves = halves.columns;
        multiply(product, steps);
      });
      if (!grid.keepsSums(plan))
        finishPanel(panel);
    });
  });
  if (grid.keepsSums(plan))
    forPanels(finishPanel);
}
