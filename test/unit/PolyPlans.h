//===- PolyPlans.h - programs as one group ----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file makes plans of programs and says what is wrong with them.
//===----------------------------------------------------------------------===//
#ifndef TENON_TEST_UNIT_POLYPLANS_H
#define TENON_TEST_UNIT_POLYPLANS_H

#include "PolyPrograms.h"
#include "lib/Poly/Execute.h"

namespace poly_plans {
using namespace poly_programs;

inline std::string complaint(const Program &program, const Plan &plan,
                             uint64_t seed = 1) {
  return llvm::toString(compare(program, plan, seed));
}

inline Plan wholePlan(const Program &program, std::vector<int64_t> sizes) {
  return planOf(program, program.whole(std::move(sizes)));
}

} // namespace poly_plans

#endif // TENON_TEST_UNIT_POLYPLANS_H
