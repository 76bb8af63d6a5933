//===- Kernel.h - groups that become kernels --------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares the kernel dialect.
//===----------------------------------------------------------------------===//
#ifndef TENON_DIALECTS_KERNEL_KERNEL_H
#define TENON_DIALECTS_KERNEL_KERNEL_H

#include "dialects/Memory/Memory.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"

namespace tenon::kernel {
/// Whether an attribute is a dimension that is a size or made of symbols
/// (dialects/Graph/DimExpr.h).
bool isSize(mlir::Attribute attribute);
} // namespace tenon::kernel

#include "dialects/Kernel/KernelDialect.h.inc"
#include "dialects/Kernel/KernelEnums.h.inc"
#define GET_ATTRDEF_CLASSES
#include "dialects/Kernel/KernelAttrs.h.inc"
#define GET_OP_CLASSES
#include "dialects/Kernel/KernelOps.h.inc"

namespace tenon::kernel {
/// Whether `costs` are nanoseconds, as groups and launches have them.
mlir::LogicalResult verifyCosts(mlir::Operation *op,
                                mlir::DictionaryAttr costs);
} // namespace tenon::kernel

#endif // TENON_DIALECTS_KERNEL_KERNEL_H
