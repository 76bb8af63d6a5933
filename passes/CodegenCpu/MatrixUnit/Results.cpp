//===- Results.cpp - what a matrix unit has summed ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/CodegenCpu/MatrixUnit/Emit.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::codegen;
using tile::ceilDiv;

/// Of `height` rows from a place on.
EpilogueTile MatrixUnitEmitter::resultsOf(const Place &place, int64_t columns,
                                          int64_t height) const {
  EpilogueTile tile;
  tile.base = place.result;
  tile.width = height;
  tile.vectors = ceilDiv(columns, lanes);
  tile.lanes = lanes;
  tile.last = columns - (tile.vectors - 1) * lanes;
  tile.inner = innerResult;
  tile.column = nest.column.result;
  return tile;
}

void MatrixUnitEmitter::prefetchResults(const Panel &panel, Value number) {
  auto isFixed = [](const Size &size) { return size.isFixed(); };
  if (!llvm::all_of(innerResult, isFixed))
    return;
  int64_t columns = std::min(nest.column.extent.fixed(), MatrixSquare::columns);
  forRows(panel.place, number, storedRows(), [&](const Place &place, Value) {
    output.prefetch(b, resultsOf(place, columns, storedRows()));
  });
}

void MatrixUnitEmitter::finish(const Panel &panel, Value rowTile, Value sums) {
  withColumns(panel, [&](int64_t columns) {
    if (!nest.rowDim(1).extent.isFixed())
      return storeOpenRows(panel, rowTile, columns, sums);
    forRows(panel.place, rowTile, storedRows(),
            [&](const Place &place, Value row) {
              storeSums(place, row, columns, storedRows(), sums);
            });
  });
}

/// As many at once as are stored together, if they lie evenly, else each.
void MatrixUnitEmitter::storeOpenRows(const Panel &panel, Value rowTile,
                                      int64_t columns, Value sums) {
  Value first = b.mul(rowTile, MatrixSquare::rows);
  auto store = [&](Value row, int64_t height) {
    Place place = moveOver(b, panel.place, nest.rows, b.add(first, row));
    storeSums(place, row, columns, height, sums);
  };
  Value inner = b.index(nest.rowDim(1).extent);
  Value count = b.min(b.index(MatrixSquare::rows), b.sub(b.index(rows), first));
  b.loop(b.index(0), count, mostStored, [&](Value row) {
    Value number = b.add(first, row);
    Value within = nest.rows.size() == 1 ? number : b.rem(number, inner);
    Value end = b.min(b.add(row, mostStored), count);
    b.ifThen(
        b.less(b.add(within, mostStored - 1), inner),
        [&] { store(row, mostStored); },
        [&] { b.loop(row, end, 1, [&](Value one) { store(one, 1); }); });
  });
}

void MatrixUnitEmitter::storeSums(const Place &place, Value row,
                                  int64_t columns, int64_t height, Value sums) {
  EpilogueTile tile = resultsOf(place, columns, height);
  Value first = b.at(sums, b.mul(row, MatrixSquare::columns), f32);
  Values values;
  for (int64_t i = 0; i < tile.width; ++i)
    for (int64_t j = 0; j < tile.vectors; ++j)
      values.push_back(
          b.load(b.at(first, i * MatrixSquare::columns + j * lanes, f32),
                 b.vectorType(f32, lanes)));
  output.store(b, tile, values);
}
