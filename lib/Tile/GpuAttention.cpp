//===- GpuAttention.cpp - two products and a softmax between --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Tile/GpuAttention.h"

#include "lib/Tile/Rows.h"
#include <algorithm>
#include <limits>

using namespace tenon::tile;

/// Columns that are read from shared memory together.
static constexpr int64_t columnsRead = 16;

int64_t GpuAttention::depthBlocks() const {
  return ceilDiv(depth, keysOfWarp());
}

int64_t GpuAttentionPlan::steps(const GpuAttention &problem) const {
  return ceilDiv(problem.keys, keysOfStep(problem));
}

int64_t GpuAttentionPlan::blocks(const GpuAttention &problem) const {
  return problem.batches * ceilDiv(problem.rows, rows());
}

/// So that threads share out the copies of 16 bytes.
int64_t GpuAttentionPlan::columns(const GpuAttention &problem) const {
  int64_t multiple = std::max(columnsRead, threads() / 8);
  return ceilDiv(problem.width, multiple) * multiple;
}

int64_t tenon::tile::sharedBytes(const GpuAttention &problem,
                                 const GpuAttentionPlan &plan,
                                 const GpuAttentionParts &parts) {
  int64_t pitch = ceilDiv(problem.width, columnsRead) * columnsRead;
  // Each row has its sums, and its maximum and the sum of its weights.
  int64_t results =
      plan.warpKeys * plan.rows() * (pitch + gpuSumPadding + 2) * 4;
  return std::max(parts.queries + plan.stages * (parts.keys + parts.values),
                  results);
}

/// Of the largest parts that it may need.
static int64_t mostShared(const GpuAttention &problem,
                          const GpuAttentionPlan &plan) {
  GpuProduct product{.elementBytes = problem.elementBytes};
  auto most = [&](int64_t count) {
    return std::max(stageBytes(product, count, true),
                    stageBytes(product, count, false));
  };
  int64_t depth = problem.depthBlocks();
  return sharedBytes(problem, plan,
                     {depth * most(plan.rows()),
                      depth * most(plan.keysOfStep(problem)),
                      plan.warpKeys * most(plan.columns(problem))});
}

/// Of a thread, roughly.
static int64_t wordsOf(const GpuAttention &problem) {
  constexpr int64_t addresses = 48;
  bool isSplit = problem.terms() > 1;
  int64_t results = ceilDiv(problem.width, columnsRead) * 8;
  int64_t scores = problem.keysOfWarp() / 2;
  int64_t loaded = problem.loads * scores;
  return addresses + results + scores * (isSplit ? 3 : 2) + loaded;
}

//===-- Rules -------------------------------------------------------------===//

static llvm::Error invalid(const char *why) {
  return llvm::createStringError(std::string("the plan of the attention ") +
                                 why);
}

llvm::Error tenon::tile::validate(const GpuAttention &problem,
                                  const GpuAttentionPlan &plan,
                                  const GpuTarget &target) {
  auto isPower = [](int64_t number) {
    return number > 0 && (number & (number - 1)) == 0;
  };
  // Each thread copies as much of the rows of Q, and of the keys of a warp.
  if (!isPower(plan.warpRows) || !isPower(plan.warpKeys) || plan.warpKeys > 4 ||
      plan.threads() > 256 || problem.keysOfWarp() * 8 < plan.warpRows * 32)
    return invalid("has warps that do not share out copies");
  bool isShort = plan.steps(problem) == 1;
  if (plan.stages < (isShort ? 1 : 2) || plan.stages > 4)
    return invalid("has too few or too many stages");
  if (mostShared(problem, plan) > target.sharedBytes)
    return invalid("needs more shared memory than a block may have");
  int64_t registers = wordsOf(problem);
  if (registers > 255 || registers * plan.threads() > target.registers)
    return invalid("needs more registers than there are");
  return llvm::Error::success();
}

//===-- Time --------------------------------------------------------------===//

/// Blocks that a multiprocessor has at once.
static int64_t togetherOf(const GpuAttention &problem,
                          const GpuAttentionPlan &plan,
                          const GpuTarget &target) {
  int64_t byShared = target.processorShared / mostShared(problem, plan);
  int64_t byRegisters = target.registers / (wordsOf(problem) * plan.threads());
  return std::clamp<int64_t>(std::min(byShared, byRegisters), 1, 8);
}

/// As that of products; a step waits for its keys, then for its values, and has
/// the exponentials between, 16 of which a multiprocessor begins in a cycle.
double tenon::tile::estimateTime(const GpuAttention &problem,
                                 const GpuAttentionPlan &plan,
                                 const GpuTarget &target) {
  const GpuFit &fit = target.fit;
  double latency = fit.attentionLatency, joining = fit.attentionJoin;
  double reached = target.wgmma ? 0.52 : 0.85;
  double weight = weightOf(problem.unit);
  auto processors = double(target.processors);
  double scores = double(plan.rows() * plan.keysOfStep(problem));
  double products =
      2.0 * scores * double(problem.depth + problem.width) * weight;
  double compute = products / (target.tensorFlops * reached / processors) +
                   scores * double(1 + problem.loads) / fit.scoresPerTime;
  double alone = latency + compute * std::max(1.0, 4.0 * warpLanes /
                                                       double(plan.threads()));
  double perProcessor = target.l2PerTime / processors;
  double near = double(plan.keysOfStep(problem) * problem.elementBytes *
                       (problem.depth + problem.width)) /
                perProcessor;
  int64_t each = ceilDiv(plan.blocks(problem), target.processors);
  auto turns = double(ceilDiv(each, togetherOf(problem, plan, target)));
  double perStep =
      std::max({alone * turns, compute * double(each), near * double(each)});
  double results = double(plan.rows() * problem.width * 4 * each) *
                   double(plan.warpKeys) / perProcessor;
  auto steps = double(plan.steps(problem));
  // On average; blocks with many are the first ones.
  if (plan.causal)
    steps = (steps + 1) / 2;
  double time = steps * perStep + results + (plan.warpKeys > 1 ? joining : 0);
  return fit.attentionStart +
         std::max(time, double(problem.bytes) / target.memoryBytes);
}

//===-- Choice ------------------------------------------------------------===//

GpuAttentionPlan tenon::tile::plan(const GpuAttention &problem,
                                   const GpuTarget &target) {
  GpuAttentionPlan best{.warpRows = 1, .warpKeys = 1, .stages = 2};
  double least = std::numeric_limits<double>::infinity();
  for (int64_t warpRows : {4, 2, 1, 8})
    for (int64_t warpKeys : {1, 2, 4})
      for (int64_t stages : {1, 2, 3}) {
        GpuAttentionPlan candidate{warpRows, warpKeys, stages, problem.causal};
        if (stages > candidate.steps(problem) ||
            llvm::errorToBool(validate(problem, candidate, target)))
          continue;
        double own = estimateTime(problem, candidate, target);
        if (own < least) {
          least = own;
          best = candidate;
        }
      }
  return best;
}
