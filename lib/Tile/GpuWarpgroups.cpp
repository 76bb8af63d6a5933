//===- GpuWarpgroups.cpp - plans for units of warpgroups ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Tile/GpuWarpgroups.h"

#include "lib/Pack/Fragments.h"
#include "lib/Tile/RankedPlans.h"
#include "lib/Tile/Rows.h"
#include "lib/Tile/TileWaves.h"
#include <algorithm>

using namespace tenon::tile;

//===-- Boxes -------------------------------------------------------------===//

int64_t RowBox::rows() const {
  int64_t product = 1;
  for (int64_t extent : extents)
    product *= extent;
  return product;
}

int64_t RowBox::count() const {
  int64_t product = 1;
  for (int64_t tile : tiles)
    product *= tile;
  return product;
}

RowBox tenon::tile::boxOf(llvm::ArrayRef<int64_t> extents, int64_t rows) {
  RowBox best;
  size_t rank = extents.size();
  auto at = [&](size_t fromEnd) {
    return fromEnd < rank ? extents[rank - 1 - fromEnd] : 1;
  };
  auto take = [&](int64_t width, int64_t height) {
    int64_t deep = std::min(at(2), rows / (width * height));
    RowBox box;
    for (auto [fromEnd, size] : {std::pair(2, deep), {1, height}, {0, width}})
      if (size_t(fromEnd) < rank) {
        box.extents.push_back(size);
        box.tiles.push_back(ceilDiv(at(fromEnd), size));
      }
    if (best.extents.empty() || box.count() <= best.count())
      best = box;
  };
  for (int64_t width = 1; width <= std::min(at(0), rows); ++width)
    for (int64_t height = 1; height <= std::min(at(1), rows / width); ++height)
      take(width, height);
  return best;
}

int64_t BoxProduct::blocks() const {
  return runs * ceilDiv(run, product.block());
}

//===-- Rules -------------------------------------------------------------===//

static constexpr int64_t barrierBytes = 8;

int64_t tenon::tile::boxedBytes(const BoxProduct &problem,
                                const GpuProductPlan &plan) {
  constexpr int64_t row = 128;
  return sharedBytes(plan, plan.rows * row,
                     plan.columns * problem.columnBytes()) +
         2 * barrierBytes * plan.stages;
}

static llvm::Error invalid(const char *why) {
  return llvm::createStringError(std::string("the plan of boxes ") + why);
}

llvm::Error tenon::tile::validateBoxes(const BoxProduct &problem,
                                       const GpuProductPlan &plan,
                                       const GpuTarget &target) {
  // Sums of a block are apart from those of all where numbers are split.
  int64_t most = problem.isSplit() ? 128 : 256;
  if (!target.wgmma || !target.tma)
    return invalid("is for units that the target does not have");
  if (problem.isSplit() && problem.run % fragmentSteps != 0)
    return invalid("is for numbers that are no sixteens");
  if ((plan.rows != 64 && plan.rows != 128) || plan.columns < 32 ||
      plan.columns > most || plan.columns % 32 || plan.group < 1)
    return invalid("has tiles that warpgroups do not cover");
  if (plan.warpRows * 16 != plan.rows || plan.warpColumns != 1)
    return invalid("has other warps than one to 16 rows");
  if (plan.stages < 2 || plan.stages > 8 ||
      boxedBytes(problem, plan) > target.sharedBytes)
    return invalid("needs more shared memory than a block may have");
  if (plan.share < 1 || plan.share > 8 || (plan.share & (plan.share - 1)) ||
      plan.share > problem.blocks() ||
      plan.rows * plan.columns % (plan.share * plan.threads() * 4))
    return invalid("shares k between too many blocks");
  return llvm::Error::success();
}

//===-- Time --------------------------------------------------------------===//

/// Of a thread that multiplies: sums, those of a block apart where numbers are
/// split, and addresses.
static int64_t boxRegisters(const BoxProduct &problem,
                            const GpuProductPlan &plan) {
  int64_t sums = plan.rows * plan.columns / plan.threads();
  return 90 + sums * (problem.isSplit() ? 2 : 1);
}

double tenon::tile::estimateBoxes(const BoxProduct &problem,
                                  const GpuProductPlan &plan,
                                  const GpuTarget &target) {
  constexpr double reached = 0.86;
  bool isWord = problem.product.elementBytes == 4;
  double weight = problem.isSplit() ? 6 : isWord ? 2 : 1;
  double products =
      2.0 * double(plan.rows * plan.columns * problem.product.block()) * weight;
  TileWork work;
  work.tiles = boxOf(problem.rows, plan.rows).count() *
               ceilDiv(problem.product.columns, plan.columns) *
               problem.product.batches;
  work.blocks = ceilDiv(problem.blocks(), plan.share);
  work.threads = plan.threads() + warpLanes;
  work.registers = boxRegisters(problem, plan);
  work.sharedBytes = boxedBytes(problem, plan);
  work.stageBytes = plan.rows * 128 + plan.columns * problem.columnBytes();
  work.latency = problem.isSplit() ? 0.4 : 0.165;
  work.compute =
      products / (target.tensorFlops * reached / double(target.processors));
  return timeOf(work, problem.product, plan, target);
}

//===-- Choice ------------------------------------------------------------===//

llvm::SmallVector<GpuProductPlan>
tenon::tile::planBoxes(const BoxProduct &problem, const GpuTarget &target,
                       size_t most) {
  RankedPlans ranked;
  auto offer = [&](const GpuProductPlan &plan) {
    if (!llvm::errorToBool(validateBoxes(problem, plan, target)))
      ranked.offer(plan, estimateBoxes(problem, plan, target));
  };
  for (int64_t rows : {128, 64})
    for (int64_t columns : {256, 128, 64, 32})
      for (int64_t share : {1, 2, 4, 8})
        for (int64_t stages : {6, 4, 3, 2})
          offer({rows, columns, rows / 16, 1,
                 std::max<int64_t>(
                     2, std::min(stages, ceilDiv(problem.blocks(), share))),
                 share, 8});
  return ranked.first(most);
}
