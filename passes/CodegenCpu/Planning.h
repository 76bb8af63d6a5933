//===- Planning.h - a group and its plan ------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares what the passes of this stage share: the target option,
// planning one group, and copies of tensors as groups.
//===----------------------------------------------------------------------===//
#ifndef TENON_PASSES_CODEGENCPU_PLANNING_H
#define TENON_PASSES_CODEGENCPU_PLANNING_H

#include "mlir/IR/Builders.h"
#include "passes/CodegenCpu/Strategy.h"

namespace tenon::codegen {

/// Names of the attributes that planning leaves on a group.
inline constexpr llvm::StringLiteral halosAttr = "halos";
inline constexpr llvm::StringLiteral packsAttr = "packs";
inline constexpr llvm::StringLiteral scratchAttr = "scratch";
/// The expected cycles of each strategy that could compute the group, by name;
/// on its launch, too, for reports.
inline constexpr llvm::StringLiteral costsAttr = "costs";

/// Names of the attributes that buffer assignment leaves beside `buffers`:
/// where each buffer starts in its storage, in bytes (absent: all at 0), and
/// which operands of the movement in the group lie in its result already.
inline constexpr llvm::StringLiteral offsetsAttr = "offsets";
inline constexpr llvm::StringLiteral inPlaceAttr = "in_place";

/// The attribute of a module that says what became of each constant that was to
/// be stored in 16 bits: `nodes` that read it, the `element` it is stored in
/// (f32 where its range is too large), `bytes_saved`, `error`, the largest of a
/// weight over that weight (1 where a tiny one becomes zero), and
/// `error_of_largest`, the largest error over the largest weight.
inline constexpr llvm::StringLiteral narrowedAttr = "kernel.narrowed";

/// The target row of that name; a diagnostic on `module` when there is none.
const tile::Target *requireTarget(mlir::ModuleOp module, llvm::StringRef name);

/// The plan of the cheapest strategy for a stage, of those that compute it.
mlir::FailureOr<StagePlan> planStage(kernel::GroupOp stage,
                                     const tile::Target &target,
                                     const Arithmetic &arithmetic = {});

/// Plans a group and writes the decision down.
mlir::LogicalResult planGroup(kernel::GroupOp group, const tile::Target &target,
                              const Arithmetic &arithmetic = {});

/// Where no strategy computes an anchor with what follows it, makes two groups
/// of them.
void splitEpilogue(kernel::GroupOp group);

/// A group that copies `value`, planned, at the builder's insertion point.
mlir::FailureOr<kernel::GroupOp> createCopy(mlir::OpBuilder &builder,
                                            mlir::Value value,
                                            const tile::Target &target);

/// The halo asked for operand `index`: lows then highs, empty for none.
llvm::ArrayRef<int64_t> wantedHalo(kernel::GroupOp group, unsigned index);

/// The pack asked for operand `index`, or null.
mlir::DictionaryAttr wantedPack(kernel::GroupOp group, unsigned index);

/// Whether operand `index` of the movement in a group lies in its result.
bool isInPlace(kernel::GroupOp group, unsigned index);

/// What `value` is a view of, through reshapes.
mlir::Value viewRoot(mlir::Value value);

} // namespace tenon::codegen

#endif // TENON_PASSES_CODEGENCPU_PLANNING_H
