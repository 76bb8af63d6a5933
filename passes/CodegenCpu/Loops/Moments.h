//===- Moments.h - mean and variance in one pass ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares how mean(x) and then mean((x - mean(x))^2), of normalised
// rows, are found in one pass over them. Sums are of what the n elements of a
// row differ from a centre c, the mean of k of them: the first vector, or one
// where each lane has a row of its own. Rows so long that a second pass would
// come from memory are sampled: c is the mean of the first of each row of a
// map, so many that n / k is as small.
//
//   S = sum(x - c),  Q = sum((x - c)^2)
//   mean = c + S / n,  variance = (Q - S^2 / n) / n
//
// The difference loses what Q is larger than the result (Chan, Golub, LeVeque:
// Algorithms for computing the sample variance, 1983). Since c is made of k of
// the elements, (c - mean)^2 is at most the variance times n / k, whatever they
// are, and about the variance / k where they are drawn alike. So Q is at most
// 1 + n / k times n * variance, and typically no more than twice.
//===----------------------------------------------------------------------===//
#ifndef TENON_PASSES_CODEGENCPU_LOOPS_MOMENTS_H
#define TENON_PASSES_CODEGENCPU_LOOPS_MOMENTS_H

#include "passes/Codegen/Groups/LoopNest.h"

namespace tenon::codegen {

/// Nodes of a nest: the elements and both reductions of them. Steps of the
/// innermost loop of which the centre is the mean, for all points of the other
/// reduced loops; 0: of the first step alone, at their first point.
struct Moments {
  unsigned element, mean, variance;
  int64_t samples = 0;

  bool has(unsigned node) const { return node == mean || node == variance; }
};

/// Whether a nest finds a mean and a variance.
bool hasMoments(const LoopNest &nest);

/// Steps of the innermost reduced loop that are enough samples; 0: there are
/// not as many.
int64_t samplesOf(const LoopNest &nest, const LoopSchedule &schedule);

/// The mean and variance that one pass computes when the nest runs as
/// scheduled; none where n / k is so large that the bound above says too
/// little.
std::optional<Moments> findMoments(const LoopNest &nest,
                                   const LoopSchedule &schedule);

} // namespace tenon::codegen

#endif // TENON_PASSES_CODEGENCPU_LOOPS_MOMENTS_H
