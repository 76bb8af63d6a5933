//===- PiecesTest.cpp - how many threads get work to do -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// LINK: TenonTile MLIR LLVM
#include "lib/Tile/Pieces.h"
#include "lib/Tile/Rows.h"

#include "gtest/gtest.h"
#include <random>

using namespace tenon::tile;

namespace {

Target withThreads(int64_t threads) {
  Target target = *findTarget("avx2");
  target.threads = threads;
  return target;
}

int64_t piecesOf(const WorkGrid &grid, const Piece &piece) {
  return grid.copies * ceilDiv(grid.rows, piece.rows) *
         ceilDiv(grid.columns, piece.columns);
}

double busiest(const WorkGrid &grid, const Piece &piece, int64_t threads) {
  return double(ceilDiv(piecesOf(grid, piece), threads) * piece.rows) *
         (double(piece.columns) + grid.rowSetup);
}

TEST(Pieces, AreOneOfLittleWork) {
  Piece piece = cutForMany({.rows = 10, .columns = 10, .leastCells = 60},
                           withThreads(64));
  EXPECT_EQ(piece.rows, 10);
  EXPECT_EQ(piece.columns, 10);
}

TEST(Pieces, AreCutWhereLessIsReadAgain) {
  WorkGrid grid{.rows = 64, .columns = 64, .rowsAgain = 1, .columnsAgain = 99};
  EXPECT_EQ(cutForMany(grid, withThreads(64)).rows, 1);
  std::swap(grid.rowsAgain, grid.columnsAgain);
  EXPECT_EQ(cutForMany(grid, withThreads(64)).columns, 1);
}

/// Whatever is asked: pieces are worth it, and of all that are none is much
/// better for the busiest thread.
TEST(Pieces, KeepThreadsBusy) {
  std::mt19937 generator(1);
  auto below = [&](int64_t most) { return 1 + int64_t(generator() % most); };
  for (int trial = 0; trial < 500; ++trial) {
    int64_t threads = 8 + below(100);
    WorkGrid grid{.copies = below(3),
                  .rows = below(80),
                  .columns = below(80),
                  .leastCells = below(40),
                  .rowSetup = double(below(4)) - 1};
    Piece made = cutForMany(grid, withThreads(threads));
    bool isAll = made.rows == grid.rows && made.columns == grid.columns;
    EXPECT_TRUE(isAll || made.rows * made.columns >= grid.leastCells);
    double least = busiest(grid, {grid.rows, grid.columns}, threads);
    for (int64_t rows = 1; rows <= grid.rows; ++rows)
      for (int64_t columns = 1; columns <= grid.columns; ++columns) {
        Piece other{rows, columns};
        bool isEven =
            ceilDiv(grid.rows, ceilDiv(grid.rows, rows)) == rows &&
            ceilDiv(grid.columns, ceilDiv(grid.columns, columns)) == columns;
        if (isEven && rows * columns >= grid.leastCells &&
            piecesOf(grid, other) <= threads * chunksPerThread)
          least = std::min(least, busiest(grid, other, threads));
      }
    EXPECT_LE(busiest(grid, made, threads) * 0.9, least)
        << grid.rows << " x " << grid.columns << " on " << threads;
  }
}

} // namespace
