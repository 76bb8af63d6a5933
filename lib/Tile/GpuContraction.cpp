//===- GpuContraction.cpp - how tensor cores are fed ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Tile/GpuContraction.h"

#include "lib/Tile/Rows.h"
#include <algorithm>
#include <limits>

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

namespace {
/// Of tiles that one multiprocessor has at once.
struct Occupancy {
  int64_t tiles;    ///< in all
  int64_t each;     ///< of the busiest multiprocessor
  int64_t together; ///< that run on it side by side
};
} // namespace

static Occupancy occupancyOf(const GpuProduct &problem,
                             const GpuProductPlan &plan,
                             const GpuTarget &target) {
  Occupancy result;
  result.tiles = ceilDiv(problem.rows, plan.rows) *
                 ceilDiv(problem.columns, plan.columns) * problem.batches *
                 plan.share;
  result.each = ceilDiv(result.tiles, target.processors);
  int64_t byShared = target.processorShared / mostShared(problem, plan);
  int64_t byRegisters =
      target.registers / (registersOf(problem, plan) * plan.threads());
  result.together = std::clamp<int64_t>(std::min(byShared, byRegisters), 1, 8);
  return result;
}

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

/// Measured on an H200: launching, filling the stages and storing results take
/// 2.3 us, a block of k takes 0.11 us at least since the stages' latency is
/// in turn with the products', and adding up what clusters share 1.0 us.
double tenon::tile::estimateTime(const GpuProduct &problem,
                                 const GpuProductPlan &plan,
                                 const GpuTarget &target) {
  constexpr double start = 2.3, latency = 0.11, sharing = 1.0;
  // Warps that multiply by themselves reach half of what Hopper's units do.
  double reached = target.wgmma ? 0.52 : 0.85;
  double weight = weightOf(problem.unit);
  Occupancy occupancy = occupancyOf(problem, plan, target);
  double products = 2.0 * plan.rows * plan.columns * problem.block() * weight;
  double compute =
      products / (target.tensorFlops * reached / double(target.processors));
  // Few warps wait for their own products and for each other.
  double alone =
      std::max(latency * (weight > 2 ? 2.5 : 1.0),
               compute * std::max(1.0, 4.0 * warpLanes / plan.threads()));
  // Copies of single elements are instructions that nobody hides.
  double copies = (plan.rows * problem.block() / double(problem.lhsCopy) +
                   plan.columns * problem.block() / double(problem.rhsCopy)) /
                  double(plan.threads());
  alone += copies * 0.002;
  double nearBytes = double(plan.rows + plan.columns) * 128;
  double near = nearBytes / (target.l2PerTime / double(target.processors));
  double turns = double(ceilDiv(occupancy.each, occupancy.together));
  double blocks = double(ceilDiv(problem.blocks(), plan.share));
  double perBlock = std::max({alone * turns, compute * double(occupancy.each),
                              near * double(occupancy.each)});
  double results = double(plan.rows * plan.columns * 4) / double(plan.share) *
                   double(1 + problem.epilogueLoads) * double(occupancy.each) /
                   (target.l2PerTime / double(target.processors));
  double time = blocks * perBlock + results + (plan.share > 1 ? sharing : 0);
  return start + std::max(time, double(problem.bytes) / target.memoryBytes);
}

//===-- Choice ------------------------------------------------------------===//

namespace {
struct Best {
  const GpuProduct &problem;
  const GpuTarget &target;
  GpuProductPlan plan;
  double time = std::numeric_limits<double>::infinity();

  void consider(const GpuProductPlan &candidate) {
    if (llvm::errorToBool(validate(problem, candidate, target)))
      return;
    double own = estimateTime(problem, candidate, target);
    if (own < time) {
      time = own;
      plan = candidate;
    }
  }
};
} // namespace

/// As many as have work and room.
static void considerStages(Best &best, GpuProductPlan candidate) {
  int64_t blocks = ceilDiv(best.problem.blocks(), candidate.share);
  for (int64_t stages : {4, 3, 2}) {
    candidate.stages = std::max<int64_t>(2, std::min(stages, blocks + 1));
    best.consider(candidate);
  }
}

GpuProductPlan tenon::tile::plan(const GpuProduct &problem,
                                 const GpuTarget &target) {
  struct Warps {
    int64_t rows, columns;
  };
  // The smallest tile, which any target has room for.
  Best best{problem, target, {16, 32, 1, 2, 2, 1, 8}};
  for (int64_t rows : {128, 64, 32, 16})
    for (int64_t columns : {128, 64, 32, 16})
      for (Warps warps :
           {Warps{2, 4}, {4, 2}, {2, 2}, {4, 1}, {1, 4}, {1, 2}, {2, 1}})
        for (int64_t share : {1, 2, 4, 8})
          considerStages(
              best, {rows, columns, warps.rows, warps.columns, 2, share, 8});
  return best.plan;
}
