//===- Progress.h - how a run goes ------------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TENON_RUN_TRAIN_PROGRESS_H
#define TENON_RUN_TRAIN_PROGRESS_H

#include <cstdint>
#include <string>

namespace tenon::run {

/// Writes to the standard error: on a terminal one line that changes, elsewhere
/// a line every ten seconds.
class Progress {
public:
  Progress(int64_t total, int64_t samplesPerStep);
  ~Progress();
  Progress(const Progress &) = delete;

  /// Called behind each step.
  void show(int64_t step, double loss, double rate, int64_t skipped);

private:
  int64_t total, samples, steps = 0;
  bool isTerminal, isOpen = false;
  double begin, latest;
};

} // namespace tenon::run

#endif // TENON_RUN_TRAIN_PROGRESS_H
