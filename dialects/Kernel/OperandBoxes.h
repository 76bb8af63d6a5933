//===- OperandBoxes.h - what an operation reads for a box -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares how the boxes of an operation's operands follow from that
// of its result: from its accesses, but where these do not tell that on the
// boxes it is the same operation.
//===----------------------------------------------------------------------===//
#ifndef TENON_DIALECTS_KERNEL_OPERANDBOXES_H
#define TENON_DIALECTS_KERNEL_OPERANDBOXES_H

#include "dialects/Kernel/BoxDim.h"
#include "mlir/IR/Operation.h"

namespace tenon::kernel {

/// The whole of a tensor of static shape.
BoxMap wholeOf(mlir::Value value);

/// In boxes of how many elements an operation computes each dimension of its
/// result: a whole number of them must be asked for.
int64_t granuleOf(mlir::Value result, unsigned dim);

/// The boxes of the operands of `op` for a box of its only result, or failure
/// with the reason in words. On its operands' boxes, `op` computes the box of
/// its result but for its borders, which may hang over an operand of a
/// convolution alone, if that is no stencil.
mlir::FailureOr<llvm::SmallVector<BoxMap>>
operandBoxes(mlir::Operation *op, const BoxMap &result,
             const BoxArithmetic &boxes, std::string &why);

} // namespace tenon::kernel

#endif // TENON_DIALECTS_KERNEL_OPERANDBOXES_H
