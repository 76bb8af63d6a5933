//===- Candidate.h - groups as stages of one kernel -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares how groups are put together: each becomes a stage of a new
// one, in their order, and values between them stay inside unless others read
// them as well.
//===----------------------------------------------------------------------===//
#ifndef TENON_PASSES_FUSE_CANDIDATE_H
#define TENON_PASSES_FUSE_CANDIDATE_H

#include "passes/Codegen/Device.h"

namespace tenon::fuse {

/// Groups of one result each, in program order.
struct Members {
  llvm::SmallVector<kernel::GroupOp> groups;
  /// Of each, whether it is computed here for the others alone, and somewhere
  /// else for all.
  llvm::SmallVector<bool> clones;
  /// Readers that there will not be.
  llvm::SmallVector<mlir::Operation *, 0> leaving = {};

  bool contain(kernel::GroupOp group) const {
    return llvm::is_contained(groups, group);
  }
};

/// Whether one reads what another computes through views, which would be
/// outside: no group of stages holds them both.
bool readThroughViews(const Members &members);

/// A group of stages in front of the function's end, without a tile; the
/// members stay where they are. Its results are those of the members that
/// others read, in order. Where a device computes stages as wholes, single
/// numbers are a part of the code.
kernel::GroupOp createStaged(const Members &members,
                             const codegen::Device &device);

/// Says where stages leave each other their results; those that leave the group
/// lie in memory.
void setLevels(kernel::GroupOp staged, kernel::Level between);

/// Bytes that come into such a group and leave it.
int64_t trafficOf(const Members &members);

/// Lets the staged group take the place of its members. Clones stay as long as
/// others read them.
void replaceMembers(const Members &members, kernel::GroupOp staged);

} // namespace tenon::fuse

#endif // TENON_PASSES_FUSE_CANDIDATE_H
