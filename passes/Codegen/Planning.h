//===- Planning.h - a group and its plan ------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares what passes share that plan: one group, and copies of
// tensors as groups.
//===----------------------------------------------------------------------===//
#ifndef TENON_PASSES_CODEGEN_PLANNING_H
#define TENON_PASSES_CODEGEN_PLANNING_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"
#include "passes/Codegen/Contest.h"

namespace tenon::codegen {

/// The plan of the fastest strategy of `device` for a stage, of those that
/// compute it, where `target` stands for one of its threads.
mlir::FailureOr<StagePlan> planStage(kernel::GroupOp stage,
                                     const Device &device,
                                     const tile::Target &target,
                                     const Arithmetic &arithmetic = {});

/// Enters those strategies into a contest that has none yet.
mlir::LogicalResult enterStrategies(Contest &contest, const Device &device,
                                    const tile::Target &target,
                                    const Arithmetic &arithmetic = {});

/// Asks for the halos that images of any size need, where the plan of a group
/// with symbols was made for typical ones.
void widenHalos(kernel::GroupOp group, StagePlan &plan);

/// Plans a group and writes the decision down.
mlir::LogicalResult planGroup(kernel::GroupOp group, const Device &device,
                              const Measuring &measuring = {});

/// Writes down what a plan asks for.
void setPlan(kernel::GroupOp group, const StagePlan &plan);

/// Copies graph outputs that no group's result becomes alone.
mlir::LogicalResult copyOutputs(mlir::func::FuncOp function,
                                const Device &device);

/// Where no strategy computes an anchor with what follows it, makes two groups
/// of them.
void splitEpilogue(kernel::GroupOp group, const Device &device);

/// A group that copies `value`, planned, at the builder's insertion point.
mlir::FailureOr<kernel::GroupOp>
createCopy(mlir::OpBuilder &builder, mlir::Value value, const Device &device);

/// What `value` is a view of, through reshapes.
mlir::Value viewRoot(mlir::Value value);

} // namespace tenon::codegen

#endif // TENON_PASSES_CODEGEN_PLANNING_H
