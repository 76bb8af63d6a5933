//===- Problem.h - placing buffers in an arena ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file states the allocation problem and its solution. Buffers live for
// half-open intervals of time; two that live at the same time may not share a
// byte. Find an offset for each so that the arena is small:
//
//   offset ^
//          |      +---------+
//          |      |    b    |         b and c never live together,
//          |  +---+----+----+--+      so they may share bytes
//          |  |   a    |   c   |
//          +--+--------+-------+--> time
//
// The problem is NP-hard (dynamic storage allocation); solvers are free
// functions in Solve.h, and validate() trusts none of them.
//===----------------------------------------------------------------------===//
#ifndef TENON_LIB_MEMORY_PROBLEM_H
#define TENON_LIB_MEMORY_PROBLEM_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <cstdint>
#include <string>
#include <vector>

namespace tenon::mem {

/// A piece of storage that is needed during [lower, upper).
struct Buffer {
  std::string id;        ///< for text and diagnostics; unique
  int64_t lower = 0;     ///< first moment of life
  int64_t upper = 0;     ///< first moment after it; above `lower`
  int64_t size = 0;      ///< bytes; may be zero
  int64_t alignment = 1; ///< of the offset; a power of two
};

/// The buffers of one arena.
struct Problem {
  std::vector<Buffer> buffers;

  /// The first thing that is wrong with the problem itself, if any.
  llvm::Error check() const;

  /// The most bytes that live at any one moment: no arena can be smaller.
  int64_t lowerBound() const;
};

/// One offset per buffer, in the problem's order.
struct Solution {
  std::vector<int64_t> offsets;
  int64_t arenaBytes = 0;
};

/// Proves a solution by brute force, in O(n^2): every pair that lives together
/// is disjoint, every offset is aligned, everything is inside the arena. Called
/// on every compilation.
llvm::Error validate(const Problem &problem, const Solution &solution);

} // namespace tenon::mem

#endif // TENON_LIB_MEMORY_PROBLEM_H
