//===- Strategy.h - ways to compute a group on a GPU ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares the border between planning and code for GPUs: as on the
// CPU each strategy says what it can compute, how it would, and in what time;
// the fastest is taken and writes the kernel.
//===----------------------------------------------------------------------===//
#ifndef TENON_PASSES_CODEGENGPU_STRATEGY_H
#define TENON_PASSES_CODEGENGPU_STRATEGY_H

#include "lib/Tile/Gpu.h"
#include "passes/CodegenCpu/Strategy.h"

#include <vector>

namespace tenon::gpu {

using codegen::Size;
using codegen::Sizes;

/// What a strategy plans for.
struct PlanRequest {
  kernel::GroupOp group;
  const tile::GpuTarget &target;
  tile::Precision precision;
};

/// A plan, and the microseconds that it is expected to take on a card, from the
/// end of what it reads to its own.
struct StageChoice {
  codegen::StagePlan result;
  double time;
};

/// No choice where the strategy cannot compute this group after all, failure
/// (with a diagnostic) where nothing could.
using PlannedChoice = mlir::FailureOr<std::optional<StageChoice>>;

/// Several, the fastest first.
using PlannedChoices = mlir::FailureOr<std::vector<StageChoice>>;

/// The fastest of them, if there is one.
PlannedChoice firstOf(PlannedChoices choices);

/// What a strategy writes a kernel for. The kernel is an `llvm.func` called
/// `name` at the end of `module`; its parameters are those that
/// #kernel.device says.
struct EmitRequest {
  mlir::ModuleOp module;
  llvm::StringRef name;
  kernel::GroupOp group;
  llvm::SmallVector<memory::BufferType> operands, results;
  kernel::PlanAttr plan;
  const tile::GpuTarget &target;
  tile::Precision precision;
};

/// What it tells about the kernel.
struct DeviceKernel {
  Size blocks = 1;            ///< along x
  Size steps = 1;             ///< launched one after the other
  kernel::DeviceAttr device;  ///< all else of the launch
  Sizes scratch = {};         ///< bytes of each buffer behind the results
  mlir::ArrayAttr sizes = {}; ///< what a launch passes; null: nothing
  /// Operands and results that may be the same storage.
  llvm::SmallVector<std::pair<unsigned, unsigned>> inPlace = {};
  /// Expected rounding errors over those of summing in the plain way.
  double errorGrowth = 1;
};

/// One way to compute groups.
struct Strategy {
  llvm::StringRef name; ///< also of its plans: `#kernel.plan<name, ...>`
  /// Whether the group is made of what this strategy computes.
  bool (*matches)(kernel::GroupOp);
  PlannedChoice (*plan)(const PlanRequest &);
  mlir::FailureOr<DeviceKernel> (*emit)(const EmitRequest &);
  /// Whether the planned group can have buffer `index` (operands, then results)
  /// lie so: with a pitch, as a part of a larger buffer, or transposed.
  bool (*canAddress)(kernel::GroupOp, unsigned index, memory::BufferType);
  /// What the bytes before it, as a part of a larger buffer, must be a multiple
  /// of; null: nothing.
  int64_t (*alignment)(kernel::GroupOp, unsigned index) = nullptr;
  /// Up to `most` plans that are worth measuring, that of `plan` first. Null:
  /// there is only that one.
  PlannedChoices (*candidates)(const PlanRequest &, size_t most) = nullptr;
};

/// What the address of the group's buffer `index` is a multiple of, in bytes,
/// 16 at most: storage begins at more.
int64_t alignmentOf(kernel::GroupOp group, unsigned index);

/// All of them but what CPU strategies compute by a thread for some tiles. Of
/// equal times, the first one is taken.
llvm::ArrayRef<const Strategy *> strategies();

} // namespace tenon::gpu

#endif // TENON_PASSES_CODEGENGPU_STRATEGY_H
