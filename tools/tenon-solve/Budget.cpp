//===- Budget.cpp - how long a solver may work ----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Budget.h"

using namespace tenon;

static int64_t factorOf(char unit) {
  switch (unit) {
  case 'k':
    return 1'000;
  case 'M':
    return 1'000'000;
  case 'G':
    return 1'000'000'000;
  default:
    return 1;
  }
}

llvm::Expected<Budget> tenon::parseBudget(llvm::StringRef text) {
  Budget budget;
  llvm::StringRef number = text;
  if (number.consume_back("s")) {
    if (!number.getAsDouble(budget.seconds) && budget.seconds > 0 &&
        budget.seconds <= 1e6)
      return budget;
  } else {
    int64_t factor = text.empty() ? 1 : factorOf(text.back());
    uint64_t units = 0;
    if (factor > 1)
      number = number.drop_back();
    if (!number.getAsInteger(10, units) && units <= uint64_t(1e18) / factor) {
      budget.work = int64_t(units) * factor;
      return budget;
    }
  }
  return llvm::createStringError("--budget: '%s' is neither a count of work "
                                 "(500M, 2G) nor seconds (10s)",
                                 text.str().c_str());
}
