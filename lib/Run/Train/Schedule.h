//===- Schedule.h - learning rates over steps -------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares how learning rates change: `cosine(1e-3, warmup=100)`.
//===----------------------------------------------------------------------===//
#ifndef TENON_RUN_TRAIN_SCHEDULE_H
#define TENON_RUN_TRAIN_SCHEDULE_H

#include "lib/Support/Result.h"

#include <cstdint>

namespace tenon::run {

/// The rate rises over `warmup` steps to `peak`. Then it stays there, falls by
/// `factor` after each `every` steps, or falls to `end` in the last step, on a
/// line or on half a cosine.
struct Schedule {
  enum class Kind { Constant, Step, Linear, Cosine };

  Kind kind = Kind::Constant;
  double peak = 1e-3;
  double end = 0;
  double warmup = 0;
  double every = 0;
  double factor = 0.1;

  /// In step `step` of `total`; the first one is 0.
  double at(int64_t step, int64_t total) const;
};

/// `1e-3`, `constant(1e-3)`, `step(1e-3, every=1000, factor=0.1)`,
/// `linear(1e-3, end=1e-5)`, `cosine(1e-3, warmup=100)`.
Result<Schedule> parseSchedule(const std::string &text);

} // namespace tenon::run

#endif // TENON_RUN_TRAIN_SCHEDULE_H
