//===- GroupInstance.h - a group with numbers for symbols -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares the copy of a group whose dimensions are numbers, which
// whoever makes it names.
//===----------------------------------------------------------------------===//
#ifndef TENON_PASSES_CODEGEN_GROUPS_GROUPINSTANCE_H
#define TENON_PASSES_CODEGEN_GROUPS_GROUPINSTANCE_H

#include "dialects/Graph/Instances.h"
#include "dialects/Kernel/Kernel.h"

namespace tenon::codegen {

/// Whether sizes come in with the calls of the group's kernel.
bool hasSymbols(kernel::GroupOp group);

/// The group itself where it has no symbols, else an instance that stands
/// behind it as long as this lives, reads the same values, and is read by
/// nobody.
class GroupInstance {
public:
  /// `map` gives what stands in place of a dimension.
  GroupInstance(kernel::GroupOp group, graph::DimMap map);
  ~GroupInstance();
  GroupInstance(const GroupInstance &) = delete;

  kernel::GroupOp get() const { return sized; }
  bool isInstance() const { return isCopy; }

private:
  kernel::GroupOp sized;
  bool isCopy = false;
  llvm::SmallVector<mlir::Operation *> casts;
};

} // namespace tenon::codegen

#endif // TENON_PASSES_CODEGEN_GROUPS_GROUPINSTANCE_H
