//===- VectorPlan.cpp - who multiplies a few rows -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/CodegenGpu/Vector/VectorPlan.h"

#include "lib/Tile/Rows.h"
#include "llvm/Support/MathExtras.h"

using namespace tenon;
using namespace tenon::gpu;

/// More rows have matrix units.
static constexpr int64_t mostRows = 8;
/// Vectors that a lane has asked for: registers for four words each.
static constexpr int64_t mostLoads = 16;
/// Results of a team, each a vector of sums in every lane.
static constexpr int64_t mostResults = 8;
static constexpr int64_t mostWarps = 8, mostShare = 8, mostColumns = 4;

/// Whether all dimensions but one have a single element: the others' strides
/// say nothing.
static bool isLine(llvm::ArrayRef<OperandDim> dims) {
  return llvm::count_if(
             dims, [](const OperandDim &dim) { return dim.extent > 1; }) <= 1;
}

std::optional<VectorProblem> gpu::vectorProblem(const Product &product) {
  const OperandLayout &lhs = product.lhs, &rhs = product.rhs;
  if (lhs.rowCount() > mostRows || !lhs.windows.empty() || !isLine(lhs.k) ||
      !isLine(rhs.k) || lhs.elementBytes() != rhs.elementBytes())
    return std::nullopt;
  VectorProblem problem;
  problem.batches = product.batches();
  problem.rows = lhs.rowCount();
  problem.columns = product.column.extent;
  problem.k = lhs.kCount();
  problem.elementBytes = lhs.elementBytes();
  bool isTogether = lhs.k.back().stride == 1 && rhs.k.back().stride == 1;
  problem.vector =
      isTogether ? std::min(lhs.copyElements(), rhs.copyElements()) : 1;
  problem.bytes = product.problem(tile::Precision::F32).bytes;
  return problem;
}

/// Where a loop follows, the next vectors are on their way beside them.
int64_t gpu::loadsAtOnce(const VectorProblem &problem, const VectorPlan &plan) {
  int64_t loads = problem.loads(plan);
  if (loads * plan.columns <= mostLoads)
    return loads;
  return std::max<int64_t>(1, mostLoads / 2 / plan.columns);
}

bool gpu::isValid(const VectorProblem &problem, const VectorPlan &plan) {
  for (int64_t number : {plan.team, plan.columns, plan.share, plan.groups})
    if (number < 1)
      return false;
  return llvm::isPowerOf2_64(uint64_t(plan.team)) &&
         plan.team <= tile::warpLanes &&
         (plan.share == 1 || plan.team == tile::warpLanes) &&
         plan.columns <= mostColumns && plan.share <= mostShare &&
         plan.warps() <= mostWarps &&
         (plan.columns == 1 || problem.rows * plan.columns <= mostResults);
}

/// As many warps as hide the way to memory have columns first, then k. Several
/// rows are read for each column, or for a few at once.
VectorPlan gpu::planVectors(const VectorProblem &problem,
                            const tile::GpuTarget &target) {
  constexpr int64_t busyWarps = 8;
  int64_t busy = target.processors * busyWarps;
  VectorPlan plan;
  int64_t vectors = tile::ceilDiv(problem.k, problem.vector);
  plan.team =
      std::min(tile::warpLanes, int64_t(llvm::PowerOf2Ceil(uint64_t(vectors))));
  auto warps = [&] { return problem.blocks(plan) * plan.warps(); };
  while (
      plan.columns < mostColumns && warps() >= 2 * busy &&
      2 * plan.columns * problem.rows <= mostResults &&
      (2 * plan.columns * problem.loads(plan) <= mostLoads || problem.rows > 1))
    plan.columns *= 2;
  while (plan.share < mostShare && plan.team == tile::warpLanes &&
         warps() < busy && problem.loads(plan) > mostLoads)
    plan.share *= 2;
  while (2 * plan.warps() <= mostWarps &&
         problem.blocks(plan) >= 4 * target.processors)
    plan.groups *= 2;
  return plan;
}

/// A launch, and what takes longest: traffic, turns of loads that wait for each
/// other, or the rows, which every team reads for itself.
double gpu::estimateTime(const VectorProblem &problem, const VectorPlan &plan,
                         const tile::GpuTarget &target) {
  constexpr double latency = 0.5, warpsEach = 24, nearBytes = 2e5,
                   reached = 0.5;
  double traffic = double(problem.bytes) / target.memoryBytes;
  auto turns =
      double(tile::ceilDiv(problem.loads(plan), loadsAtOnce(problem, plan)));
  double warps = double(problem.blocks(plan) * plan.warps());
  double waves = std::max(1.0, warps / (warpsEach * double(target.processors)));
  auto rows = double(problem.batches * problem.rows * problem.k);
  double teams = double(tile::ceilDiv(problem.columns, plan.columns));
  double near = rows * double(problem.elementBytes) * teams /
                (nearBytes * double(target.processors));
  double products =
      2 * rows * double(problem.columns) / (target.flops * reached);
  return tile::shortestKernel +
         std::max({traffic, latency * turns * waves, near, products});
}
