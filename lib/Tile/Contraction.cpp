//===- Contraction.cpp - how a contraction is tiled -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file chooses the register tile by its estimated cycles, then the loop
// order and the blocks by cache sizes.
//===----------------------------------------------------------------------===//
#include "lib/Tile/Contraction.h"

#include "lib/Tile/ContractionCost.h"
#include "lib/Tile/FixedPanel.h"
#include "lib/Tile/Fold.h"
#include "lib/Tile/Join.h"
#include "lib/Tile/Shares.h"
#include <algorithm>

using namespace tenon::tile;

static int64_t product(llvm::ArrayRef<int64_t> extents) {
  int64_t result = 1;
  for (int64_t extent : extents)
    result *= extent;
  return result;
}

int64_t ContractionProblem::totalRows() const { return product(rows); }
int64_t ContractionProblem::totalK() const { return product(k); }
int64_t ContractionProblem::resultBytes() const {
  return batches * totalRows() * columns * accumulatorBytes;
}

int64_t ContractionProblem::weightBytes() const {
  return totalK() * columns * elementBytes;
}

/// What is summed in a short time and written to a C that much of the
/// second-level cache cannot hold waits for C. Long sums leave the processor
/// time to write what came before.
static bool waitsForResults(const ContractionProblem &problem,
                            const Target &target) {
  return !target.prefetchesRows && !problem.resultStays &&
         problem.totalK() <= 512 && problem.totalRows() > fewRows &&
         problem.resultBytes() > target.l2Bytes / 2;
}

/// Each joined panel is code of its own.
static constexpr int64_t mostJoinedPanels = 4;

/// Of a register tile.
static int64_t mostRows(const ContractionProblem &problem) {
  return std::min<int64_t>(problem.totalRows(), 28);
}

/// Tries all tiles with the lanes, neighbours and steps of k of `shape`; `best`
/// are the cycles of the plan at hand, 0 for none.
static void tryRegisterTiles(const ContractionProblem &alone,
                             const ContractionPlan &shape, const Target &target,
                             ContractionPlan &plan, double &best) {
  ContractionProblem problem = sideBySide(alone, shape);
  int64_t vectors = ceilDiv(problem.columns, shape.lanes);
  int64_t least = 1;
  if (shape.join > 1)
    least = ceilDiv(vectors, mostJoinedPanels);
  if (shape.fold > 1)
    least = vectors;
  bool waits = waitsForResults(alone, target);
  // Blends of whole vectors take registers beside those of unrolled steps.
  bool needsSlack =
      shape.join > 1 && vectorTime(alone, shape.lanes, target) == 1;
  for (int64_t nv = least; nv <= std::min<int64_t>(8, vectors); ++nv) {
    for (int64_t mr = 1; mr <= mostRows(problem); ++mr) {
      ContractionPlan tried = shape;
      tried.mr = mr;
      tried.nv = nv;
      tried.panel = nv * shape.lanes;
      if (registersOf(alone, tried, target) > registerLimit(target, needsSlack))
        break;
      double cycles = gridCycles(alone, tried, target);
      // Pieces of C's rows come more slowly than whole ones.
      if (waits && tried.panel < problem.columns)
        cycles *= 1.06;
      if (best != 0 && cycles >= best)
        continue;
      best = cycles;
      plan = tried;
    }
  }
}

static void chooseRegisterTile(const ContractionProblem &problem,
                               const Target &target, ContractionPlan &plan) {
  double best = 0;
  int64_t whole = target.lanes(problem.accumulatorBytes);
  auto tryShape = [&](int64_t lanes, int64_t join, int64_t fold) {
    ContractionPlan shape;
    shape.lanes = lanes;
    shape.join = join;
    shape.fold = fold;
    tryRegisterTiles(problem, shape, target, plan, best);
  };
  // Half vectors waste less behind the last column.
  auto tryWidths = [&](int64_t fold) {
    int64_t lanes =
        target.lanesFor(problem.columns * fold, problem.accumulatorBytes);
    tryShape(lanes, 1, fold);
    if (target.halfWidthUnits && lanes == whole && lanes / 2 >= fold)
      tryShape(lanes / 2, 1, fold);
  };
  tryWidths(1);
  // So do those that neighbours or steps share, if it is worth more code.
  best *= 0.96;
  if (target.halfWidthUnits)
    for (int64_t join : joinsOf(problem, whole / 2))
      tryShape(whole / 2, join, 1);
  best *= 0.968;
  for (int64_t join : joinsOf(problem, whole))
    tryShape(whole, join, 1);
  // Whole vectors of results first: what takes as long has more instructions.
  for (int64_t fold : foldsOf(problem, target))
    for (int64_t join : joinsOfFolded(problem, fold, whole))
      tryShape(whole, join, fold);
  if (target.halfWidthUnits && problem.sharesA)
    for (int64_t fold : foldsOf(problem, target))
      for (int64_t join : joinsOfFolded(problem, fold, whole / 2))
        tryShape(whole / 2, join, fold);
  for (int64_t fold : foldsOf(problem, target))
    tryWidths(fold);
  plan.mr = tileRows(sideBySide(problem, plan).rows, plan.mr).rows();
}

/// The largest step count up to 4 that divides the run, so no rest is needed.
/// Folded steps stay within a tap of a window: what the next tap reads again
/// would be kept, where there are registers for it or not.
static int64_t chooseUnroll(const ContractionProblem &problem,
                            const ContractionPlan &plan, int64_t registers,
                            const Target &target) {
  if (registers > registerLimit(target, true))
    return 1;
  int64_t run = problem.k.empty() ? 1 : problem.k.back();
  if (plan.fold > 1 && registers + plan.mr > target.registers)
    run = problem.run;
  if (run <= 8)
    return run;
  for (int64_t unroll : {4, 3, 2, 5, 7})
    if (run % unroll == 0)
      return unroll;
  return 1;
}

/// Weights that few rows only let stream by from memory are followed, too,
/// where a vector is less than a line: prefetching costs as much as it hides.
static bool prefetchesWeights(const ContractionProblem &problem,
                              const Target &target) {
  int64_t weights = problem.batches * problem.weightBytes();
  int64_t least = target.l2Bytes / (target.isMemoryBound() ? 32 : 8);
  bool follows = target.prefetchesRows || !target.vectorsAreLines();
  bool isFollowed =
      follows && problem.totalRows() <= fewRows && target.isInMemory(weights);
  return problem.constantB && weights > least && !isFollowed;
}

static int64_t panelBytes(const ContractionProblem &problem,
                          const ContractionPlan &plan) {
  return problem.totalK() * plan.panel * problem.elementBytes;
}

/// Until the first block of weights is there, all wait for it, and so few tiles
/// do not make up for that: it is this long.
static constexpr int64_t fewTiles = 64, firstBlockBytes = 32 * 1024;

/// The bytes of B's blocks where several row tiles read a panel again that
/// would not stay in the second-level cache beside A, or one that they wait
/// for; 0 for whole panels.
static int64_t kBlockBytes(const ContractionProblem &problem,
                           const ContractionPlan &plan, const Target &target) {
  int64_t tiles = tileRows(problem.rows, plan.mr).tiles();
  int64_t panel = panelBytes(problem, plan);
  // Of many threads each has a stack, and no cache to block for.
  constexpr int64_t smallStack = 1024;
  if (target.isGpuThread())
    return problem.packsB && panel > smallStack ? smallStack : 0;
  int64_t budget = target.blockingBytes() / (problem.packsB ? 16 : 4);
  // A panel packed in the kernel lives on the stack: it must be small.
  bool must = problem.packsB && panel > budget;
  if (tiles < 2 && !must)
    return 0;
  if (target.isMemoryBound() && prefetchesWeights(problem, target) &&
      tiles * ceilDiv(problem.columns, plan.panel) <= fewTiles)
    return firstBlockBytes;
  return panel > budget ? budget / 2 : 0;
}

/// Iterations of the outermost k loop in a block.
static int64_t chooseKBlock(const ContractionProblem &problem,
                            const ContractionPlan &plan, const Target &target) {
  int64_t bytes = kBlockBytes(problem, plan, target);
  if (bytes == 0)
    return 0;
  int64_t outer = problem.k.front();
  int64_t outerBytes = panelBytes(problem, plan) / outer;
  int64_t block = std::max<int64_t>(1, bytes / outerBytes);
  if (problem.k.size() == 1)
    block = std::max(plan.unroll, block / plan.unroll * plan.unroll);
  return block >= outer ? 0 : block;
}

/// How many register tiles ahead of its stores C is prefetched. One, so that it
/// comes while that tile is summed; more where this takes less time than C
/// takes. Whole lines need no wait: prefetching them early costs more.
static int64_t tilesAhead(const ContractionProblem &problem,
                          const ContractionPlan &plan, const Target &target) {
  constexpr double cyclesAway = 256, leastCycles = 32;
  if (plan.lanes * problem.accumulatorBytes >= lineBytes)
    return 1;
  double cycles = std::max(tileCycles(problem, plan, target), leastCycles);
  return 1 + int64_t(cyclesAway / cycles);
}

/// Whether all panels of a few rows follow each other: C in memory, or that
/// very short sums wait for, is written by whole rows, and reading B again from
/// the first-level cache costs little.
static bool finishesRows(int64_t resultBytes, int64_t weights,
                         const Target &target, const ContractionPlan &plan) {
  constexpr int64_t fewTilesAhead = 4;
  bool isFar =
      target.isInMemory(resultBytes) || plan.fetchResults > fewTilesAhead;
  return isFar && weights <= target.l1Bytes / 2;
}

static void chooseGrid(const ContractionProblem &problem, int64_t resultBytes,
                       const Target &target, ContractionPlan &plan) {
  int64_t rowTiles = tileRows(problem.rows, plan.mr).tiles();
  int64_t panels = ceilDiv(problem.columns, plan.panel);
  int64_t k = problem.totalK();
  int64_t weights = k * problem.columns * problem.elementBytes;
  int64_t unit = std::max<int64_t>(1, k * plan.mr * plan.nv);
  plan.panelsOuter =
      weights > target.l2Bytes * 3 / 10 || problem.totalRows() <= 200;
  // What a pass over k reads again stays.
  int64_t rowBytes = problem.rowBytes;
  if (plan.kBlock)
    rowBytes = ceilDiv(rowBytes * plan.kBlock, problem.k.front());
  int64_t tileBytes = std::max<int64_t>(1, rowBytes * plan.mr);
  // Accumulators wait on the stack between k blocks.
  int64_t stack =
      plan.kBlock == 0
          ? rowTiles
          : 65536 / (plan.mr * plan.nv * plan.lanes * problem.accumulatorBytes);
  int64_t fits = std::max<int64_t>(1, target.l2Bytes / 2 / tileBytes);
  int64_t least = ceilDiv(leastTileWork, unit);
  if (plan.panelsOuter) {
    // Each block of rows reads the panel again, and its A but once: no more
    // of them than threads need.
    int64_t blocks =
        std::min(ceilDiv(rowTiles, fits), ceilDiv(balancedTiles, panels));
    plan.rowTiles =
        std::min(ceilDiv(rowTiles, blocks), std::max<int64_t>(1, stack));
    plan.panels = std::min(panels, ceilDiv(least, plan.rowTiles));
  } else {
    plan.panels = panels;
    int64_t enough = std::max(ceilDiv(least, panels), ceilDiv(96, plan.mr));
    plan.rowTiles =
        std::min({rowTiles, fits, enough, std::max<int64_t>(1, stack)});
    if (panels > 1 && finishesRows(resultBytes, weights, target, plan))
      plan.rowTiles = 1;
  }
}

/// Rows that much of the second-level cache cannot hold come from afar, and the
/// hardware prefetches only those that it has seen. Vectors of less than a line
/// have so little to do for each row that prefetching costs more, unless they
/// wait for memory.
static bool comesFromAfar(int64_t bytes, const Target &target,
                          bool panelsOuter) {
  if (!target.vectorsAreLines())
    return target.isInMemory(bytes);
  // Rows that each panel reads again had better stay.
  return bytes > (panelsOuter ? target.l2Bytes : target.l2Bytes / 2);
}

/// Rows in use had better stay, too.
static bool prefetchesRows(const ContractionProblem &problem,
                           const Target &target, const ContractionPlan &plan) {
  int64_t rows = problem.batches * problem.totalRows();
  bool walksRows =
      (plan.rowTiles > 1 || !plan.panelsOuter) && problem.k.size() == 1;
  if (!walksRows || target.prefetchesRows)
    return false;
  RowTiling tiling = tileRows(problem.rows, plan.mr);
  return comesFromAfar(rows * problem.rowBytes, target, plan.panelsOuter) &&
         !losesRows(problem, tiling.outer.height, 2 * tiling.inner.height,
                    plan.nv, target);
}

/// All of a plan but its register tile.
static void chooseLoops(const ContractionProblem &alone, const Target &target,
                        ContractionPlan &plan) {
  ContractionProblem problem = sideBySide(alone, plan);
  plan.unroll =
      chooseUnroll(problem, plan, registersOf(alone, plan, target), target);
  plan.kBlock = chooseKBlock(problem, plan, target);
  if (plan.kBlock == 0 && waitsForResults(alone, target))
    plan.fetchResults = tilesAhead(problem, plan, target);
  chooseGrid(problem, alone.resultBytes(), target, plan);
  shareOut(alone, problem, target, plan);
  plan.prefetch = plan.panelsOuter && prefetchesWeights(problem, target);
  plan.fetchRows = prefetchesRows(problem, target, plan);
}

ContractionPlan tenon::tile::plan(const ContractionProblem &alone,
                                  const Target &target) {
  ContractionPlan plan;
  if (alone.columns > 1 || (alone.sharesA && alone.joinable > 1))
    chooseRegisterTile(alone, target, plan);
  if (sideBySide(alone, plan).columns == 1)
    return planDots(alone, target);
  chooseLoops(alone, target, plan);
  return plan;
}

std::optional<ContractionPlan>
tenon::tile::planForPanel(const ContractionProblem &problem, int64_t panel,
                          const Target &target) {
  ContractionPlan plan;
  plan.lanes = target.lanesFor(problem.columns, problem.accumulatorBytes);
  if (panel % plan.lanes && target.halfWidthUnits)
    plan.lanes /= 2;
  if (problem.columns < 2 || panel < 2 || panel % plan.lanes)
    return std::nullopt;
  plan.panel = panel;
  plan.nv = panel / plan.lanes;
  int64_t rows = 0;
  double best = 0;
  for (plan.mr = 1; plan.mr <= mostRows(problem); ++plan.mr) {
    if (registersOf(problem, plan, target) > registerLimit(target, false))
      break;
    double cycles = gridCycles(problem, plan, target);
    if (rows && cycles >= best)
      continue;
    best = cycles;
    rows = plan.mr;
  }
  if (!rows)
    return std::nullopt;
  plan.mr = tileRows(problem.rows, rows).rows();
  chooseLoops(problem, target, plan);
  return plan;
}

static llvm::Error invalid(const llvm::Twine &reason) {
  return llvm::createStringError("invalid contraction plan: " + reason);
}

llvm::Error tenon::tile::validate(const ContractionProblem &problem,
                                  const ContractionPlan &plan,
                                  const Target &target) {
  if (plan.mr < 1 || plan.nv < 1 || plan.lanes < 1 || plan.panel < 1 ||
      plan.unroll < 1 || plan.kBlock < 0 || plan.rowTiles < 1 ||
      plan.panels < 1 || plan.join < 1 || plan.fold < 1 || plan.shares < 0 ||
      plan.fetchResults < 0)
    return invalid("a size is not positive");
  if (sideBySide(problem, plan).columns == 1 && plan.mr > plan.lanes)
    return invalid("the sums of a block do not fit one vector");
  if (plan.shares > tileRows(sideBySide(problem, plan).rows, plan.mr).tiles())
    return invalid("a share has no rows");
  if (ceilDiv(plan.panel, plan.lanes) != plan.nv)
    return invalid("the panel does not fill its vectors");
  if (plan.lanes > std::max<int64_t>(1, target.lanes(problem.accumulatorBytes)))
    return invalid("vectors are wider than the target's");
  if (!canJoin(problem, plan) || !canBlend(folded(problem, plan.fold), plan))
    return invalid("so many neighbours cannot be joined");
  if (!canFold(problem, plan))
    return invalid("so many steps of k cannot be folded");
  if (registersOf(problem, plan, target) >
      registerLimit(target, plan.unroll > 1))
    return invalid("the register tile does not fit the registers");
  int64_t run = problem.k.empty() ? 1 : problem.k.back() / plan.fold;
  if (run % plan.unroll != 0)
    return invalid("the unroll factor does not divide the run");
  if (problem.k.size() == 1 && plan.kBlock % plan.unroll != 0)
    return invalid("the k block is not a multiple of the unroll factor");
  return llvm::Error::success();
}
