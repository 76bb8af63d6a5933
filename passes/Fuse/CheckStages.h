//===- CheckStages.h - proof that a group is its operations -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares the check of groups of stages: that tile by tile they
// compute what their operations compute one after the other. It trusts nothing
// that fusion or code generation found out about the group (lib/Poly).
//===----------------------------------------------------------------------===//
#ifndef TENON_PASSES_FUSE_CHECKSTAGES_H
#define TENON_PASSES_FUSE_CHECKSTAGES_H

#include "dialects/Kernel/Kernel.h"

#include "llvm/ADT/StringSet.h"

namespace tenon::fuse {

/// Groups of the same structure are checked once.
class StageChecker {
public:
  /// Fails with a diagnostic.
  mlir::LogicalResult check(kernel::GroupOp group);

private:
  llvm::StringSet<> checked;
};

} // namespace tenon::fuse

#endif // TENON_PASSES_FUSE_CHECKSTAGES_H
