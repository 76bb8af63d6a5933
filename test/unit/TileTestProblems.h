//===- TileTestProblems.h - contractions for tests of plans -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TENON_TEST_UNIT_TILETESTPROBLEMS_H
#define TENON_TEST_UNIT_TILETESTPROBLEMS_H

#include "lib/Tile/Contraction.h"

namespace tenon::tile {

/// A 3x3 convolution of `groups` groups of as many channels as columns.
inline ContractionProblem grouped(int64_t size, int64_t groups,
                                  int64_t columns) {
  ContractionProblem problem;
  problem.batches = problem.joinable = groups;
  problem.rows = {size, size};
  problem.columns = columns;
  problem.k = {3, 3, columns};
  problem.rowBytes = columns * 4;
  problem.pitch = {size * groups * columns * 4, groups * columns * 4};
  problem.constantB = true;
  return problem;
}

inline ContractionPlan planFor(const ContractionProblem &problem,
                               const char *target) {
  return plan(problem, *findTarget(target));
}

} // namespace tenon::tile

#endif // TENON_TEST_UNIT_TILETESTPROBLEMS_H
