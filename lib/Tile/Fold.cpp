//===- Fold.cpp - steps of k side by side ---------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Tile/Fold.h"

#include "lib/Tile/Rows.h"

using namespace tenon::tile;

ContractionProblem tenon::tile::folded(const ContractionProblem &problem,
                                       int64_t fold) {
  ContractionProblem result = problem;
  if (fold == 1)
    return result;
  result.columns *= fold;
  result.k.back() /= fold;
  result.run /= fold;
  return result;
}

llvm::SmallVector<int64_t>
tenon::tile::foldsOf(const ContractionProblem &problem, const Target &target) {
  llvm::SmallVector<int64_t> folds;
  int64_t lanes = target.lanes(problem.accumulatorBytes);
  // One panel, of vectors that columns alone do not fill, or are alone with
  // what their row loads.
  if (!problem.constantB || problem.elementBytes != 4 ||
      problem.columns >= 2 * lanes)
    return folds;
  for (int64_t fold = 2; fold <= lanes; fold *= 2)
    if (problem.run % fold == 0 && problem.columns * fold <= 8 * lanes)
      folds.push_back(fold);
  return folds;
}

llvm::SmallVector<int64_t>
tenon::tile::joinsOfFolded(const ContractionProblem &problem, int64_t fold,
                           int64_t lanes) {
  llvm::SmallVector<int64_t> joins;
  if (problem.sharesA) {
    int64_t columns = problem.joinable * problem.columns;
    if (!problem.rowsAdjoin || columns % lanes == 0 ||
        columns * fold % lanes != 0 || problem.joinable == 1)
      return joins;
    for (int64_t planes = 1; planes <= problem.planes; ++planes)
      if (problem.planes % planes == 0)
        joins.push_back(problem.joinable * planes);
    return joins;
  }
  int64_t fill = lanes / problem.columns;
  if (lanes % problem.columns == 0 && problem.columns * fold % lanes == 0 &&
      fill > 1 && problem.joinable % fill == 0)
    joins.push_back(fill);
  return joins;
}

bool tenon::tile::canFold(const ContractionProblem &problem,
                          const ContractionPlan &plan) {
  return plan.fold == 1 ||
         (problem.run % plan.fold == 0 && plan.lanes % plan.fold == 0 &&
          (plan.join == 1 || problem.sharesA ||
           problem.columns * plan.fold % plan.lanes == 0));
}

bool tenon::tile::fillsRows(const ContractionProblem &problem,
                            const ContractionPlan &plan) {
  int64_t members = problem.sharesA ? problem.joinable : 1;
  bool isAll =
      problem.sharesA ? plan.join % members == 0 : plan.join == members;
  return problem.rowsAdjoin && plan.fold > 1 && isAll &&
         plan.panel == plan.join * problem.columns * plan.fold &&
         members * problem.columns % plan.lanes != 0;
}

double tenon::tile::unfoldCycles(const ContractionProblem &problem,
                                 const ContractionPlan &plan) {
  // Each round puts the neighbours of two vectors side by side, twice, and adds
  // them; then lanes are sorted, and stored.
  constexpr double pair = 2.5, result = 2;
  if (plan.fold == 1)
    return 0;
  double share = 1 / double(plan.fold);
  if (fillsRows(problem, plan))
    return double(plan.nv) * (pair * (1 - share) + result * share);
  double cycles = 0;
  int64_t vectors = plan.nv;
  for (int64_t left = plan.fold; left > 1; left /= 2) {
    vectors = ceilDiv(vectors, 2);
    cycles += pair * double(vectors);
  }
  return cycles + result * double(vectors);
}
