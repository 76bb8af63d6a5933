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
  int64_t kept = plan.keepsColumns ? grid.panels : plan.rowTiles;
  MatrixUnitScratch scratch;
  scratch.pieces =
      (MatrixSquare::passingChunks * plan.steps + kept * plan.pass) *
      MatrixSquare::stepBytes;
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
/// Splitting a step of a row of A or of a column of B: by itself, or beside
/// products, which hides most of so many for each square. What is split by
/// itself is read at the full rate of where it comes from; weights that are
/// read beside products wait for each other and for pieces.
static constexpr double splitCycles = 40, splitBesideCycles = 12;
static constexpr double hiddenSplits = 12, besideWeightCycles = 16;
/// Handing a square's sums to the epilogue.
static constexpr double epilogueCycles = 800;
/// Until the unit is awake: some 2.5 us.
static constexpr double launchCycles = 17000;
/// Bytes that the third-level cache gives meanwhile, or takes: there is what
/// pieces are written over when a launch begins.
static constexpr double pieceBytes = 4;

/// So many splits beside the products of a step.
static double besideCycles(const MatrixUnitGrid &grid, double splits) {
  double shown = std::max(0.0, splits - hiddenSplits * grid.squares);
  return splits * splitBesideCycles + shown * (splitCycles - splitBesideCycles);
}

/// Of a batch: splitting a step of rows of A, a step of columns of B.
static double splitting(const ContractionProblem &problem,
                        const MatrixUnitGrid &grid, const MatrixUnitPlan &plan,
                        const Target &target) {
  auto rows = double(problem.totalRows());
  auto columns = double(grid.panels * MatrixSquare::columns);
  if (plan.keepsColumns)
    return besideCycles(grid, rows) +
           double(target.threads) * columns * splitCycles;
  double splits = double(grid.blocks(plan)) * columns;
  double waiting =
      problem.constantB ? besideWeightCycles - splitBesideCycles : 0;
  return rows * splitCycles + besideCycles(grid, splits) + splits * waiting;
}

/// Without what each launch begins with.
static double workCycles(const ContractionProblem &problem,
                         const MatrixUnitGrid &grid, const MatrixUnitPlan &plan,
                         const Target &target) {
  auto steps = double(grid.steps);
  double cycles = grid.squares * (steps * squareCycles + epilogueCycles);
  cycles += steps * splitting(problem, grid, plan, target);
  cycles *= double(problem.batches);
  int64_t weights = problem.weightBytes();
  if (weights <= target.l2Bytes)
    return cycles;
  return std::max(cycles,
                  double(weights * grid.blocks(plan)) / target.memoryBytes);
}

/// Pieces that a launch writes over what is in the cache. Where rows are shared
/// out, the constants above were measured with an eighth of them for each.
static double firstPieces(const MatrixUnitGrid &grid, MatrixUnitPlan plan) {
  if (plan.byRows && !plan.keepsColumns && plan.tiles > 1)
    plan.rowTiles = std::min(plan.rowTiles, ceilDiv(grid.items(plan), 8));
  return double(matrixUnitScratch(grid, plan).pieces);
}

double tenon::tile::estimateCycles(const ContractionProblem &problem,
                                   const MatrixUnitPlan &plan,
                                   const Target &target) {
  MatrixUnitGrid grid(problem);
  double pieces = firstPieces(grid, plan);
  return workCycles(problem, grid, plan, target) + launchCycles +
         pieces / pieceBytes;
}

//===-- Plan --------------------------------------------------------------===//

/// Squares of rows that share what B costs to split: more gain little, and
/// leave less of a cache to steps of k.
static constexpr int64_t mostRowTiles = 8;
/// Of what `blockingBytes` gives, so much is for those of a B that is kept.
static constexpr double partForColumns = 1.5;
/// Pieces of B that few row tiles read stay in the first-level cache, so many
/// steps at once.
static constexpr int64_t fewRowTiles = 3;
/// Squares' steps that are worth handing to another thread.
static constexpr int64_t leastWork = 64;
/// Rows mostly stay with the thread whose launch before made them, and need
/// less scratch, which is worth so much more to do.
static constexpr double worthOfRows = 1.37;
/// Less is not worth another arithmetic.
static constexpr double wantedGain = 0.83;
/// Products of fewer steps, as attention's, take 1.0 to 1.1 of the time if B is
/// no constant.
static constexpr int64_t leastDepth = 512;

/// What the busiest thread has to do for each step, in the unit of the other
/// estimates: its part of the squares, and the operand that all threads split
/// for themselves, of which 32 rows or columns take as long.
static double busiest(const MatrixUnitGrid &grid, const MatrixUnitPlan &plan,
                      const Target &target) {
  double part = target.busiestPart(grid.items(plan));
  double squares = double(grid.batches) * grid.squares;
  int64_t split = plan.byRows ? grid.panels : grid.rowTiles;
  return part * squares * squareCycles +
         double(split * MatrixSquare::rows) * splitCycles;
}

/// Whether to share out rows, not columns: where a thread would have too few of
/// them, it would mostly split B.
static bool isByRows(const MatrixUnitGrid &grid, MatrixUnitPlan plan,
                     const Target &target) {
  plan.byRows = true;
  if (ceilDiv(grid.items(plan), target.threads) < fewRowTiles)
    return false;
  double rows = busiest(grid, plan, target);
  plan.byRows = false;
  return rows <= busiest(grid, plan, target) * worthOfRows;
}

static void shareOut(const MatrixUnitGrid &grid, MatrixUnitPlan &plan) {
  int64_t work = grid.batches * grid.rowTiles * grid.panels * grid.steps;
  plan.tiles = launchTiles(grid.items(plan), work / leastWork);
}

/// What keeps all of B, if it is small enough.
static std::optional<MatrixUnitPlan>
keepColumns(const ContractionProblem &problem, const Target &target) {
  MatrixUnitGrid grid(problem);
  MatrixUnitPlan plan;
  plan.byRows = plan.keepsColumns = true;
  plan.pass = plan.steps = grid.steps;
  plan.prefetch = problem.constantB;
  shareOut(grid, plan);
  auto most = double(target.blockingBytes()) * partForColumns;
  if (double(matrixUnitScratch(grid, plan).pieces) > most)
    return std::nullopt;
  return plan;
}

static MatrixUnitPlan inBlocks(const ContractionProblem &problem,
                               const Target &target) {
  MatrixUnitGrid grid(problem);
  MatrixUnitPlan plan;
  int64_t blocks = ceilDiv(grid.rowTiles, mostRowTiles);
  plan.rowTiles = ceilDiv(grid.rowTiles, blocks);
  bool isFew = plan.rowTiles <= fewRowTiles;
  int64_t passing = isFew ? 0 : MatrixSquare::passingChunks;
  int64_t passSteps = target.blockingBytes() /
                      ((plan.rowTiles + passing) * MatrixSquare::stepBytes);
  int64_t passes = ceilDiv(grid.steps, std::max<int64_t>(passSteps, 1));
  plan.pass = ceilDiv(grid.steps, passes);
  plan.steps = isFew ? std::min(MatrixSquare::nearSteps, plan.pass) : plan.pass;
  plan.byRows = isByRows(grid, plan, target);
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
                            const Target &target) {
  bool isShort = !problem.constantB && problem.totalK() < leastDepth;
  if (!target.matrixUnit || !isF32(problem) || isShort)
    return std::nullopt;
  MatrixUnitGrid grid(problem);
  MatrixUnitPlan plan = inBlocks(problem, target);
  std::optional<MatrixUnitPlan> kept = keepColumns(problem, target);
  if (kept && workCycles(problem, grid, *kept, target) <
                  workCycles(problem, grid, plan, target))
    plan = *kept;
  return plan;
}

double tenon::tile::chargedCycles(const ContractionProblem &problem,
                                  const MatrixUnitPlan &plan,
                                  const Target &target) {
  return estimateCycles(problem, plan, target) / wantedGain;
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
  if (plan.rowTiles < 1 || plan.steps < 1 || plan.tiles < 1)
    return invalid("a size is not positive");
  if (plan.pass < plan.steps)
    return invalid("a pass is shorter than its chunks");
  bool isInPasses = MatrixUnitGrid(problem).isInPasses(plan);
  bool isWhole = plan.steps == plan.pass && !isInPasses;
  if (plan.keepsColumns && (!plan.byRows || plan.rowTiles != 1 || !isWhole))
    return invalid("what keeps B's pieces has blocks of rows, or passes");
  return llvm::Error::success();
}
