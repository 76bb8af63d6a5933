//===- Outline.h - a group of operations ------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TENON_DIALECTS_KERNEL_OUTLINE_H
#define TENON_DIALECTS_KERNEL_OUTLINE_H

#include "dialects/Kernel/Kernel.h"
#include "mlir/IR/Builders.h"

namespace tenon::kernel {

/// A group of clones of `ops`, in their order, that yields `results` of theirs.
/// `inputs` are all values that they read from elsewhere; the group gets
/// `operands` for them, one each.
GroupOp createGroup(mlir::OpBuilder &builder, mlir::Location loc,
                    llvm::ArrayRef<mlir::Operation *> ops,
                    mlir::ValueRange inputs, mlir::ValueRange operands,
                    mlir::ValueRange results);

} // namespace tenon::kernel

#endif // TENON_DIALECTS_KERNEL_OUTLINE_H
