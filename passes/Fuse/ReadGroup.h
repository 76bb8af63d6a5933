//===- ReadGroup.h - a group of stages as statements ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TENON_PASSES_FUSE_READGROUP_H
#define TENON_PASSES_FUSE_READGROUP_H

#include "dialects/Kernel/Kernel.h"
#include "lib/Poly/Group.h"

namespace tenon::fuse {

/// The operations of a group of stages as a program of their own, each a
/// statement, from what they say of their accesses and nothing else, and all of
/// them as one group in the tiles that the group has. Shapes are static. What
/// lies outside of a tensor and is no zero is read as all of it.
struct GroupStatements {
  poly::Scop scop;
  poly::Group group;
  std::vector<mlir::Operation *> operations; ///< of the statements
};

/// None where an operation states no such accesses.
std::optional<GroupStatements> readGroup(kernel::GroupOp group);

} // namespace tenon::fuse

#endif // TENON_PASSES_FUSE_READGROUP_H
