//===- Profile.h - where the time of a run goes -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares how launches are held against the roof of the machine,
// and the table and the trace that are made of them.
//===----------------------------------------------------------------------===//
#ifndef TENON_RUN_PROFILE_H
#define TENON_RUN_PROFILE_H

#include "lib/Run/Executable.h"
#include "lib/Run/Roof.h"

namespace tenon::run {

/// The profile of some runs of one executable.
struct Profile {
  /// In program order.
  std::vector<ProfileRow> launches;
  /// Of the vectors and threads that the runs used.
  Roof roof;
  /// All data that a run goes through again and again: weights and arena.
  int64_t footprint = 0;
};

/// How a row stands to the roof. Fractions are 0 where the roof is unknown.
struct Standing {
  double gflops = 0, gbytes = 0;
  /// Of the peak, and of the reading rate of `place`.
  double ofPeak = 0, ofRead = 0;
  /// Where the data would be at best: L2 when a launch's data fit there, else
  /// L3 when the footprint does, else memory.
  std::string place;
  /// The roof that is the lower one for this row: "compute" or "memory", or
  /// "-" when nothing is known.
  const char *bound = "-";
};

/// Judges a launch, or launches of equal work that were added up.
Standing judge(const Profile &profile, const ProfileRow &row);

/// One row for each kernel: its launches added up, `calls` being all of them
/// over all runs; `tiles`, `flops` and `bytes` stay those of one launch.
std::vector<ProfileRow> groupByKernel(const std::vector<ProfileRow> &launches);

/// The table, slowest first, with a line on the roof above and a total below.
/// One row for each kernel, or for each launch. Where some ran at once, two
/// columns say, of the latest run, how many threads had some of it, and how
/// many microseconds threads waited for it at the end of its wave, added up.
std::string profileText(const Profile &profile, bool byLaunch);

/// A launch and how it stands, as a JSON object.
std::string launchJson(const Profile &profile, const ProfileRow &row);

/// A trace of the latest run in Chrome's trace-event format: one event for
/// each launch, which Perfetto and chrome://tracing show on one track. Of
/// launches that ran at once another track for each thread shows who ran what,
/// and what it waited for when it had nothing left.
std::string traceJson(const Profile &profile, const std::string &modelName);

} // namespace tenon::run

#endif // TENON_RUN_PROFILE_H
