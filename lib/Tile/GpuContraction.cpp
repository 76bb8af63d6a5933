//===- GpuContraction.cpp - how tensor cores are fed ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Tile/GpuContraction.h"

#include "lib/Tile/RankedPlans.h"
#include "lib/Tile/Rows.h"
#include "lib/Tile/TileWaves.h"
#include <algorithm>

using namespace tenon::tile;

/// What one instruction multiplies.
static constexpr int64_t unitRows = 16, unitColumns = 8;

int64_t GpuProduct::blocks() const {
  return std::max<int64_t>(1, ceilDiv(k, block()));
}

int64_t tenon::tile::stageBytes(const GpuProduct &problem, int64_t count,
                                bool alongK) {
  if (alongK)
    return count * 128;
  // Neighbouring steps of k begin 8 words apart, or 4 where rows are read in
  // pieces of 16 bytes.
  int64_t padding = problem.elementBytes == 4 ? 32 : 16;
  return problem.block() * (count * problem.elementBytes + padding);
}

int64_t tenon::tile::sharedBytes(const GpuProductPlan &plan, int64_t lhsStage,
                                 int64_t rhsStage) {
  int64_t sums = plan.rows * (plan.columns + gpuSumPadding) * 4;
  return std::max(plan.stages * (lhsStage + rhsStage), sums);
}

int64_t tenon::tile::registersOf(const GpuProduct &problem,
                                 const GpuProductPlan &plan) {
  constexpr int64_t addresses = 40, ofLhs = 3, ofRhs = 2;
  bool isSplit = problem.terms() > 1;
  // Each copy of a block has its own address, and bounds of windows.
  int64_t perThread = std::max<int64_t>(1, plan.threads() / problem.block());
  int64_t copies = plan.rows * ofLhs / (problem.lhsCopy * perThread) +
                   plan.columns * ofRhs / (problem.rhsCopy * perThread);
  int64_t sums = plan.tileRows() * plan.tileColumns() / warpLanes;
  int64_t operands =
      plan.tileRows() / unitRows * 4 + plan.tileColumns() / unitColumns * 2;
  // Sums of a block are apart from those of all blocks, and so are pieces.
  return addresses + copies + (sums + operands) * (isSplit ? 2 : 1);
}

//===-- Rules -------------------------------------------------------------===//

static llvm::Error invalid(const char *why) {
  return llvm::createStringError(std::string("the plan of the product ") + why);
}

/// Of the largest stages that it may need.
static int64_t mostShared(const GpuProduct &problem,
                          const GpuProductPlan &plan) {
  auto most = [&](int64_t count) {
    return std::max(stageBytes(problem, count, true),
                    stageBytes(problem, count, false));
  };
  return sharedBytes(plan, most(plan.rows), most(plan.columns));
}

static llvm::Error checkShape(const GpuProductPlan &plan) {
  for (int64_t number : {plan.rows, plan.columns, plan.warpRows,
                         plan.warpColumns, plan.share, plan.group})
    if (number < 1)
      return invalid("has a number below one");
  if (plan.rows % (unitRows * plan.warpRows) ||
      plan.columns % (2 * unitColumns * plan.warpColumns))
    return invalid("has tiles that warps do not cover");
  if (plan.rows % 16 || (plan.rows & (plan.rows - 1)) ||
      (plan.columns & (plan.columns - 1)))
    return invalid("has tiles that are no powers of two");
  return llvm::Error::success();
}

llvm::Error tenon::tile::validate(const GpuProduct &problem,
                                  const GpuProductPlan &plan,
                                  const GpuTarget &target) {
  if (llvm::Error error = checkShape(plan))
    return error;
  int64_t threads = plan.threads();
  if (threads > 512 || plan.rows * 8 % threads || plan.columns * 8 % threads)
    return invalid("has threads that do not share out copies");
  if (plan.stages < 2 || plan.stages > 8)
    return invalid("has too few or too many stages");
  if (mostShared(problem, plan) > target.sharedBytes)
    return invalid("needs more shared memory than a block may have");
  int64_t registers = registersOf(problem, plan);
  if (registers > 255 || registers * threads > target.registers)
    return invalid("needs more registers than there are");
  if (plan.share > 8 || (plan.share > 1 && !target.clusters))
    return invalid("needs clusters that there are not");
  if (plan.share > problem.blocks() ||
      plan.rows * plan.columns % (plan.share * threads * 4))
    return invalid("shares k between too many blocks");
  return llvm::Error::success();
}

//===-- Time --------------------------------------------------------------===//

double tenon::tile::weightOf(Precision unit) {
  switch (unit) {
  case Precision::F32:
    return 6;
  case Precision::TF32:
    return 2;
  case Precision::F16:
  case Precision::BF16:
    return 1;
  }
  return 1;
}

/// Of a block of k between its fragments' loads and its last product.
static double latencyOf(Precision unit) {
  switch (unit) {
  case Precision::F32:
    return 0.48;
  case Precision::TF32:
    return 0.4;
  case Precision::F16:
  case Precision::BF16:
    return 0.19;
  }
  return 0.19;
}

double tenon::tile::estimateTime(const GpuProduct &problem,
                                 const GpuProductPlan &plan,
                                 const GpuTarget &target) {
  // Warps that multiply by themselves reach a third of what Hopper's units do.
  double reached = target.wgmma ? 0.33 : 0.85;
  double products = 2.0 * double(plan.rows * plan.columns * problem.block()) *
                    weightOf(problem.unit);
  TileWork work;
  work.tiles = ceilDiv(problem.rows, plan.rows) *
               ceilDiv(problem.columns, plan.columns) * problem.batches;
  work.blocks = ceilDiv(problem.blocks(), plan.share);
  work.threads = plan.threads();
  work.registers = registersOf(problem, plan);
  work.sharedBytes = mostShared(problem, plan);
  work.stageBytes = (plan.rows + plan.columns) * 128;
  work.latency = latencyOf(problem.unit);
  work.compute =
      products / (target.tensorFlops * reached / double(target.processors));
  auto copiesOf = [&](int64_t count, int64_t each) {
    bool isWide = each * problem.elementBytes == 16;
    return isWide ? 0.0 : double(count * problem.block()) / double(each);
  };
  work.copies = (copiesOf(plan.rows, problem.lhsCopy) +
                 copiesOf(plan.columns, problem.rhsCopy)) /
                double(plan.threads());
  return timeOf(work, problem, plan, target);
}

//===-- Choice ------------------------------------------------------------===//

/// As many stages as have work and room.
static void offerStages(const GpuProduct &problem, const GpuTarget &target,
                        GpuProductPlan candidate, RankedPlans &ranked) {
  int64_t blocks = ceilDiv(problem.blocks(), candidate.share);
  for (int64_t stages : {4, 3, 2}) {
    candidate.stages = std::max<int64_t>(2, std::min(stages, blocks + 1));
    if (!llvm::errorToBool(validate(problem, candidate, target)))
      ranked.offer(candidate, estimateTime(problem, candidate, target));
  }
}

llvm::SmallVector<GpuProductPlan> tenon::tile::plans(const GpuProduct &problem,
                                                     const GpuTarget &target,
                                                     size_t most) {
  struct Warps {
    int64_t rows, columns;
  };
  RankedPlans ranked;
  for (int64_t rows : {128, 64, 32, 16})
    for (int64_t columns : {128, 64, 32, 16})
      for (Warps warps :
           {Warps{2, 4}, {4, 2}, {2, 2}, {4, 1}, {1, 4}, {1, 2}, {2, 1}})
        for (int64_t share : {1, 2, 4, 8})
          offerStages(problem, target,
                      {rows, columns, warps.rows, warps.columns, 2, share, 8},
                      ranked);
  return ranked.first(most);
}

GpuProductPlan tenon::tile::plan(const GpuProduct &problem,
                                 const GpuTarget &target) {
  // The smallest tile, which any target has room for.
  constexpr GpuProductPlan smallest{16, 32, 1, 2, 2, 1, 8};
  auto best = plans(problem, target, 1);
  return best.empty() ? smallest : best.front();
}
