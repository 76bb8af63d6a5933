//===- Recurrence.cpp - how a loop over time is tiled ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Tile/Recurrence.h"

#include <algorithm>

using namespace tenon::tile;

/// Below this a barrier between steps costs more than a second thread gains:
/// some 3 us against 0.3 us.
static constexpr int64_t leastStepCycles = 10000;
/// Sequences that make multiply-adds take as long as what they share takes to
/// come from the second-level cache; more would only leave fewer tiles.
static constexpr int64_t rowsFromCache = 2;
/// Independent sums that hide an addition's latency: one sequence needs all
/// its vectors for that, more sequences rather share the loads of a vector.
static constexpr int64_t vectorsForOne = 8, vectorsForMany = 4;

static int64_t matrixBytes(const RecurrenceProblem &problem) {
  return problem.gates * problem.hidden * problem.hidden * problem.elementBytes;
}

static int64_t stepCycles(const RecurrenceProblem &problem, int64_t lanes,
                          const Target &target) {
  int64_t products =
      problem.batch * problem.gates * problem.hidden * problem.hidden / lanes;
  return std::max(products, matrixBytes(problem) / int64_t(target.nearBytes));
}

/// The sums, one row of the matrix (one vector of it when that is used only
/// once), one element of the state.
static int64_t registersOf(int64_t rows, int64_t columns) {
  return rows * columns + (rows > 1 ? columns : 1) + 1;
}

static int64_t mostRows(int64_t columns, const Target &target) {
  int64_t rows = 1;
  // Three registers are left to the scheduler where there are enough.
  int64_t most = target.registers - (target.registers > 16 ? 3 : 0);
  while (registersOf(rows + 1, columns) <= most)
    ++rows;
  return rows;
}

/// A barrier after each step pays where a step is work for several threads, and
/// sequences alone are not: they are few, or each thread would read a matrix
/// that no cache of its own holds.
static bool splitsSteps(const RecurrenceProblem &problem, int64_t lanes,
                        const Target &target) {
  bool isLarge = matrixBytes(problem) > target.l2Bytes / 2;
  bool areFew = problem.directions * problem.batch < target.enoughTiles();
  return stepCycles(problem, lanes, target) >= leastStepCycles &&
         (isLarge || areFew);
}

RecurrencePlan tenon::tile::plan(const RecurrenceProblem &problem,
                                 const Target &target) {
  RecurrencePlan plan;
  plan.lanes = std::max<int64_t>(1, target.lanes(problem.accumulatorBytes));
  plan.split = splitsSteps(problem, plan.lanes, target);
  // What lies in the first-level cache is not worth sharing.
  bool shares = problem.batch > 1 &&
                (plan.split || matrixBytes(problem) > target.l1Bytes / 2);
  int64_t vectors = shares ? vectorsForMany : vectorsForOne;
  int64_t existing = (problem.hidden + plan.lanes - 1) / plan.lanes;
  plan.vectors = std::clamp<int64_t>(vectors / problem.gates, 1,
                                     std::max<int64_t>(1, existing));
  while (plan.split && plan.vectors > 1 &&
         plan.panels(problem) < target.enoughTiles())
    plan.vectors /= 2;
  int64_t most = mostRows(problem.gates * plan.vectors, target);
  if (shares)
    plan.rows = std::min(
        {problem.batch, most, plan.split ? problem.batch : rowsFromCache});
  return plan;
}

llvm::Error tenon::tile::validate(const RecurrenceProblem &problem,
                                  const RecurrencePlan &plan,
                                  const Target &target) {
  if (plan.lanes < 1 || plan.vectors < 1 || plan.rows < 1)
    return llvm::createStringError("a recurrence's plan is empty");
  if (plan.lanes * problem.accumulatorBytes > target.vectorBytes)
    return llvm::createStringError("a recurrence's vectors are not native");
  if (registersOf(plan.rows, problem.gates * plan.vectors) > target.registers)
    return llvm::createStringError("a recurrence's register tile spills");
  return llvm::Error::success();
}
