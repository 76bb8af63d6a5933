//===- Budget.h - how long a solver may work --------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TENON_TOOLS_TENON_SOLVE_BUDGET_H
#define TENON_TOOLS_TENON_SOLVE_BUDGET_H

#include "llvm/Support/Error.h"
#include <cstdint>

namespace tenon {

/// Units of work, which give the same plan everywhere, or seconds, which do
/// not.
struct Budget {
  int64_t work = 500'000'000;
  double seconds = 0; ///< 0: the work counts
};

/// `500M`, `2G`, `100000` or `10s`.
llvm::Expected<Budget> parseBudget(llvm::StringRef text);

} // namespace tenon

#endif // TENON_TOOLS_TENON_SOLVE_BUDGET_H
