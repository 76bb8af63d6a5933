//===- Planner.h - whatever places buffers ----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TENON_LIB_MEMORY_PLANNER_H
#define TENON_LIB_MEMORY_PLANNER_H

#include "lib/Memory/Problem.h"
#include <functional>

namespace tenon::mem {

/// A solver, for those who plan more than once. Where none is given they take
/// solvePortfolio. What it returns is validated.
using Planner = std::function<Solution(const Problem &)>;

} // namespace tenon::mem

#endif // TENON_LIB_MEMORY_PLANNER_H
