//===- Measure.h - comparing and timing -------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares what tenon-run finds out about a run.
//===----------------------------------------------------------------------===//
#ifndef TENON_RUN_MEASURE_H
#define TENON_RUN_MEASURE_H

#include "lib/Run/Executable.h"

namespace tenon::run {

/// How an output differs from what was expected.
struct Difference {
  std::string name;
  double maxAbs = 0;
  double maxRel = 0;
  /// The largest finite magnitude that was expected.
  double scale = 0;
  int64_t mismatches = 0;
  int64_t elements = 0;
  /// The first element out of tolerance, when there is one.
  int64_t firstIndex = -1;
  double firstGot = 0, firstExpected = 0;
  /// "'a' instead of 'b'", where these are strings.
  std::string firstStrings;
};

/// Compares element by element: floating-point within
/// |a - b| <= atol + rtol * |b|, NaN equal to NaN, infinities to themselves;
/// integers, bool and strings exactly; the tensors of sequences one by one.
/// Fails when types or shapes differ.
Result<Difference> compare(const Tensor &got, const Tensor &expected,
                           double rtol, double atol);

/// What an output looks like, for people.
std::string summarise(const Tensor &value);

struct Timing {
  int64_t runs = 0;
  double median = 0, minimum = 0, p99 = 0, mean = 0;
  double deviceMedian = 0; ///< on a GPU; 0: none was used
};

/// The distribution of `milliseconds`, which is sorted.
Timing analyse(std::vector<double> milliseconds);

/// Runs `executable` some times to warm up, then `runs` times; 0 stands for
/// enough to fill two seconds, at least 10 and at most 10000.
Result<Timing> benchmark(Executable &executable, const std::vector<Tensor> &in,
                         std::vector<Tensor> &out, int64_t runs);

/// The most memory that this process has held, in bytes.
uint64_t peakMemory();

/// Milliseconds on a steady clock.
double now();

} // namespace tenon::run

#endif // TENON_RUN_MEASURE_H
