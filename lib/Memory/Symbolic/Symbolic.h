//===- Symbolic.h - plans for every size ------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file plans memory when sizes depend on symbols: batch, sequence length.
// A plan is found once and holds for every value in the symbols' ranges.
//
//   sizes            solved for n = 512        offsets for every n
//   a: 64*n          a at 0                    a: 0
//   b: 32*n+128      b at 32768                b: 64*n
//   c: 1024          c at 49280                c: 96*n+128
//
// The order of blocks that meet, from bottom to top, is that of the solved
// corner where all are largest. A block's offset is an affine form that is
// nowhere below the ends of the blocks beneath it. Where that form would, at
// the far end of the ranges, exceed the solved offset, the offset is the
// solved one, a constant: all beneath fit there at their largest. So the
// arena never needs more than planning with the largest sizes would, and
// shrinks with the symbols where it can.
//
//   Box box = {{"n", 1, 512}};
//   Expected<SymbolicPlan> plan = planSymbolic(problem, symbolic);
//   int64_t bytes = plan->arenaAt(0, {17});
//===----------------------------------------------------------------------===//
#ifndef TENON_LIB_MEMORY_SYMBOLIC_SYMBOLIC_H
#define TENON_LIB_MEMORY_SYMBOLIC_SYMBOLIC_H

#include "lib/Memory/Planner.h"
#include "lib/Memory/Symbolic/Affine.h"

namespace tenon::mem {

/// Where to cut one symbol's range: each bound ends a bucket.
struct Buckets {
  size_t symbol = 0;
  std::vector<int64_t> bounds;

  bool operator==(const Buckets &) const = default;
};

/// The symbols of a problem, and what depends on them.
struct Symbolic {
  Box symbols;
  std::vector<Affine> sizes;           ///< for each buffer
  std::vector<Affine> deltas;          ///< for each overlay
  std::optional<Buckets> buckets = {}; ///< as asked for by the text

  /// What is wrong anywhere in the box: sizes below zero, views that leave
  /// their whole, sums that could overflow.
  llvm::Error check(const Problem &problem) const;

  /// The problem for given values of the symbols.
  Problem at(const Problem &problem, llvm::ArrayRef<int64_t> point) const;

  /// All symbols at their largest.
  std::vector<int64_t> top() const;
};

/// An offset: `base` rounded up to `alignment`, plus `delta`.
struct Place {
  Affine base;
  int64_t alignment = 1;
  Affine delta;

  int64_t at(llvm::ArrayRef<int64_t> point) const;
};

/// Offsets that hold for every point of a box.
struct SymbolicPlan {
  Box box;
  std::vector<Place> places; ///< for each buffer
  /// For each scope: ends of blocks. The arena is the largest of them, but
  /// never more than the scope's cap.
  std::vector<std::vector<Affine>> arenas;
  std::vector<int64_t> caps;

  int64_t arenaAt(unsigned scope, llvm::ArrayRef<int64_t> point) const;
  Solution at(llvm::ArrayRef<int64_t> point) const;
  /// Bytes of all arenas where they are largest.
  int64_t most() const;
};

/// A plan for every point of the symbols' box. Fails where no plan can hold
/// everywhere: lists whose later members cannot be aligned for all values,
/// overlays whose distances differ. The problem must be checked. Calls
/// solvePortfolio, or what is given.
llvm::Expected<SymbolicPlan> planSymbolic(const Problem &problem,
                                          const Symbolic &symbolic,
                                          const Planner &planner = {});

/// Proves a plan for the whole box: each pair that meets is apart by an affine
/// distance that is nowhere negative. Uses nothing that planSymbolic uses.
llvm::Error validateSymbolic(const Problem &problem, const Symbolic &symbolic,
                             const SymbolicPlan &plan);

/// One plan per bucket, in the order of the bounds. Bounds ascend and lie
/// inside of the symbol's range.
llvm::Expected<std::vector<SymbolicPlan>>
planBuckets(const Problem &problem, const Symbolic &symbolic,
            const Buckets &buckets, const Planner &planner = {});

/// At most `most` buckets of one symbol: again and again the bucket is halved
/// that saves the most bytes, summed over the symbol's values. Stops when no
/// half saves any.
llvm::Expected<Buckets> chooseBuckets(const Problem &problem,
                                      const Symbolic &symbolic, size_t symbol,
                                      unsigned most,
                                      const Planner &planner = {});

} // namespace tenon::mem

#endif // TENON_LIB_MEMORY_SYMBOLIC_SYMBOLIC_H
