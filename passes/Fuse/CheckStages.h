//===- CheckStages.h - proof that a group is its operations -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares the check of groups of stages: that tile by tile they
// compute what their operations compute one after the other. It trusts nothing
// that fusion or code generation found out about the group (lib/Poly).
//===----------------------------------------------------------------------===//
#ifndef TENON_PASSES_FUSE_CHECKSTAGES_H
#define TENON_PASSES_FUSE_CHECKSTAGES_H

#include "dialects/Kernel/Footprint.h"
#include "lib/Poly/Footprint.h"
#include "passes/Fuse/ReadGroup.h"

#include "llvm/ADT/StringSet.h"

namespace tenon::fuse {

/// Of each value inside of a group, what one tile computes.
using Boxes = llvm::DenseMap<mlir::Value, kernel::BoxMap>;

/// Whether the boxes that code is made for in the tile at `index` have all that
/// the program needs there. Fails with a diagnostic on the operation.
mlir::LogicalResult checkBoxes(const GroupStatements &read,
                               const poly::Footprint &needed,
                               llvm::ArrayRef<int64_t> index,
                               const Boxes &computed);

/// Groups of the same structure are checked once.
class StageChecker {
public:
  /// Fails with a diagnostic.
  mlir::LogicalResult check(kernel::GroupOp group);
  /// The same without.
  bool accepts(kernel::GroupOp group);

private:
  llvm::StringSet<> checked;
};

} // namespace tenon::fuse

#endif // TENON_PASSES_FUSE_CHECKSTAGES_H
