//===- Strategy.h - ways to compute a stage ---------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares the border between planning and code: a stage is what one
// strategy computes, a group of its own or a part of a larger one. Each
// strategy says what it can compute, how it would, and in how many cycles; the
// cheapest one is taken, in one place (Planning.cpp), and builds its code at
// the place that it is given.
//===----------------------------------------------------------------------===//
#ifndef TENON_PASSES_CODEGENCPU_STRATEGY_H
#define TENON_PASSES_CODEGENCPU_STRATEGY_H

#include "dialects/Kernel/Kernel.h"
#include "lib/Tile/Winograd.h"
#include "passes/CodegenCpu/Builder/KernelBuilder.h"

namespace tenon::codegen {

/// Other ways to compute products than as they are written.
struct Arithmetic {
  /// Which convolutions may be computed by Winograd's algorithm.
  tile::WinogradUse winograd = tile::WinogradUse::Off;
  /// Whether numbers of f32 may be split for a unit that multiplies bf16.
  bool bf16x6 = false;
};

//===-- Planning ----------------------------------------------------------===//

/// What a plan asks of the world around a stage.
struct StagePlan {
  kernel::PlanAttr plan;
  /// Per operand: elements of zero halo wanted before and after each dimension
  /// (empty: none).
  struct Halo {
    llvm::SmallVector<int64_t> low, high;
  };
  llvm::SmallVector<Halo> halos;
  /// Per operand: the `graph.pack` attributes to apply when it is constant
  /// (null: take it as it is).
  llvm::SmallVector<mlir::DictionaryAttr> packs;
  /// Bytes that each thread that runs tiles has for itself.
  int64_t threadScratch = 0;
  /// Bytes of each scratch buffer, which all threads share.
  llvm::SmallVector<int64_t> scratchBytes;
  /// It is for one index of the leading dimension (EachIndex.h).
  bool each = false;
  /// Expected cycles of every strategy that could have computed it, by name.
  mlir::DictionaryAttr costs = {};
};

/// A plan, and the cycles of one core that it is expected to take. Those of
/// strategies that change the arithmetic are charged with what they must gain
/// to be worth it.
struct StageChoice {
  StagePlan result;
  double cycles;
};

/// No choice where the strategy cannot compute this stage after all, failure
/// (with a diagnostic) where nothing could.
using PlannedChoice = mlir::FailureOr<std::optional<StageChoice>>;

/// What a strategy plans for.
struct PlanRequest {
  kernel::GroupOp group;
  const tile::Target &target;
  Arithmetic arithmetic;
  /// The cheapest choice of the strategies before, in cycles; infinite if there
  /// is none. What is not below it is not taken.
  double bound;
  /// Whether its sizes are those of one call among others.
  bool isTypical = false;
};

/// What a strategy returns that competes with no other: its cycles are those of
/// the work on the target, whatever the plan (StageCost.h).
PlannedChoice theOnlyChoice(mlir::FailureOr<StagePlan> plan,
                            const PlanRequest &request);

//===-- Emission ----------------------------------------------------------===//

/// What a strategy emits for. Buffer `i` of the builder is operand `i` of the
/// group, then come the results, then the scratch buffers that the plan asked
/// for.
struct StageRequest {
  KernelBuilder &b;
  kernel::GroupOp group;
  llvm::SmallVector<memory::BufferType> operands, results;
  kernel::PlanAttr plan;

  const tile::Target &target() const { return b.target(); }
};

/// What it tells about the code.
struct StageInfo {
  Size tiles = 1; ///< how many independent ones the stage has
  /// Operands and results that may be the same storage (Overwrite.h).
  llvm::SmallVector<std::pair<unsigned, unsigned>> inPlace = {};
  /// Expected rounding errors over those of summing in the plain way.
  double errorGrowth = 1;
  /// How often, one after the other; step `s` has tiles from `s * tiles` on.
  Size steps = 1;
  /// What a thread gets of the tiles it should get in one call: what a call
  /// prepares takes longer than it may wait for other threads.
  bool oneCall = false;
  /// Bytes of the scratch buffers where they follow from the call's sizes;
  /// empty: as planned.
  Sizes scratch = {};
};

//===-- Strategies --------------------------------------------------------===//

/// One way to compute stages.
struct Strategy {
  llvm::StringRef name; ///< also of its plans: `#kernel.plan<name, ...>`
  /// Whether the group is made of what this strategy computes. Groups that are
  /// not its business are told by their operations alone.
  bool (*matches)(kernel::GroupOp);
  PlannedChoice (*plan)(const PlanRequest &);
  /// Builds the code; failure (with a diagnostic) where a plan that somebody
  /// wrote is none for this stage.
  mlir::FailureOr<StageInfo> (*emit)(const StageRequest &);
  /// Whether the planned group can have buffer `index` (operands, then results)
  /// lie so: with a pitch, as a part of a larger buffer, or transposed.
  bool (*canAddress)(kernel::GroupOp, unsigned index, memory::BufferType);
  /// Whether the code of the planned group widens what it loads of packed
  /// operand `index`, so that this may be stored in 16 bits; null: none does.
  bool (*takesNarrow)(kernel::GroupOp, unsigned index) = nullptr;
  /// Whether the code may have the sizes of this group come in with the call;
  /// null: they must all be known. Its plan is made for an instance with sizes.
  bool (*takesSymbols)(kernel::GroupOp) = nullptr;
};

/// All of them. Of equal costs, the first one is taken.
llvm::ArrayRef<const Strategy *> strategies();

/// The strategy of that name, or null.
const Strategy *findStrategy(llvm::StringRef name);
/// That of a planned group, or null.
const Strategy *strategyOf(kernel::GroupOp group);

struct PlacedBuffer; // Layout/Views.h

/// Of other devices, which ask where a buffer starts, too.
using CanAddress = bool (*)(kernel::GroupOp, unsigned index,
                            const PlacedBuffer &);

/// Whether the strategy of a planned group can have a buffer lie so; false for
/// plans that nobody knows.
bool canAddressBuffer(kernel::GroupOp group, unsigned index,
                      const PlacedBuffer &buffer);

/// Where plans of strategies for other devices are looked up by name. Called
/// when passes are registered.
void setOtherDevices(CanAddress (*find)(llvm::StringRef name));

} // namespace tenon::codegen

#endif // TENON_PASSES_CODEGENCPU_STRATEGY_H
