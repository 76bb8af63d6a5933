//===- Results.cpp - what a matrix unit has summed ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/CodegenCpu/MatrixUnit/Emit.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::codegen;
using tile::ceilDiv;

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
  int64_t columns = std::min(nest.column.extent.fixed(), MatrixSquare::columns);
  forRows(panel.place, number, storedRows(), [&](const Place &place, Value) {
    output.prefetch(b, resultsOf(place, columns));
  });
}

void MatrixUnitEmitter::finish(const Panel &panel, Value rowTile, Value sums) {
  withColumns(panel, [&](int64_t columns) {
    forRows(panel.place, rowTile, storedRows(),
            [&](const Place &place, Value row) {
              storeSums(place, row, columns, sums);
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
