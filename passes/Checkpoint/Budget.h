//===- Budget.h - how many bytes a step may take ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TENON_PASSES_CHECKPOINT_BUDGET_H
#define TENON_PASSES_CHECKPOINT_BUDGET_H

#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <optional>

namespace tenon::checkpoint {

/// A budget as users write it.
struct Budget {
  enum Kind {
    Free,     ///< "free": the smallest arena that takes no time
    None,     ///< "none": nothing is computed again
    Bytes,    ///< "300000000"
    Fraction, ///< "0.25": of the arena without clones
  };
  Kind kind = Free;
  int64_t bytes = 0;
  double fraction = 1;

  /// The bytes that it means; none: any.
  std::optional<int64_t> bytesOf(int64_t arena) const;
};

/// None for anything else. Fractions are above 0 and have a point; 1 is a byte.
std::optional<Budget> parseBudget(llvm::StringRef text);

} // namespace tenon::checkpoint

#endif // TENON_PASSES_CHECKPOINT_BUDGET_H
