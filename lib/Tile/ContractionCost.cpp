//===- ContractionCost.cpp - what a contraction's plan costs --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Tile/ContractionCost.h"

#include "lib/Tile/CacheSets.h"
#include "lib/Tile/Fold.h"
#include "lib/Tile/Join.h"
#include <algorithm>
#include <cmath>

using namespace tenon::tile;

/// Registers of a tile: accumulators, one step of B, one broadcast of A, and
/// the product where there is no fused multiply-add.
static int64_t tileRegisters(int64_t mr, int64_t nv, const Target &target) {
  return mr * nv + nv + 1 + (target.fma ? 0 : 1);
}

ContractionProblem tenon::tile::sideBySide(const ContractionProblem &problem,
                                           const ContractionPlan &plan) {
  return joined(folded(problem, plan.fold), plan.join);
}

int64_t tenon::tile::registersOf(const ContractionProblem &alone,
                                 const ContractionPlan &plan,
                                 const Target &target) {
  return tileRegisters(plan.mr, plan.nv, target) + blendRegisters(alone, plan);
}

/// The scheduler hoists loads of the next step when steps are unrolled; with
/// many registers that needs slack, with few B folds into the instruction.
int64_t tenon::tile::registerLimit(const Target &target, bool unrolled) {
  if (target.registers < 32)
    return target.registers;
  return target.registers - (unrolled ? 3 : 1);
}

double tenon::tile::vectorTime(const ContractionProblem &problem, int64_t lanes,
                               const Target &target) {
  int64_t bytes = lanes * problem.accumulatorBytes;
  return target.halfWidthUnits && 2 * bytes <= target.vectorBytes ? 0.5 : 1;
}

double tenon::tile::tileCycles(const ContractionProblem &problem,
                               const ContractionPlan &plan,
                               const Target &target) {
  return double(plan.mr * plan.nv * problem.totalK()) * target.vectorCycles() *
         vectorTime(problem, plan.lanes, target);
}

namespace {
/// What one panel costs in a step of k.
struct PanelCosts {
  int64_t nv;
  double vector; ///< of one vector, in that of a whole one
  double lhs;    ///< of a row's A
  double rhs;    ///< of a vector of B
};
} // namespace

/// Cycles of one k step: multiply-adds, but never fewer than the latency of a
/// chain allows, and a share of the loads. A is in the first-level cache, B
/// farther away. Without unrolling the loop itself shows.
static double stepCycles(int64_t mr, PanelCosts panel, const Target &target) {
  int64_t nv = panel.nv;
  double cycles = panel.vector * std::max<double>(double(mr * nv), 9.0);
  // What a row loads for one vector only takes a load for each multiply-add, as
  // many as there are where two vectors are multiplied in a cycle.
  bool isAlone = nv == 1 && (!target.halfWidthUnits || panel.vector < 1);
  double lhs = panel.lhs + (isAlone ? 0.1 * panel.vector : 0);
  cycles += lhs * double(mr) + panel.rhs * double(nv);
  bool unrolled = tileRegisters(mr, nv, target) <= registerLimit(target, true);
  return unrolled ? cycles : cycles * 1.03;
}

/// The most lines that the A of so many rows, a line of each, has in a set of
/// the first-level cache.
static int64_t linesOfSet(const ContractionProblem &problem, int64_t height,
                          int64_t width) {
  size_t dims = problem.pitch.size();
  if (dims == 0)
    return 0;
  int64_t inner = problem.pitch[dims - 1];
  int64_t outer = dims > 1 ? problem.pitch[dims - 2] : 0;
  CacheSets sets;
  for (int64_t i = 0; i < height * width; ++i)
    sets.add((i / width * outer + i % width * inner) / lineBytes);
  return sets.most();
}

bool tenon::tile::losesRows(const ContractionProblem &problem, int64_t height,
                            int64_t width, int64_t nv, const Target &target) {
  // A line comes back from the second-level cache in two cycles, in one where
  // more is multiplied in a cycle.
  double refill = target.readsTwoLines() ? 1 : 2;
  if (double(nv) * target.vectorCycles() >= refill)
    return false;
  // Few rows have the next line of each on its way.
  int64_t lines = linesOfSet(problem, height, width) * (nv > 1 ? 2 : 1);
  return lines > target.l1Ways();
}

/// One panel over all rows, counting both heights.
static double panelCycles(const ContractionProblem &problem,
                          const RowTiling &rows, PanelCosts panel,
                          const Target &target) {
  double cycles = 0;
  auto tile = [&](int64_t height, int64_t width) {
    double step = stepCycles(height * width, panel, target);
    bool isSlow = losesRows(problem, height, width, panel.nv, target);
    return isSlow ? 2 * step : step;
  };
  auto add = [&](int64_t count, int64_t height) {
    if (count == 0)
      return;
    const EvenSplit &inner = rows.inner;
    cycles += double(count * inner.tall) * tile(height, inner.height);
    if (!inner.uniform())
      cycles += double(count * (inner.count - inner.tall)) *
                tile(height, inner.height - 1);
  };
  add(rows.outer.tall, rows.outer.height);
  add(rows.outer.count - rows.outer.tall, rows.outer.height - 1);
  return cycles * double(rows.rest);
}

int64_t tenon::tile::lanesOfRest(const ContractionPlan &plan, int64_t columns,
                                 int64_t accumulatorBytes,
                                 const Target &target) {
  int64_t half = plan.lanes / 2;
  bool isWhole = plan.lanes * accumulatorBytes == target.vectorBytes;
  if (!target.halfWidthUnits || !isWhole || plan.join > 1)
    return plan.lanes;
  int64_t vectors = ceilDiv(columns % plan.panel, half);
  return vectors % 2 == 1 && vectors <= plan.nv ? half : plan.lanes;
}

/// What loading a vector of B adds. Groups have little B, which half vectors
/// load from the first-level cache beside multiply-adds.
static double rhsCycles(const ContractionProblem &problem,
                        const ContractionPlan &plan, double vector,
                        const Target &target) {
  int64_t panel = problem.totalK() * plan.panel * problem.elementBytes;
  bool isNear =
      plan.join > 1 && !problem.sharesA && panel <= target.l1Bytes / 2;
  return vector * (vector < 1 && isNear ? 0.3 : 0.6);
}

/// What a vector of results that is not full adds to storing a row: a mask.
static double maskCycles(int64_t columns, int64_t lanes, const Target &target) {
  return target.halfWidthUnits && columns % lanes != 0 ? 2 : 0;
}

double tenon::tile::gridCycles(const ContractionProblem &alone,
                               const ContractionPlan &plan,
                               const Target &target) {
  ContractionProblem wide = folded(alone, plan.fold);
  ContractionProblem problem = joined(wide, plan.join);
  RowTiling rows = tileRows(problem.rows, plan.mr);
  auto cycles = [&](int64_t first, int64_t columns, int64_t lanes) {
    double vector = vectorTime(problem, lanes, target);
    PanelCosts panel = {ceilDiv(columns, lanes), vector,
                        blendCycles(wide, plan, first, columns, vector),
                        rhsCycles(problem, plan, vector, target)};
    double atEnd = panel.vector * unfoldCycles(alone, plan) +
                   maskCycles(columns, lanes, target);
    return panelCycles(problem, rows, panel, target) +
           atEnd * double(problem.totalRows()) / double(problem.totalK());
  };
  int64_t rest = problem.columns % plan.panel, full = problem.columns - rest;
  double total = 0;
  // Alone, all panels are alike.
  if (plan.join == 1)
    total = double(full / plan.panel) * cycles(0, plan.panel, plan.lanes);
  else
    for (int64_t first = 0; first < full; first += plan.panel)
      total += cycles(first, plan.panel, plan.lanes);
  if (rest)
    total += cycles(
        full, rest,
        lanesOfRest(plan, problem.columns, problem.accumulatorBytes, target));
  return total * double(problem.batches) / double(plan.fold);
}

double tenon::tile::estimateCycles(const ContractionProblem &problem,
                                   const ContractionPlan &plan,
                                   const Target &target) {
  auto steps = double(problem.totalK());
  if (sideBySide(problem, plan).columns == 1)
    steps = std::ceil(steps / double(plan.lanes));
  double cycles = steps * gridCycles(problem, plan, target);
  int64_t weights = problem.weightBytes();
  int64_t passes =
      plan.panelsOuter
          ? 1
          : ceilDiv(tileRows(sideBySide(problem, plan).rows, plan.mr).tiles(),
                    plan.rowTiles);
  // Four bytes per cycle is what main memory gives one core.
  if (weights > target.l2Bytes)
    cycles = std::max(cycles, double(weights) * double(passes) / 4.0);
  return cycles;
}
