//===- Winograd.cpp - when and how to use Winograd ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Tile/Winograd.h"

#include "lib/Tile/Pieces.h"
#include <algorithm>
#include <cmath>

using namespace tenon::tile;

int64_t tenon::tile::winogradTaps(int64_t side, int64_t rank) {
  bool isExact = side == 5 || (side == 7 && rank == 1);
  return isExact ? side : 3;
}

int64_t WinogradDim::tiles(int64_t m) const {
  return ceilDiv(extent, dilation * m);
}

llvm::SmallVector<int64_t, 3> WinogradDim::outputs(int64_t m) const {
  int64_t before = (tiles(m) - 1) * m;
  llvm::SmallVector<int64_t, 3> counts;
  if (before > 0)
    counts.push_back(m);
  for (int64_t phase : {ceilDiv(extent, dilation), extent / dilation})
    if (counts.empty() || phase - before < counts.back())
      counts.push_back(phase - before);
  return counts;
}

int64_t WinogradProblem::tiles(int64_t m) const {
  int64_t tiles = images;
  for (const WinogradDim &dim : dims)
    tiles *= dim.dilation * dim.tiles(m);
  return tiles;
}

EvenSplit tenon::tile::winogradUnits(const WinogradProblem &problem,
                                     const WinogradPlan &plan) {
  return EvenSplit::of(problem.tiles(plan.m), plan.tile.mr);
}

/// Of filters, in all groups.
static int64_t panelsOf(const WinogradProblem &problem,
                        const WinogradPlan &plan) {
  return problem.groups * ceilDiv(problem.filters, plan.tile.panel);
}

int64_t tenon::tile::winogradItems(const WinogradProblem &problem,
                                   const WinogradPlan &plan) {
  int64_t units = winogradUnits(problem, plan).count;
  return plan.byFilters ? panelsOf(problem, plan) : units * plan.cuts;
}

bool tenon::tile::fillsChunks(const WinogradProblem &problem,
                              const WinogradPlan &plan) {
  int64_t chunks = std::min(plan.tiles, defaultThreads * chunksPerThread);
  return !plan.byFilters &&
         winogradUnits(problem, plan).count >= chunks * plan.block;
}

/// At least `elements`, whole vectors, no multiple of 2 KiB.
static int64_t padded(int64_t elements, int64_t lanes) {
  int64_t pitch = ceilDiv(elements, lanes) * lanes;
  bool aliases = pitch * int64_t(sizeof(float)) % 2048 == 0;
  return aliases ? pitch + std::max<int64_t>(lanes, 16) : pitch;
}

WinogradScratch tenon::tile::winogradScratch(const WinogradProblem &problem,
                                             const WinogradPlan &plan) {
  const ContractionPlan &tile = plan.tile;
  WinogradScratch scratch;
  scratch.units = plan.block;
  if (!problem.isTypical)
    scratch.units = std::min(plan.block, winogradUnits(problem, plan).count);
  int64_t window = problem.groups * problem.channels;
  int64_t before = (problem.windows - 1) * window; // of the last, whole vectors
  scratch.inputPitch =
      padded(before + ceilDiv(window, tile.lanes) * tile.lanes, tile.lanes);
  scratch.inputPoint = padded(tile.mr * scratch.inputPitch, tile.lanes);
  scratch.inputUnit = problem.points(plan.m) * scratch.inputPoint;
  scratch.productPoint = padded(tile.mr * tile.panel, tile.lanes);
  scratch.productUnit = problem.points(plan.m) * scratch.productPoint;
  return scratch;
}

/// The products of one point: a row per tile, a column per filter.
static ContractionProblem productOf(const WinogradProblem &problem, int64_t m) {
  ContractionProblem product;
  product.batches = problem.groups;
  product.rows = {problem.tiles(m)};
  product.columns = problem.filters;
  product.k = {problem.depth()};
  product.rowBytes = problem.depth() * int64_t(sizeof(float));
  product.constantB = true;
  product.resultStays = true;
  return product;
}

static double filterBytes(const WinogradProblem &problem, int64_t m) {
  return double(problem.points(m) * problem.depth() * problem.groups *
                problem.filters) *
         sizeof(float);
}

//===-- Cost --------------------------------------------------------------===//

/// Cycles per point and vector of a transform: a load or store, a share of the
/// additions, and the address; of outputs also storing the product, and a share
/// of what its register tile begins with.
static constexpr double inputCycles = 4, outputCycles = 5;
/// Bytes per cycle of filters that may still be in a cache.
static constexpr double smallBytes = 4;
/// What of the shorter one shows when products and traffic overlap.
static constexpr double overlapLoss = 0.25;

/// Results in memory are read and written between the products; direct sums
/// hide it.
static double resultCycles(const WinogradProblem &problem,
                           const Target &target) {
  int64_t bytes = problem.images * problem.groups * problem.filters *
                  int64_t(sizeof(float));
  for (const WinogradDim &dim : problem.dims)
    bytes *= dim.extent;
  return target.isInMemory(bytes) ? 2 * double(bytes) / target.memoryBytes : 0;
}

static double transformCycles(const WinogradProblem &problem,
                              const WinogradPlan &plan, double ofInputs,
                              double ofOutputs) {
  auto vectors = [&](int64_t extent) {
    return double(ceilDiv(extent, plan.tile.lanes));
  };
  double vectorsOfTile =
      ofInputs * double(problem.windows) *
          vectors(problem.groups * problem.channels) +
      ofOutputs * double(problem.groups) * vectors(problem.filters);
  return double(problem.tiles(plan.m) * problem.points(plan.m)) * vectorsOfTile;
}

double tenon::tile::estimateCycles(const WinogradProblem &problem,
                                   const WinogradPlan &plan,
                                   const Target &target) {
  ContractionProblem product = productOf(problem, plan.m);
  ContractionPlan tile = plan.tile;
  tile.panelsOuter = true;
  double points = double(problem.points(plan.m));
  double products = points * estimateCycles(product, tile, target);
  double transforms = transformCycles(problem, plan, inputCycles, outputCycles);
  double bytes = filterBytes(problem, plan.m);
  int64_t units = winogradUnits(problem, plan).count;
  double passes = double(ceilDiv(units, plan.block));
  double first =
      bytes > double(target.l2Bytes) ? target.memoryBytes : smallBytes;
  double traffic = bytes / first + (passes - 1) * bytes / target.midBytes;
  return std::max(products, traffic) +
         overlapLoss * std::min(products, traffic) + transforms +
         resultCycles(problem, target);
}

//===-- Plan --------------------------------------------------------------===//

/// Vector multiply-adds that are worth handing to another thread.
static constexpr int64_t leastWork = 32768;

/// Less is not worth the larger weights, which all threads share.
static constexpr double wantedGain = 0.87;

/// Beside products on a matrix unit that are expected to take as long it takes
/// 0.75 to 0.85 of the time. They are charged with more than this already.
static constexpr double besideMatrixUnit = 0.92;

static double chargeOf(const Target &target) {
  return (target.matrixUnit ? besideMatrixUnit : 1) / wantedGain;
}

/// Reading filters that another thread reads too must take so many times what
/// transforming its inputs takes.
static constexpr double wantedTraffic = 4;

/// Whether to share out filters, not units.
static bool isByFilters(const WinogradProblem &problem,
                        const WinogradPlan &plan, const Target &target) {
  double inputs = transformCycles(problem, plan, inputCycles, 0);
  double traffic = filterBytes(problem, plan.m) / target.midBytes;
  bool isOneBlock = winogradUnits(problem, plan).count <= plan.block;
  return isOneBlock && traffic > wantedTraffic * inputs;
}

static int64_t unitWork(const WinogradProblem &problem,
                        const WinogradPlan &plan) {
  return problem.points(plan.m) * plan.tile.mr * problem.groups *
         problem.depth() * ceilDiv(problem.filters, plan.tile.lanes);
}

/// Launch tiles for many threads. A share of the units transforms its inputs
/// once for each part of the panels that is somebody else's.
static void shareForMany(const WinogradProblem &problem, const Target &target,
                         WinogradPlan &plan) {
  WorkGrid work;
  work.rows = winogradUnits(problem, plan).count;
  work.columns = panelsOf(problem, plan);
  auto cell = double(unitWork(problem, plan)) / double(work.columns);
  double inputs = transformCycles(problem, plan, inputCycles, 0);
  work.leastCells =
      std::max<int64_t>(1, int64_t(target.cyclesOf(leastOfMany) / cell));
  work.rowSetup = inputs / double(work.rows) / cell;
  work.rowsAgain = filterBytes(problem, plan.m) / target.midBytes;
  work.columnsAgain = inputs;
  Piece piece = cutForMany(work, target);
  plan.cuts = ceilDiv(work.columns, piece.columns);
  plan.tiles = ceilDiv(work.rows, piece.rows) * plan.cuts;
}

static WinogradPlan planTile(const WinogradProblem &problem,
                             const Target &target, int64_t m) {
  WinogradPlan plan;
  plan.m = m;
  plan.tile = tenon::tile::plan(productOf(problem, m), target);
  plan.tile.kBlock = 0;
  plan.tile.prefetch = filterBytes(problem, m) > double(target.l2Bytes) / 8;
  int64_t units = winogradUnits(problem, plan).count;
  WinogradScratch scratch = winogradScratch(problem, plan);
  int64_t unitBytes =
      (scratch.inputUnit + scratch.productUnit) * int64_t(sizeof(float));
  int64_t fits =
      std::max<int64_t>(1, target.blockingBytes() * 5 / 8 / unitBytes);
  plan.block = problem.isTypical ? fits : std::min(units, fits);
  if (hasManyThreads(target) && !problem.isTypical) {
    shareForMany(problem, target, plan);
    return plan;
  }
  plan.byFilters = isByFilters(problem, plan, target);
  plan.tiles = launchTiles(winogradItems(problem, plan),
                           units * unitWork(problem, plan) / leastWork);
  return plan;
}

int64_t tenon::tile::winogradUnitsOfTile(const WinogradProblem &problem,
                                         const WinogradPlan &plan) {
  return ceilDiv(leastWork, unitWork(problem, plan));
}

std::optional<WinogradUse> tenon::tile::parseWinogradUse(llvm::StringRef name) {
  for (WinogradUse use : {WinogradUse::Off, WinogradUse::Exact,
                          WinogradUse::Safe, WinogradUse::Max})
    if (name == toText(use))
      return use;
  return std::nullopt;
}

llvm::StringRef tenon::tile::toText(WinogradUse use) {
  static constexpr const char *names[] = {"off", "exact", "safe", "max"};
  return names[unsigned(use)];
}

static double allowedGrowth(WinogradUse use) {
  switch (use) {
  case WinogradUse::Off:
    return 0;
  case WinogradUse::Exact:
    return 1;
  case WinogradUse::Safe:
    return 3;
  case WinogradUse::Max:
    return INFINITY;
  }
  return 0;
}

/// Tiles ahead whose results are prefetched: a store waits for the line that it
/// misses, and lines of a tile lie a pixel apart, which no hardware prefetches.
/// Maps, inputs and results, leave the second-level cache from half of it on,
/// beside filters and scratch. Cores that wait for that cache prefetch less.
static int64_t resultsAhead(const WinogradProblem &problem,
                            const Target &target) {
  int64_t pixels = problem.images;
  for (const WinogradDim &dim : problem.dims)
    pixels *= dim.extent;
  int64_t bytes = pixels * problem.groups *
                  (problem.channels + problem.filters) * int64_t(sizeof(float));
  int64_t near =
      target.readsTwoLines() ? target.l3Bytes / 4 : target.l2Bytes / 2;
  return bytes > near && !target.prefetchesRows ? 2 : 0;
}

std::optional<WinogradPlan>
tenon::tile::planWinograd(const WinogradProblem &problem, const Target &target,
                          WinogradUse use, double otherCycles) {
  std::optional<WinogradPlan> best;
  if (problem.filters == 1) // products without columns have no panels
    return best;
  double least = otherCycles / chargeOf(target);
  for (int64_t m : {2, 4, 6}) {
    if (!hasWinograd(m, problem.taps) ||
        problem.errorGrowth(m) > allowedGrowth(use))
      continue;
    WinogradPlan plan = planTile(problem, target, m);
    double cycles = estimateCycles(problem, plan, target);
    if (cycles >= least)
      continue;
    least = cycles * wantedGain;
    best = plan;
  }
  if (best)
    best->ahead = resultsAhead(problem, target);
  return best;
}

double tenon::tile::chargedCycles(const WinogradProblem &problem,
                                  const WinogradPlan &plan,
                                  const Target &target) {
  return estimateCycles(problem, plan, target) * chargeOf(target);
}

static llvm::Error invalid(const char *reason) {
  return llvm::createStringError("invalid winograd plan: %s", reason);
}

llvm::Error tenon::tile::validate(const WinogradProblem &problem,
                                  const WinogradPlan &plan,
                                  const Target &target) {
  if (!hasWinograd(plan.m, problem.taps))
    return invalid("there is no F(m, r) for this m");
  if (plan.tiles < 1 || plan.block < 1 || plan.cuts < 1)
    return invalid("a size is not positive");
  if (plan.tiles % plan.cuts != 0 || plan.cuts > panelsOf(problem, plan))
    return invalid("tiles are not shares by parts of the panels");
  if (plan.cuts > 1 && (plan.byFilters || problem.isTypical))
    return invalid("panels are shared out twice");
  if (plan.ahead < 0)
    return invalid("prefetches results of earlier tiles");
  if (plan.tile.panel % plan.tile.lanes != 0)
    return invalid("the panel is not of whole vectors");
  ContractionPlan tile = plan.tile;
  if (problem.isTypical) // how many rows there are to share out is not known
    tile.shares = 0;
  if (llvm::Error error = validate(productOf(problem, plan.m), tile, target))
    return error;
  if (!problem.isTypical && plan.tiles > winogradItems(problem, plan))
    return invalid("a launch tile has nothing to do");
  return llvm::Error::success();
}
