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

/// A tile that is stored after more than so many steps without, some 0.7 us,
/// takes 0.3 us on Granite Rapids: one is stored to nowhere after each.
constexpr int64_t mostRest = 4;
} // namespace

/// The six products of pieces whose numbers add up to four at most, the small
/// ones first. Each shares a piece with the one before; behind each something
/// else is done.
void MatrixUnitEmitter::multiplyStep(const Product &at,
                                     function_ref<void(int64_t sixth)> beside) {
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
    if (x != left)
      load(lhsTile, at.halves.rows, at.lhs, left = x);
    if (y != right)
      load(rhsTile, at.halves.columns, at.rhs, right = y);
    for (int64_t i = 0; i < at.halves.rows; ++i)
      for (int64_t j = 0; j < at.halves.columns; ++j)
        multiplyTiles(b, 2 * i + j, lhsTile + i, rhsTile + j);
    beside(int64_t(group));
  }
}

void MatrixUnitEmitter::withHalves(Value rowTile, const Panel &panel,
                                   function_ref<void(Halves)> body) {
  // All squares but the last have two.
  auto with = [&](Value number, const Size &extent,
                  function_ref<void(int64_t)> inner) {
    Size squares = extent.ceilDiv(MatrixSquare::rows);
    Size before = (squares - 1) * MatrixSquare::rows;
    if (!extent.isFixed()) {
      Value left = b.sub(b.index(extent), b.mul(number, MatrixSquare::rows));
      return b.ifThen(
          b.less(b.index(MatrixSquare::tileRows), left), [&] { inner(2); },
          [&] { inner(1); });
    }
    int64_t last = halves((extent - before).fixed());
    if (squares.is(1) || last == 2)
      return inner(last);
    b.ifThen(
        b.less(number, b.index(squares - 1)), [&] { inner(2); },
        [&] { inner(last); });
  };
  with(rowTile, rows, [&](int64_t height) {
    with(panel.number, nest.column.extent,
         [&](int64_t width) { body({height, width}); });
  });
}

/// The pieces of a product's step after this one. If that is another product's,
/// its square is taken to be like this one.
Product MatrixUnitEmitter::behind(const Product &at, Value isLast) {
  auto next = [&](Value pieces, Value other) {
    Value own = b.at(pieces, MatrixSquare::stepBytes, byte);
    return other ? b.choose(isLast, other, own) : own;
  };
  Product product;
  product.lhs = next(at.lhs, at.nextLhs);
  product.rhs = next(at.rhs, at.nextRhs);
  product.halves = at.halves;
  return product;
}

/// A sixth of the pieces, but of those that are in the first-level cache.
void MatrixUnitEmitter::askFor(const Product &next, int64_t sixth) {
  auto ask = [&](Value pieces, int64_t count) {
    int64_t bytes = count * halfBytes / 6;
    b.prefetchLines(b.at(pieces, sixth * bytes, byte), bytes, byte,
                    /*locality=*/3);
  };
  ask(next.lhs, next.halves.rows);
  if (plan.steps > MatrixSquare::nearSteps)
    ask(next.rhs, next.halves.columns);
}

/// A sixth of what is split beside a step: lines that lie close together would
/// fill what the core looks ahead.
void MatrixUnitEmitter::splitSixth(const Share &share, Value first,
                                   int64_t sixth) {
  if (!share.split)
    return;
  auto bound = [&](int64_t number) {
    return b.add(first, b.div(b.mul(share.each, number), 6));
  };
  b.loop(bound(sixth), b.min(bound(sixth + 1), share.end), 1, share.split);
}

void MatrixUnitEmitter::multiply(const Product &product, const Share &share) {
  const Halves &halves = product.halves;
  auto forSums = [&](function_ref<void(int64_t tile, Value place)> body) {
    for (int64_t i = 0; i < halves.rows; ++i)
      for (int64_t j = 0; j < halves.columns; ++j)
        body(2 * i + j,
             b.at(product.sums,
                  i * MatrixSquare::tileRows * sumPitch + j * sumPitch / 2,
                  byte));
  };
  const Steps &steps = product.steps;
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
    for (Value *pieces : {&at.lhs, &at.rhs})
      *pieces = b.at(*pieces, offset, byte);
    Product next = behind(at, b.equal(b.add(step, 1), steps.last));
    Value first = b.add(share.first, b.mul(number, share.each));
    multiplyStep(at, [&](int64_t sixth) {
      askFor(next, sixth);
      splitSixth(share, first, sixth);
    });
    if (plan.steps > mostRest)
      storeTile(b, rhsTile, awake, 0);
  });
  forSums(
      [&](int64_t tile, Value place) { storeTile(b, tile, place, sumPitch); });
}
