//===- MeasuredTimes.h - what plans took on a GPU ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares the cost database: times that were measured, in a file
// that later compilations read, so that the same file gives the same artifact.
//===----------------------------------------------------------------------===//
#ifndef TENON_LIB_COST_MEASUREDTIMES_H
#define TENON_LIB_COST_MEASUREDTIMES_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <map>
#include <optional>
#include <string>

namespace tenon::cost {

/// Microseconds by what is computed, and by the plan that computed it. Both are
/// texts of the planner's that are compared, never read.
class MeasuredTimes {
public:
  /// Reads a file that `write` wrote; no file has no times. The error names
  /// the path and what is wrong there.
  static llvm::Expected<MeasuredTimes> read(llvm::StringRef path);

  /// Replaces the file at once: whoever reads meanwhile finds all or nothing
  /// of what is new.
  llvm::Error write(llvm::StringRef path) const;

  std::optional<double> find(llvm::StringRef work, llvm::StringRef plan) const;

  /// Of two measurements the shorter one counts: what disturbs only adds.
  void add(llvm::StringRef work, llvm::StringRef plan, double microseconds);

  size_t size() const;

private:
  std::map<std::string, std::map<std::string, double>> times;
};

} // namespace tenon::cost

#endif // TENON_LIB_COST_MEASUREDTIMES_H
