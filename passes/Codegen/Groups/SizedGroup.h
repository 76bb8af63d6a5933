//===- SizedGroup.h - a group as it is for typical sizes --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares what planners get to see of a group with symbols: the same
// group for sizes that are likely. The plan must hold for all others, too. Who
// may include it, TypicalSizes.h says.
//===----------------------------------------------------------------------===//
#ifndef TENON_PASSES_CODEGEN_GROUPS_SIZEDGROUP_H
#define TENON_PASSES_CODEGEN_GROUPS_SIZEDGROUP_H

#include "dialects/Graph/TypicalSizes.h"
#include "passes/Codegen/Groups/GroupInstance.h"

namespace tenon::codegen {

/// No extent is 0: what is planned does something.
class SizedGroup {
public:
  /// For typical sizes, or for further ones with that number.
  explicit SizedGroup(kernel::GroupOp group, double number = 0);

  kernel::GroupOp get() const { return instance.get(); }
  bool isInstance() const { return instance.isInstance(); }
  /// What the instance has in place of a dimension of the group.
  int64_t sizeOf(mlir::Attribute dim) const;

private:
  graph::TypicalSizes typical;
  GroupInstance instance;
};

} // namespace tenon::codegen

#endif // TENON_PASSES_CODEGEN_GROUPS_SIZEDGROUP_H
