//===- SizedGroup.h - a group as it is for typical sizes --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares what planners get to see of a group with symbols: the same
// group for sizes that are likely. The plan must hold for all others, too.
//===----------------------------------------------------------------------===//
#ifndef TENON_PASSES_CODEGENCPU_SIZEDGROUP_H
#define TENON_PASSES_CODEGENCPU_SIZEDGROUP_H

#include "dialects/Graph/Instances.h"
#include "dialects/Kernel/Kernel.h"

namespace tenon::codegen {

/// Whether sizes come in with the calls of the group's kernel.
bool hasSymbols(kernel::GroupOp group);

/// The group itself where it has no symbols, else an instance that stands
/// behind it as long as this lives, reads the same values, and is read by
/// nobody.
class SizedGroup {
public:
  explicit SizedGroup(kernel::GroupOp group);
  /// For one index of the leading dimension.
  static SizedGroup ofOneIndex(kernel::GroupOp group) { return {group, true}; }
  ~SizedGroup();
  SizedGroup(const SizedGroup &) = delete;

  kernel::GroupOp get() const { return sized; }
  bool isInstance() const { return isCopy; }
  /// What the instance has in place of a dimension of the group.
  mlir::Attribute sizeOf(mlir::Attribute dim) const;
  int64_t sizeOf(const graph::Size &size) const;

private:
  SizedGroup(kernel::GroupOp group, bool ofOneIndex);

  kernel::GroupOp sized;
  graph::TypicalSizes typical;
  bool isOneIndex = false;
  bool isCopy = false;
  llvm::SmallVector<mlir::Operation *> casts;
};

} // namespace tenon::codegen

#endif // TENON_PASSES_CODEGENCPU_SIZEDGROUP_H
