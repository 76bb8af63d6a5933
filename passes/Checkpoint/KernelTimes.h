//===- KernelTimes.h - what groups and clones take --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TENON_PASSES_CHECKPOINT_KERNELTIMES_H
#define TENON_PASSES_CHECKPOINT_KERNELTIMES_H

#include "passes/Checkpoint/Slice.h"
#include "passes/Fuse/CheckStages.h"
#include "passes/Fuse/Price.h"

namespace tenon::checkpoint {

/// Times in picoseconds, as fusion prices kernels; kernels that it has no price
/// for, by their work.
class KernelTimes {
public:
  explicit KernelTimes(const codegen::Device &device)
      : device(device), pricer(device) {}

  int64_t of(kernel::GroupOp group);
  /// Of a clone, which gets the tile and the facts that it needs; none if no
  /// kernel computes it. Clones of one structure have one answer.
  std::optional<int64_t> finish(kernel::GroupOp clone);

private:
  bool chooseTile(kernel::GroupOp clone);

  const codegen::Device &device;
  fuse::Pricer pricer;
  fuse::StageChecker checker;
};

} // namespace tenon::checkpoint

#endif // TENON_PASSES_CHECKPOINT_KERNELTIMES_H
