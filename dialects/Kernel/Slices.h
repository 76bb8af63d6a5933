//===- Slices.h - a program on slices of the batch --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TENON_DIALECTS_KERNEL_SLICES_H
#define TENON_DIALECTS_KERNEL_SLICES_H

#include "dialects/Kernel/Kernel.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/SymbolTable.h"

#define GET_OP_CLASSES
#include "dialects/Kernel/Slices.h.inc"

namespace tenon::kernel {

/// What is called, slice by slice; null where there is no such function.
llvm::SmallVector<mlir::func::FuncOp> calleesOf(SlicesOp slices);

} // namespace tenon::kernel

#endif // TENON_DIALECTS_KERNEL_SLICES_H
