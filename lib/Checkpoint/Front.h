//===- Front.h - plans that nothing beats -----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TENON_LIB_CHECKPOINT_FRONT_H
#define TENON_LIB_CHECKPOINT_FRONT_H

#include "lib/Checkpoint/Marks.h"

namespace tenon::ckpt {

/// Marks with what they cost.
struct Plan {
  Marks marks = {};
  int64_t time = 0; ///< picoseconds
  int64_t peak = 0; ///< bytes
  bool operator==(const Plan &) const = default;
};

/// Of all plans that it was offered those that no other beats in bytes and
/// time.
class Front {
public:
  /// Whether no plan is as small and as fast.
  bool wants(int64_t peak, int64_t time) const;
  void offer(Plan plan);

  /// The fastest plan with at most `budget` bytes, if any.
  const Plan *within(int64_t budget) const;
  /// By bytes, ascending; times descend.
  const std::vector<Plan> &plans() const { return points; }

private:
  std::vector<Plan> points;
};

} // namespace tenon::ckpt

#endif // TENON_LIB_CHECKPOINT_FRONT_H
