//===- Budget.cpp - how many bytes a step may take ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/Checkpoint/Budget.h"

using namespace tenon::checkpoint;

std::optional<int64_t> Budget::bytesOf(int64_t arena) const {
  if (kind == Bytes)
    return bytes;
  if (kind == Fraction)
    return int64_t(fraction * double(arena));
  return std::nullopt;
}

std::optional<Budget> tenon::checkpoint::parseBudget(llvm::StringRef text) {
  Budget budget;
  if (text == "free")
    return budget;
  if (text == "none") {
    budget.kind = Budget::None;
    return budget;
  }
  if (text.contains('.')) {
    budget.kind = Budget::Fraction;
    bool isBad = text.getAsDouble(budget.fraction);
    bool inRange = budget.fraction > 0 && budget.fraction <= 1;
    return isBad || !inRange ? std::nullopt : std::optional(budget);
  }
  budget.kind = Budget::Bytes;
  if (text.getAsInteger(10, budget.bytes) || budget.bytes < 0)
    return std::nullopt;
  return budget;
}
