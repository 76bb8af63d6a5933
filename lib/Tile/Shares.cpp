//===- Shares.cpp - what threads get of a contraction ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Tile/Shares.h"

#include "lib/Tile/Pieces.h"
#include <algorithm>

using namespace tenon::tile;

/// Shares of rows; where there are more threads, several share the panels of
/// one.
static constexpr int64_t mostShares = 8;
/// Shares of blocks of rows, which need not stay in one piece.
static constexpr int64_t mostBlocks = 64;
/// Cycles for each line: of A and C, which are written by one thread and read
/// by another if columns are shared out; of the half of B that a thread reads
/// in addition if rows are, from a cache or from memory.
static constexpr double mapLine = 20, cachedLine = 3.5, memoryLine = 8;

namespace {
/// What there is to share out.
struct Grid {
  Grid(const ContractionProblem &problem, const ContractionPlan &plan)
      : rows(tileRows(problem.rows, plan.mr)), batches(problem.batches),
        panels(ceilDiv(problem.columns, plan.panel)),
        unit(std::max<int64_t>(1, problem.totalK() * plan.mr * plan.nv)) {}

  int64_t allPanels() const { return batches * panels; }
  /// Vector multiply-adds.
  int64_t work() const { return rows.tiles() * allPanels() * unit; }
  int64_t tilesOfWork() const { return work() / leastTileWork; }

  RowTiling rows;
  int64_t batches, panels;
  int64_t unit; ///< of a register tile
};
} // namespace

/// Whether batches are but columns: groups, whose results lie side by side.
static bool areColumns(const ContractionProblem &alone) {
  return alone.batches == 1 || alone.joinable == alone.batches;
}

/// Cycles that it takes a thread to read all weights, or all maps: what all
/// shares of rows read, or all of columns.
struct Reading {
  Reading(const ContractionProblem &problem, const Target &target) {
    int64_t bytesOfB = problem.batches * problem.weightBytes();
    int64_t bytesOfMaps =
        problem.batches * problem.totalRows() *
        (problem.rowBytes + problem.columns * problem.elementBytes);
    double weightLine = bytesOfB > target.l2Bytes ? memoryLine : cachedLine;
    weights = double(bytesOfB) / lineBytes * weightLine;
    maps = double(bytesOfMaps) / lineBytes * mapLine;
  }

  double weights, maps;
};

static bool prefersRows(const ContractionProblem &problem, const Grid &grid,
                        int64_t shares, const Target &target) {
  Reading reading(problem, target);
  auto cycles = double(grid.work());
  int64_t rows =
      cutsShares(grid.rows, shares) ? problem.totalRows() : grid.rows.tiles();
  double byRows = target.busiestPart(rows) * cycles + reading.weights;
  double byColumns =
      target.busiestPart(grid.allPanels()) * cycles + reading.maps;
  return byRows <= byColumns;
}

/// Blocks of rows that go through all panels are no launch tiles themselves:
/// several make a share, so that halves of the launch are halves of the rows.
static bool shareBlocks(const Grid &grid, ContractionPlan &plan) {
  int64_t blocks = ceilDiv(grid.rows.tiles(), plan.rowTiles);
  int64_t least = std::min(balancedTiles, grid.tilesOfWork());
  int64_t shares = launchTiles(grid.rows.tiles(),
                               std::min(std::max(blocks, least), mostBlocks));
  if (plan.panels < grid.panels || shares < 2)
    return false;
  plan.shares = shares;
  return true;
}

static bool shareRows(const ContractionProblem &alone,
                      const ContractionProblem &problem, const Grid &grid,
                      const Target &target, ContractionPlan &plan) {
  if (!problem.constantB || !areColumns(alone))
    return false;
  if (!plan.panelsOuter && problem.batches == 1)
    return shareBlocks(grid, plan);
  int64_t most = std::max(
      mostShares, balancedTiles / std::max<int64_t>(1, grid.allPanels()));
  int64_t shares =
      launchTiles(grid.rows.tiles(), std::min(most, grid.tilesOfWork()));
  if (shares < 2 || !prefersRows(problem, grid, shares, target))
    return false;
  plan.shares = shares;
  int64_t blocks = std::min(balancedTiles, grid.tilesOfWork()) / shares;
  plan.panels = ceilDiv(grid.allPanels(),
                        std::clamp<int64_t>(blocks, 1, grid.allPanels()));
  return true;
}

/// Launch tiles that are cut for threads to have some, where each is still
/// worth it: rows are cut further, consecutive tiles share the panel. Each
/// reads again what the one before has read, so there are no more than the
/// threads need.
static void cutFurther(const Grid &grid, const Target &target,
                       ContractionPlan &plan) {
  int64_t worth = target.isGpuThread() ? grid.rows.tiles() * grid.allPanels()
                                       : grid.tilesOfWork();
  int64_t wanted = std::min(target.enoughTiles(), worth);
  int64_t blocks = ceilDiv(grid.rows.tiles(), plan.rowTiles);
  int64_t tiles = grid.batches * blocks * ceilDiv(grid.panels, plan.panels);
  if (tiles >= wanted)
    return;
  int64_t missing = ceilDiv(wanted, tiles);
  int64_t fewer = std::max<int64_t>(1, plan.panels / missing);
  missing = ceilDiv(missing, ceilDiv(plan.panels, fewer));
  plan.panels = fewer;
  plan.rowTiles = std::max<int64_t>(1, plan.rowTiles / missing);
}

/// Blocks of rows have what fits the caches or less; then their tiles have more
/// panels to be worth it.
static void cutBlocks(const Piece &piece, const WorkGrid &work,
                      ContractionPlan &plan) {
  plan.rowTiles = std::min(plan.rowTiles, piece.rows);
  plan.panels = std::clamp(ceilDiv(work.leastCells, plan.rowTiles),
                           piece.columns, work.columns);
}

/// The same for many threads, whose number decides.
static void shareForMany(const ContractionProblem &alone,
                         const ContractionProblem &problem, const Grid &grid,
                         const Target &target, ContractionPlan &plan) {
  bool takesShares = problem.constantB && areColumns(alone);
  Reading reading(problem, target);
  WorkGrid work;
  work.copies = takesShares ? 1 : grid.batches;
  work.rows = grid.rows.tiles();
  work.columns = takesShares ? grid.allPanels() : grid.panels;
  work.leastCells =
      std::max<int64_t>(1, int64_t(target.cyclesOf(leastOfMany)) / grid.unit);
  work.rowsAgain = reading.weights;
  work.columnsAgain = reading.maps;
  Piece piece = cutForMany(work, target);
  plan.panels = piece.columns;
  if (takesShares)
    plan.shares = ceilDiv(work.rows, piece.rows);
  else
    cutBlocks(piece, work, plan);
}

int64_t tenon::tile::rowsWorthAll(int64_t k, int64_t columns,
                                  int64_t elementBytes, const Target &target) {
  int64_t weights = k * columns * elementBytes;
  double line = weights > target.l2Bytes ? memoryLine : cachedLine;
  auto row = double((k + columns) * elementBytes);
  return int64_t(double(weights) * line / (row * mapLine));
}

void tenon::tile::shareOut(const ContractionProblem &alone,
                           const ContractionProblem &problem,
                           const Target &target, ContractionPlan &plan) {
  Grid grid(problem, plan);
  if (hasManyThreads(target))
    return shareForMany(alone, problem, grid, target, plan);
  if (target.isGpuThread() || !shareRows(alone, problem, grid, target, plan))
    cutFurther(grid, target, plan);
}
