//===- TestGemm.h - a product to plan ---------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TENON_TEST_UNIT_TESTGEMM_H
#define TENON_TEST_UNIT_TESTGEMM_H

#include "lib/Tile/Contraction.h"

namespace tenon::test {

/// f32[m, k] times a constant f32[k, n].
inline tile::ContractionProblem gemm(int64_t m, int64_t n, int64_t k) {
  tile::ContractionProblem problem;
  problem.rows = {m};
  problem.columns = n;
  problem.k = {k};
  problem.rowBytes = k * 4;
  problem.constantB = true;
  return problem;
}

} // namespace tenon::test

#endif // TENON_TEST_UNIT_TESTGEMM_H
