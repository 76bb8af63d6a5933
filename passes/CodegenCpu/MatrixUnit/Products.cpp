//===- Products.cpp - multiplies pieces on a matrix unit ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/CodegenCpu/MatrixUnit/Emit.h"

#include "passes/CodegenCpu/Builder/MatrixTiles.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::codegen;
using tile::ceilDiv;

namespace {
/// Tiles 0 to 3 are sums, row by row; then two of A, then two of B.
enum { lhsTile = 4, rhsTile = 6 };
} // namespace

/// The six products of pieces whose numbers add up to four at most, the small
/// ones first. Each shares a piece with the one before, and asks for some of
/// the next lines: all at once would take the buffers that loading tiles needs.
void MatrixUnitEmitter::multiplyStep(const Product &at) {
  static constexpr int64_t order[][2] = {{3, 1}, {2, 1}, {2, 2},
                                         {1, 2}, {1, 1}, {1, 3}};
  auto load = [&](int64_t tile, int64_t count, Value from, int64_t piece) {
    for (int64_t half = 0; half < count; ++half)
      loadTile(b, tile + half,
               b.at(from,
                    half * halfBytes + (piece - 1) * MatrixSquare::tileBytes,
                    byte),
               64);
  };
  int64_t left = 0, right = 0;
  for (auto [group, pieces] : llvm::enumerate(order)) {
    auto [x, y] = pieces;
    askFor(at, int64_t(group));
    if (x != left)
      load(lhsTile, at.halves.rows, at.lhs, left = x);
    if (y != right)
      load(rhsTile, at.halves.columns, at.rhs, right = y);
    for (int64_t i = 0; i < at.halves.rows; ++i)
      for (int64_t j = 0; j < at.halves.columns; ++j)
        multiplyTiles(b, 2 * i + j, lhsTile + i, rhsTile + j);
  }
}

/// A sixth of what a step asks for: pieces go to the first-level cache, B's
/// weights to the second-level one.
void MatrixUnitEmitter::askFor(const Product &at, int64_t sixth) {
  static constexpr int64_t bytes = halfBytes / 6;
  for (int64_t half = 0; half < at.nextHalves; ++half)
    b.prefetchLines(b.at(at.nextPieces, half * halfBytes + sixth * bytes, byte),
                    bytes, byte, /*locality=*/3);
  if (!at.nextLines)
    return;
  int64_t first = sharedLines() * sixth / 6;
  int64_t last = sharedLines() * (sixth + 1) / 6;
  b.prefetchLines(b.at(at.nextLines, first * lineElements(), rhsType),
                  (last - first) * lineElements(), rhsType, /*locality=*/2);
}

/// Where a row tile's share of what the step reads begins in the next steps;
/// null where nothing is asked for.
Value MatrixUnitEmitter::nextLines(Value slot, const Panel &panel, Value step) {
  bool isLinear =
      nest.k.size() == 1 || nest.k.back().extent % MatrixSquare::depth == 0;
  if (!plan.prefetch || !nest.packed || !isLinear)
    return Value();
  Value next =
      b.add(panel.place.rhs, b.mul(b.add(step, plan.steps), stepElements));
  Value from = b.add(next, b.mul(slot, sharedLines() * lineElements()));
  return b.at(b.buffer(at.rhs), from, rhsType);
}

void MatrixUnitEmitter::withHalves(Value rowTile, const Panel &panel,
                                   function_ref<void(Halves)> body) {
  // All squares but the last have two.
  auto with = [&](Value number, int64_t extent, int64_t squares,
                  function_ref<void(int64_t)> inner) {
    int64_t last = halves(extent - (squares - 1) * MatrixSquare::rows);
    if (squares == 1 || last == 2)
      return inner(last);
    b.ifThen(
        b.less(number, b.index(squares - 1)), [&] { inner(2); },
        [&] { inner(last); });
  };
  with(rowTile, rows, grid.rowTiles, [&](int64_t height) {
    with(panel.number, nest.column.extent, grid.panels,
         [&](int64_t width) { body({height, width}); });
  });
}

void MatrixUnitEmitter::multiply(const Product &product, Steps steps) {
  const Halves &halves = product.halves;
  auto forSums = [&](function_ref<void(int64_t tile, Value place)> body) {
    for (int64_t i = 0; i < halves.rows; ++i)
      for (int64_t j = 0; j < halves.columns; ++j)
        body(2 * i + j,
             b.at(product.sums,
                  i * MatrixSquare::tileRows * sumPitch + j * sumPitch / 2,
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
  b.loop(steps.first, steps.last, 1, [&](Value step) {
    Value number = b.sub(step, steps.first);
    Value offset = b.mul(number, MatrixSquare::stepBytes);
    Product at = product;
    for (Value *pieces : {&at.lhs, &at.rhs, &at.nextPieces})
      *pieces = b.at(*pieces, offset, byte);
    if (at.nextLines)
      at.nextLines = b.at(at.nextLines, b.mul(number, stepElements), rhsType);
    multiplyStep(at);
  });
  forSums(
      [&](int64_t tile, Value place) { storeTile(b, tile, place, sumPitch); });
}
