//===- Planning.h - a group and its plan ------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares what the passes of this stage share: the target option,
// planning one group, and copies of tensors as groups.
//===----------------------------------------------------------------------===//
#ifndef TENON_PASSES_CODEGENCPU_PLANNING_H
#define TENON_PASSES_CODEGENCPU_PLANNING_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"
#include "passes/CodegenCpu/Strategy.h"

namespace tenon::codegen {

/// The target row of that name, for so many threads (0: as the row says), or
/// that of a GPU's threads; a diagnostic on `module` when there is none.
std::optional<tile::Target>
requireTarget(mlir::ModuleOp module, llvm::StringRef name, int64_t threads);

/// The use of that name; a diagnostic on `module` when there is none.
std::optional<tile::WinogradUse> requireWinogradUse(mlir::ModuleOp module,
                                                    llvm::StringRef name);

/// The plan of the cheapest strategy for a stage, of those that compute it.
mlir::FailureOr<StagePlan> planStage(kernel::GroupOp stage,
                                     const tile::Target &target,
                                     const Arithmetic &arithmetic = {});

/// Asks for the halos that images of any size need, where the plan of a group
/// with symbols was made for typical ones.
void widenHalos(kernel::GroupOp group, StagePlan &plan);

/// Plans a group and writes the decision down.
mlir::LogicalResult planGroup(kernel::GroupOp group, const tile::Target &target,
                              const Arithmetic &arithmetic = {});

/// Writes down what a plan asks for.
void setPlan(kernel::GroupOp group, const StagePlan &plan);

/// Copies graph outputs that no group's result becomes alone.
mlir::LogicalResult copyOutputs(mlir::func::FuncOp function,
                                const tile::Target &target);

/// Where no strategy computes an anchor with what follows it, makes two groups
/// of them.
void splitEpilogue(kernel::GroupOp group);

/// A group that copies `value`, planned, at the builder's insertion point.
mlir::FailureOr<kernel::GroupOp> createCopy(mlir::OpBuilder &builder,
                                            mlir::Value value,
                                            const tile::Target &target);

/// What `value` is a view of, through reshapes.
mlir::Value viewRoot(mlir::Value value);

} // namespace tenon::codegen

#endif // TENON_PASSES_CODEGENCPU_PLANNING_H
