//===- StageGroup.h - a stage on its box, as a group ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares how a stage of a tile is handed to strategies: as a group
// of its own whose tensors are as large as its boxes. A box is a smaller stage
// at another address; no strategy knows that there are others.
//===----------------------------------------------------------------------===//
#ifndef TENON_PASSES_CODEGEN_STAGES_STAGEGROUP_H
#define TENON_PASSES_CODEGEN_STAGES_STAGEGROUP_H

#include "dialects/Kernel/Footprint.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace tenon::codegen {

/// A group that computes what `footprint`, cut to a tile, says of `stage`, in a
/// module of its own. Padding is part of an operand's box, so that no operation
/// of the group has any. Whole constants of the stage's group are constants.
class StageGroup {
public:
  StageGroup(kernel::StageOp stage, const kernel::StageFootprint &footprint);
  /// One that copies what a tile stores of the stage's result.
  static StageGroup copyOf(kernel::StageOp stage,
                           const kernel::StageFootprint &footprint);

  kernel::GroupOp get() { return group; }

private:
  explicit StageGroup(mlir::Location loc);
  mlir::Block *addGroup(mlir::OpBuilder &b, mlir::Type result,
                        mlir::ValueRange operands);
  mlir::Block *addFunction(mlir::OpBuilder &b, mlir::TypeRange operands);

  mlir::OwningOpRef<mlir::ModuleOp> module;
  kernel::GroupOp group;
};

/// The tensor that a box of `type` is.
mlir::RankedTensorType tensorOf(mlir::Type type, const kernel::BoxMap &box);

} // namespace tenon::codegen

#endif // TENON_PASSES_CODEGEN_STAGES_STAGEGROUP_H
