//===- Timeline.h - a problem on one time axis ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TENON_LIB_MEMORY_DRAW_TIMELINE_H
#define TENON_LIB_MEMORY_DRAW_TIMELINE_H

#include "lib/Memory/Blocks.h"

namespace tenon::mem {

/// From `time` on, `bytes` are live.
struct LiveStep {
  double time, bytes;
};

/// Lives as intervals of real time. One stream has moments. For several, a
/// birth is at the sum of its counters, and an end at the first birth that
/// surely comes after it; so what is done before another begins ends before it
/// here too.
class Timeline {
public:
  explicit Timeline(const Problem &problem);

  double lower(unsigned buffer) const { return lives[buffer].first; }
  double upper(unsigned buffer) const { return lives[buffer].second; }
  double begin() const { return first; }
  double end() const { return last; }

  /// The live bytes of one scope over time; bytes that overlays share count
  /// once.
  std::vector<LiveStep> profile(const Blocks &blocks, unsigned scope) const;

private:
  double coveredAt(const Block &block, double time) const;
  void addChanges(const Block &block, std::vector<LiveStep> &changes) const;

  std::vector<std::pair<double, double>> lives;
  double first = 0, last = 1;
};

} // namespace tenon::mem

#endif // TENON_LIB_MEMORY_DRAW_TIMELINE_H
