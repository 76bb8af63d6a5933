//===- Moments.h - mean and variance in one pass ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares how mean(x) and then mean((x - mean(x))^2), of normalised
// rows, are found in one pass over them. Sums are of what x differs from a
// centre, the first element of each lane:
//
//   S = sum(x - c),  Q = sum((x - c)^2)
//   mean = c + S / n,  variance = (Q - S^2 / n) / n
//
// Since c is one of the n elements, Q is at most 1 + n times the result's
// n * variance, whatever the elements are, and twice as large where they are
// drawn alike: so far the difference can lose precision. Lanes are combined as
// groups are (Chan, Golub, LeVeque: Updating formulae and a pairwise algorithm
// for computing sample variances, 1979).
//===----------------------------------------------------------------------===//
#ifndef TENON_PASSES_CODEGENCPU_LOOPS_MOMENTS_H
#define TENON_PASSES_CODEGENCPU_LOOPS_MOMENTS_H

#include "passes/CodegenCpu/Loops/Plan.h"

namespace tenon::codegen {

/// Nodes of a nest: the elements and both reductions of them.
struct Moments {
  unsigned element, mean, variance;

  bool has(unsigned node) const { return node == mean || node == variance; }
};

/// The mean and variance that one pass computes when the nest runs as
/// scheduled; none where a lane sums so many elements that the bound above says
/// too little.
std::optional<Moments> findMoments(const LoopNest &nest,
                                   const LoopSchedule &schedule);

} // namespace tenon::codegen

#endif // TENON_PASSES_CODEGENCPU_LOOPS_MOMENTS_H
