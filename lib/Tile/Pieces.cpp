//===- Pieces.cpp - how many threads get work to do -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Tile/Pieces.h"

#include "lib/Tile/Rows.h"
#include <algorithm>
#include <tuple>
#include <vector>

using namespace tenon::tile;

namespace {
struct Choice {
  Piece piece;
  double busiest = 0; ///< cells of the thread that has most
  double again = 0;   ///< is read
  int64_t pieces = 1;
};

class Chooser {
public:
  Chooser(const WorkGrid &grid, const Target &target)
      : grid(grid), threads(target.threads) {}

  Piece choose() {
    offerAll();
    double least = choices.front().busiest;
    for (const Choice &choice : choices)
      least = std::min(least, choice.busiest);
    auto rank = [&](const Choice &choice) {
      return std::tuple(choice.busiest * wantedEfficiency > least, choice.again,
                        choice.pieces);
    };
    return std::ranges::min_element(choices, {}, rank)->piece;
  }

private:
  static constexpr double wantedEfficiency = 0.9;

  /// So many pieces of a grid are enough to even it out.
  int64_t mostPieces() const {
    return ceilDiv(threads * chunksPerThread, grid.copies);
  }

  /// All in one piece comes first; others are worth a tile.
  void offerAll() {
    offer({grid.rows, grid.columns});
    int64_t most = mostPieces();
    for (int64_t rows = 1; rows <= std::min(most, grid.rows); ++rows)
      for (int64_t columns = 1; columns <= std::min(most / rows, grid.columns);
           ++columns) {
        Piece piece{ceilDiv(grid.rows, rows), ceilDiv(grid.columns, columns)};
        if (piece.rows * piece.columns >= grid.leastCells)
          offer(piece);
      }
  }

  void offer(Piece piece) {
    int64_t rows = ceilDiv(grid.rows, piece.rows);
    int64_t columns = ceilDiv(grid.columns, piece.columns);
    Choice choice;
    choice.piece = piece;
    choice.pieces = rows * columns * grid.copies;
    choice.busiest = double(ceilDiv(choice.pieces, threads) * piece.rows) *
                     (double(piece.columns) + grid.rowSetup);
    choice.again = double(rows - 1) * grid.rowsAgain +
                   double(columns - 1) * grid.columnsAgain;
    choices.push_back(choice);
  }

  const WorkGrid &grid;
  int64_t threads;
  std::vector<Choice> choices;
};
} // namespace

Piece tenon::tile::cutForMany(const WorkGrid &grid, const Target &target) {
  return Chooser(grid, target).choose();
}
