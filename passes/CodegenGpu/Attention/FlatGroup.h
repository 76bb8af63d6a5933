//===- FlatGroup.h - stages as one block of operations ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TENON_PASSES_CODEGENGPU_ATTENTION_FLATGROUP_H
#define TENON_PASSES_CODEGENGPU_ATTENTION_FLATGROUP_H

#include "dialects/Kernel/Kernel.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace tenon::gpu {

/// The operations of a group of stages without stages between them, in a module
/// of its own: for kernels that have what stages leave each other in registers.
/// There nothing is rounded to be stored. Operands, results, and attributes but
/// the tile are those of the group.
class FlatGroup {
public:
  explicit FlatGroup(kernel::GroupOp staged);

  kernel::GroupOp get() { return flat; }

private:
  mlir::OwningOpRef<mlir::ModuleOp> module;
  kernel::GroupOp flat;
};

} // namespace tenon::gpu

#endif // TENON_PASSES_CODEGENGPU_ATTENTION_FLATGROUP_H
