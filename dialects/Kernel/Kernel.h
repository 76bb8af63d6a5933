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

#include "dialects/Kernel/KernelDialect.h.inc"
#define GET_ATTRDEF_CLASSES
#include "dialects/Kernel/KernelAttrs.h.inc"
#define GET_OP_CLASSES
#include "dialects/Kernel/KernelOps.h.inc"

namespace tenon::kernel {
/// On a kernel's function: the expected size of its rounding errors over those
/// of summing in the plain way. Absent: 1.
inline constexpr llvm::StringLiteral errorGrowthAttr = "error_growth";
/// On a kernel's function: what a thread gets of a launch's tiles comes in one
/// call, since what a call prepares costs more than waiting for other threads.
inline constexpr llvm::StringLiteral oneCallAttr = "one_call";
/// On a group, and on its kernel's function: the last buffer is the fault word,
/// zero before a launch. A kernel that meets an index outside of the rows it
/// may pick from stores their number plus one there, and picks another.
inline constexpr llvm::StringLiteral checkedAttr = "checked";
} // namespace tenon::kernel

#endif // TENON_DIALECTS_KERNEL_KERNEL_H
