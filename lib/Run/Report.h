//===- Report.h - what tenon-run prints -------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares the report in its two forms, text and JSON.
//===----------------------------------------------------------------------===//
#ifndef TENON_RUN_REPORT_H
#define TENON_RUN_REPORT_H

#include "lib/Run/Measure.h"
#include "lib/Run/Profile.h"

#include <optional>

namespace tenon::run {

/// All that one call of tenon-run found out.
struct Report {
  std::vector<TensorSpec> inputs, outputs;
  Facts facts;
  double loadMilliseconds = 0;
  std::optional<Timing> timing;
  /// The most memory that the runs took, without what measuring the roof did.
  uint64_t peakBytes = 0;
  std::optional<Profile> profile;
  /// Whether the table has one row for each launch.
  bool byLaunch = false;
  std::vector<Difference> differences;
  std::vector<std::string> summaries;
};

/// Inputs, outputs and sizes.
std::string signatureText(const Report &report);

/// Timing, profile, comparisons and outputs, whatever there is of them.
std::string reportText(const Report &report);

/// One JSON object with all of it.
std::string reportJson(const Report &report);

} // namespace tenon::run

#endif // TENON_RUN_REPORT_H
