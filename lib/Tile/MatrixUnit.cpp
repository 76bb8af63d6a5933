//===- MatrixUnit.cpp - products of f32 on a unit for bf16 ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Tile/MatrixUnit.h"

#include <algorithm>

using namespace tenon::tile;

MatrixUnitGrid::MatrixUnitGrid(const ContractionProblem &problem)
    : batches(problem.batches),
      rowTiles(ceilDiv(problem.totalRows(), MatrixSquare::rows)),
      panels(ceilDiv(problem.columns, MatrixSquare::columns)),
      runSteps(ceilDiv(problem.k.back(), MatrixSquare::depth)),
      steps(problem.totalK() / problem.k.back() * runSteps),
      squares(double(ceilDiv(problem.totalRows(), MatrixSquare::tileRows) *
                     ceilDiv(problem.columns, MatrixSquare::tileRows)) /
              4) {}

MatrixUnitScratch tenon::tile::matrixUnitScratch(const MatrixUnitGrid &grid,
                                                 const MatrixUnitPlan &plan) {
  if (plan.keepsColumns) {
    int64_t sums = grid.keepsSums(plan) ? MatrixSquare::sumBytes : 0;
    return {grid.panels * (grid.steps * MatrixSquare::stepBytes + sums), 0};
  }
  int64_t rowTiles = plan.rowTiles;
  if (plan.byRows)
    rowTiles =
        std::min(rowTiles, ceilDiv(grid.items(plan), grid.launchTiles(plan)));
  MatrixUnitScratch scratch;
  scratch.pieces = rowTiles * plan.pass * MatrixSquare::stepBytes;
  scratch.sums =
      grid.isInPasses(plan)
          ? grid.batches * grid.rowTiles * grid.panels * MatrixSquare::sumBytes
          : 0;
  return scratch;
}

//===-- Cost --------------------------------------------------------------===//

/// In the time of a vector's multiply-add, of which there are two in a clock:
/// the 24 multiplications of a square's step, 16 clocks each, and a fifth of
/// that for loading.
static constexpr double squareCycles = 2 * 24 * 16 * 1.2;
/// Splitting a step of a row of A or of a column of B whose pieces go to the
/// second-level cache, or stay in the first-level one.
static constexpr double splitCycles = 40, splitNearCycles = 24;
/// Reading and writing a square's sums, and handing them to the epilogue.
static constexpr double sumCycles = 80, epilogueCycles = 800;
/// Until the unit is awake: some 2.5 us.
static constexpr double launchCycles = 17000;
/// Bytes that memory gives meanwhile, or takes: what pieces are written over is
/// far away when a launch begins.
static constexpr double memoryBytes = 4;

/// Of a batch: splitting a step of rows of A, a step of columns of B.
static double splitting(const ContractionProblem &problem,
                        const MatrixUnitGrid &grid,
                        const MatrixUnitPlan &plan) {
  auto rows = double(problem.totalRows());
  auto columns = double(grid.panels * MatrixSquare::columns);
  if (plan.keepsColumns)
    return rows * splitNearCycles + expectedThreads * columns * splitCycles;
  return rows * splitCycles +
         double(grid.blocks(plan)) * columns * splitNearCycles;
}

/// Without what each launch begins with.
static double workCycles(const ContractionProblem &problem,
                         const MatrixUnitGrid &grid, const MatrixUnitPlan &plan,
                         const Target &target) {
  auto steps = double(grid.steps);
  double cycles = grid.squares * (steps * squareCycles + epilogueCycles +
                                  steps / double(plan.steps) * sumCycles);
  cycles += steps * splitting(problem, grid, plan);
  cycles *= double(problem.batches);
  int64_t weights = problem.weightBytes();
  if (weights <= target.l2Bytes)
    return cycles;
  return std::max(cycles, double(weights * grid.blocks(plan)) / memoryBytes);
}

double tenon::tile::estimateCycles(const ContractionProblem &problem,
                                   const MatrixUnitPlan &plan,
                                   const Target &target) {
  MatrixUnitGrid grid(problem);
  return workCycles(problem, grid, plan, target) + launchCycles +
         double(matrixUnitScratch(grid, plan).pieces) / memoryBytes;
}

//===-- Plan --------------------------------------------------------------===//

/// Squares of rows that share what B costs to split: more gain little, and
/// leave less of a cache to steps of k.
static constexpr int64_t mostRowTiles = 8;
/// Steps of k whose B stays in the first-level cache beside its sums.
static constexpr int64_t wantedSteps = 2;
/// The same of A where that is all of k.
static constexpr int64_t mostSteps = 4;
static constexpr int64_t wantedLaunchTiles = 8;
/// Squares' steps that are worth handing to another thread.
static constexpr int64_t leastWork = 64;
/// Rows mostly stay with the thread whose launch before made them, and need
/// less scratch, which is worth so much more to do.
static constexpr double worthOfRows = 1.37;
/// Less is not worth another arithmetic.
static constexpr double wantedGain = 0.83;
/// Products of fewer steps, as attention's, take 1.1 to 1.7 of the time if B is
/// no constant.
static constexpr int64_t leastDepth = 512;

/// What the busiest thread has to do for each step, in the unit of the other
/// estimates: its part of the squares, and the operand that all threads split
/// for themselves, of which 32 rows or columns take as long.
static double busiest(const MatrixUnitGrid &grid, const MatrixUnitPlan &plan) {
  double part = busiestPart(grid.items(plan));
  double squares = double(grid.batches) * grid.squares;
  int64_t split = plan.byRows ? grid.panels : grid.rowTiles;
  return part * squares * squareCycles +
         double(split * MatrixSquare::rows) * splitCycles;
}

/// Whether to share out rows, not columns.
static bool isByRows(const MatrixUnitGrid &grid, MatrixUnitPlan plan) {
  plan.byRows = true;
  double rows = busiest(grid, plan);
  plan.byRows = false;
  return rows <= busiest(grid, plan) * worthOfRows;
}

static void shareOut(const MatrixUnitGrid &grid, MatrixUnitPlan &plan) {
  int64_t work = grid.batches * grid.rowTiles * grid.panels * grid.steps;
  if (work >= 2 * leastWork)
    plan.tiles = launchTiles(grid.items(plan), wantedLaunchTiles);
}

/// What keeps all of B, if it is small enough.
static std::optional<MatrixUnitPlan>
keepColumns(const ContractionProblem &problem, const Target &target) {
  MatrixUnitGrid grid(problem);
  MatrixUnitPlan plan;
  plan.byRows = plan.keepsColumns = true;
  plan.steps = grid.steps <= mostSteps ? grid.steps : wantedSteps;
  plan.pass = plan.steps;
  plan.prefetch = problem.constantB;
  shareOut(grid, plan);
  if (matrixUnitScratch(grid, plan).pieces > target.blockingBytes())
    return std::nullopt;
  return plan;
}

static MatrixUnitPlan inBlocks(const ContractionProblem &problem,
                               const Target &target) {
  MatrixUnitGrid grid(problem);
  MatrixUnitPlan plan;
  plan.steps = std::min(wantedSteps, grid.steps);
  int64_t blocks = ceilDiv(grid.rowTiles, mostRowTiles);
  plan.rowTiles = ceilDiv(grid.rowTiles, blocks);
  int64_t passSteps =
      target.blockingBytes() / (plan.rowTiles * MatrixSquare::stepBytes);
  int64_t passes = ceilDiv(grid.steps, std::max(plan.steps, passSteps));
  plan.pass = ceilDiv(ceilDiv(grid.steps, passes), plan.steps) * plan.steps;
  plan.pass = std::min(plan.pass, grid.steps);
  plan.byRows = isByRows(grid, plan);
  shareOut(grid, plan);
  plan.prefetch = problem.constantB &&
                  problem.batches * problem.weightBytes() > target.l2Bytes / 8;
  return plan;
}

static bool isF32(const ContractionProblem &problem) {
  return problem.elementBytes == 4 && problem.accumulatorBytes == 4;
}

std::optional<MatrixUnitPlan>
tenon::tile::planMatrixUnit(const ContractionProblem &problem,
                            const Target &target, double otherCycles) {
  bool isShort = !problem.constantB && problem.totalK() < leastDepth;
  if (!target.matrixUnit || !isF32(problem) || isShort)
    return std::nullopt;
  MatrixUnitGrid grid(problem);
  MatrixUnitPlan plan = inBlocks(problem, target);
  std::optional<MatrixUnitPlan> kept = keepColumns(problem, target);
  if (kept && workCycles(problem, grid, *kept, target) <
                  workCycles(problem, grid, plan, target))
    plan = *kept;
  if (estimateCycles(problem, plan, target) >= otherCycles * wantedGain)
    return std::nullopt;
  return plan;
}

static llvm::Error invalid(const char *reason) {
  return llvm::createStringError("invalid bf16x6 plan: %s", reason);
}

llvm::Error tenon::tile::validate(const ContractionProblem &problem,
                                  const MatrixUnitPlan &plan,
                                  const Target &target) {
  if (!target.matrixUnit)
    return invalid("the target has no matrix unit");
  if (!isF32(problem))
    return invalid("elements are not of f32");
  if (plan.rowTiles < 1 || plan.pass < 1 || plan.steps < 1 || plan.tiles < 1)
    return invalid("a size is not positive");
  if (plan.pass % plan.steps != 0 && plan.pass != MatrixUnitGrid(problem).steps)
    return invalid("a pass is not of whole blocks of B");
  if (plan.keepsColumns &&
      (!plan.byRows || plan.rowTiles != 1 || plan.pass != plan.steps))
    return invalid("what keeps B's pieces has blocks of rows");
  return llvm::Error::success();
}
