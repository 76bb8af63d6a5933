//===- WindowGroup.h - groups around a window -------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TENON_PASSES_CODEGENGPU_WINDOWS_WINDOWGROUP_H
#define TENON_PASSES_CODEGENGPU_WINDOWS_WINDOWGROUP_H

#include "lib/Tile/GpuWindow.h"
#include "passes/Codegen/Groups/WindowNest.h"
#include "passes/CodegenGpu/Strategy.h"

namespace tenon::gpu {

/// Whether the group is a pool or a depthwise convolution of floats, of static
/// sizes and with one result to each channel, and all that it yields is as
/// large as that.
bool isWindow(kernel::GroupOp group);

/// The group's operand that the anchor's operand `i` is.
unsigned operandOf(mlir::Operation *anchor, unsigned i);

/// How a constant filter is packed: `[tap][channel]`, so that neighbouring
/// threads read neighbouring weights. Null where it cannot be.
mlir::DictionaryAttr filterPack(kernel::GroupOp group);

/// The group's window on these operands: what is outside of the input is left
/// to the kernel. Fails with a diagnostic.
mlir::FailureOr<codegen::WindowNest>
readWindow(kernel::GroupOp group, llvm::ArrayRef<memory::BufferType> operands,
           bool isPacked, llvm::ArrayRef<codegen::IndexedTensor> tensors);

/// What that asks of a plan.
tile::GpuWindow problemOf(kernel::GroupOp group,
                          const codegen::WindowNest &nest);

} // namespace tenon::gpu

#endif // TENON_PASSES_CODEGENGPU_WINDOWS_WINDOWGROUP_H
