//===- ContractionGroup.h - groups around products --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TENON_PASSES_CODEGEN_GROUPS_CONTRACTIONGROUP_H
#define TENON_PASSES_CODEGEN_GROUPS_CONTRACTIONGROUP_H

#include "dialects/Kernel/Kernel.h"

namespace tenon::codegen {

/// The anchor, and which operands of the group it multiplies.
struct ContractionOperands {
  mlir::Operation *anchor;
  unsigned lhs, rhs;
};

/// Whether a group is made around a product whose columns are lanes.
bool isProduct(kernel::GroupOp group);

/// Fails with a diagnostic when the group has no contraction of its operands.
mlir::FailureOr<ContractionOperands> contractionOperands(kernel::GroupOp group);

/// Whether the right operand may be packed at compile time: a constant that
/// nothing else in the group reads.
bool canPack(kernel::GroupOp group, const ContractionOperands &at);

} // namespace tenon::codegen

#endif // TENON_PASSES_CODEGEN_GROUPS_CONTRACTIONGROUP_H
