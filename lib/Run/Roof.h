//===- Roof.h - how fast this machine can be --------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares the measurement that kernels are held against: the peak
// rate of multiply-adds and the rates of reading and copying, by all threads
// together.
//
// Method. Every thread does the same small piece of work at the same time, in
// some rounds of a few milliseconds; a round's rate is all that was done over
// the time from the first begin to the last end, and the best round counts, so
// that a neighbour's burst does not lower the roof. The peak is a loop over 12
// independent accumulators in registers, more than latency times throughput of
// any processor we know; it is measured for a vector width, because wide
// vectors may lower the clock, and at 128 bits on x86-64 with a multiply and an
// add, as code for it has. Reading sums up a buffer of half of L2 per thread,
// of parts of L3, each twice the one before, to all of it, and of three times
// L3, in order: what a machine shares with others has less of an L3 than the
// system tells. What is larger than 256 MiB counts as memory. Copying reads
// half of such a buffer and overwrites the other half: written bytes take as
// long as read ones or, out of the caches, up to twice as long. All of it takes
// four tenths of a second, with a large L3 a whole one.
//===----------------------------------------------------------------------===//
#ifndef TENON_RUN_ROOF_H
#define TENON_RUN_ROOF_H

#include <cstdint>
#include <string>
#include <vector>

namespace tenon::run {

/// How fast vectors of one width multiply and add.
struct Peak {
  int vectorBits = 0; ///< of a GPU 0
  /// 10^9 floating-point operations per second in f32, a multiply-add being
  /// two; all threads together.
  double gflops = 0;
};

/// A place where data is met again and again, and how fast.
struct MemoryRate {
  /// "L2", "L3" or "memory".
  std::string place;
  /// The most data that this stands for: of one thread (L2), or of all;
  /// INT64_MAX for memory.
  int64_t bytes = 0;
  /// 10^9 bytes per second, read and written, all threads together.
  double gbytes = 0;
};

struct Roof {
  int threads = 1;
  std::vector<Peak> peaks;
  /// From the least data to the most: L2, parts of L3, memory. A cache that
  /// the system does not tell of is left out.
  std::vector<MemoryRate> reads;
  /// The same; empty unless asked for.
  std::vector<MemoryRate> copies;
  std::string device = {}; ///< whose roof it is; "": the processor's
};

/// Measures the peaks of the given widths, those that this processor has, and
/// the reading rates (and those of copying), in `threads` threads. A rate is
/// zero where the system refuses threads or memory.
Roof measureRoof(const std::vector<int> &vectorBits, int threads,
                 bool copies = false);

/// That of a GPU, as it is told: the peak of products, and its memory. What
/// is not known is left out.
Roof roofOfDevice(const std::string &name, double flops, double rate);

/// The vector widths in bits that this processor has, ascending.
std::vector<int> vectorWidths();

/// The processors that this process may use.
int processorCount();

/// One JSON object: "threads", "peaks", "reads", "copies" where measured.
std::string roofJson(const Roof &roof);

} // namespace tenon::run

#endif // TENON_RUN_ROOF_H
