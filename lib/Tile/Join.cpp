//===- Join.cpp - columns of neighbours side by side ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Tile/Join.h"

#include "lib/Tile/Rows.h"
#include <algorithm>

using namespace tenon::tile;

llvm::SmallVector<LaneRun, 2>
tenon::tile::laneRuns(int64_t columns, int64_t first, int64_t count) {
  llvm::SmallVector<LaneRun, 2> runs;
  for (int64_t lane = 0; lane < count;) {
    int64_t member = (first + lane) / columns,
            column = (first + lane) % columns;
    int64_t lanes = std::min(count - lane, columns - column);
    runs.push_back({lane, lanes, member, column});
    lane += lanes;
  }
  return runs;
}

ContractionProblem tenon::tile::joined(const ContractionProblem &problem,
                                       int64_t join) {
  ContractionProblem result = problem;
  if (join == 1)
    return result;
  result.batches /= join;
  result.columns *= join;
  result.rowBytes *= problem.sharesA ? 1 : join;
  return result;
}

llvm::SmallVector<int64_t>
tenon::tile::joinsOf(const ContractionProblem &problem, int64_t lanes) {
  llvm::SmallVector<int64_t> joins;
  if (!problem.constantB)
    return joins;
  ContractionPlan plan;
  plan.lanes = lanes;
  int64_t alone = ceilDiv(problem.columns, plan.lanes);
  int64_t most = std::min(problem.joinable, plan.lanes);
  for (plan.join = 2; plan.join <= most; ++plan.join) {
    int64_t vectors = ceilDiv(plan.join * problem.columns, plan.lanes);
    if (problem.joinable % plan.join == 0 && vectors < plan.join * alone &&
        canBlend(problem, plan))
      joins.push_back(plan.join);
  }
  return joins;
}

bool tenon::tile::canJoin(const ContractionProblem &problem,
                          const ContractionPlan &plan) {
  if (problem.joinable % plan.join == 0)
    return true;
  int64_t plane = problem.joinable * problem.columns * plan.fold;
  return problem.sharesA && plan.join % problem.joinable == 0 &&
         problem.planes % (plan.join / problem.joinable) == 0 &&
         plane % plan.lanes == 0;
}

int64_t tenon::tile::blendRegisters(const ContractionProblem &problem,
                                    const ContractionPlan &plan) {
  if (plan.join == 1 || problem.sharesA || plan.fold > 1)
    return 0;
  // Another A and the blend of both.
  return 2;
}

bool tenon::tile::canBlend(const ContractionProblem &problem,
                           const ContractionPlan &plan) {
  if (problem.sharesA)
    return true;
  int64_t columns = problem.columns * plan.join;
  for (int64_t first = 0; first < columns; first += plan.lanes)
    if (laneRuns(problem.columns, first, std::min(plan.lanes, columns - first))
            .size() > 2)
      return false;
  return true;
}

double tenon::tile::blendCycles(const ContractionProblem &problem,
                                const ContractionPlan &plan, int64_t first,
                                int64_t count, double vector) {
  constexpr double broadcast = 0.3;
  const double blend = vector < 1 ? 0.2 : 0.4;
  if (problem.sharesA)
    return broadcast;
  // The first broadcast takes as long for half a vector.
  double cycles = broadcast * (1 - vector);
  int64_t last = -1;
  for (int64_t at = first; at < first + count; at += plan.lanes) {
    auto runs =
        laneRuns(problem.columns, at, std::min(plan.lanes, first + count - at));
    cycles += blend * vector * double(runs.size() > 1);
    for (const LaneRun &run : runs)
      cycles += run.member > last ? broadcast * vector : 0;
    last = runs.back().member;
  }
  return cycles;
}
