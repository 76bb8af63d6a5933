//===- Strategy.h - ways to compute a stage ---------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares the border between planning and code: a stage is what one
// strategy computes, a group of its own or a part of a larger one. Each
// strategy says what it can compute, how it would, and in what time; the
// fastest one is taken, in one place (Contest.h), and builds its code at the
// place that it is given. That is the same for all devices.
//===----------------------------------------------------------------------===//
#ifndef TENON_PASSES_CODEGEN_STRATEGY_H
#define TENON_PASSES_CODEGEN_STRATEGY_H

#include "dialects/Kernel/Kernel.h"
#include "lib/Tile/Winograd.h"
#include "passes/Codegen/Builder/KernelBuilder.h"

#include <vector>

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
  /// What it is expected to take; and the nanoseconds of every strategy that
  /// could have computed the group, by name.
  Time time = {};
  mlir::DictionaryAttr costs = {};
};

/// A plan, and the time that it is expected to take: of one core, or of a whole
/// device from the end of what it reads to its own. Those of strategies that
/// change the arithmetic are charged with what they must gain to be worth it.
struct StageChoice {
  StagePlan result;
  Time time;
};

/// None where the strategy cannot compute this stage after all, failure (with a
/// diagnostic) where nothing could.
using PlannedChoices = mlir::FailureOr<std::vector<StageChoice>>;

inline PlannedChoices noChoice() { return std::vector<StageChoice>(); }
PlannedChoices oneChoice(StagePlan plan, Time time);

class Device; // Device.h

/// What a strategy plans for.
struct PlanRequest {
  kernel::GroupOp group;
  const Device &device;
  /// A thread of it, or of what stands in its place.
  const tile::Target &target;
  Arithmetic arithmetic;
  /// The least time of the strategies before. What is not below it is not
  /// taken.
  Time bound = Time::infinite();
  /// Whether its sizes are those of one call among others.
  bool isTypical = false;
  /// How many plans are worth measuring: the best one stands first. Where it is
  /// 1, times are not measured.
  size_t most = 1;
};

/// What a strategy returns that competes with no other: its time is that of the
/// work on the target, whatever the plan (lib/Cost).
PlannedChoices theOnlyChoice(mlir::FailureOr<StagePlan> plan,
                             const PlanRequest &request);

//===-- Emission ----------------------------------------------------------===//

/// What a strategy emits for. Buffer `i` of the builder is operand `i` of the
/// group, then come the results, then the scratch buffers that the plan asked
/// for. Strategies open no function: who made the request does.
struct StageRequest {
  const Device &device;
  KernelFunction &function;
  KernelBuilder &b;
  kernel::GroupOp group;
  llvm::SmallVector<memory::BufferType> operands, results;
  kernel::PlanAttr plan;

  /// A thread, as the builder sees it.
  const tile::Target &target() const { return b.target(); }
};

/// What it tells about the code.
struct StageInfo {
  /// How many independent ones the stage has; on a device with blocks of
  /// threads, blocks along x.
  Size tiles = 1;
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
  /// All else of the launch on a device; null on a CPU.
  kernel::DeviceAttr launch = {};
  /// What a launch passes beside buffers; null: what the function asked for.
  mlir::ArrayAttr sizes = {};
};

//===-- Strategies --------------------------------------------------------===//

/// What `whyWide` says where there is nothing more to say.
inline constexpr llvm::StringLiteral readsF32 = "its kernel reads f32";

/// One way to compute stages.
struct Strategy {
  llvm::StringRef name; ///< also of its plans: `#kernel.plan<name, ...>`
  /// Whether the group is made of what this strategy computes. Groups that are
  /// not its business are told by their operations alone.
  bool (*matches)(kernel::GroupOp);
  PlannedChoices (*plan)(const PlanRequest &);
  /// Builds the code; failure (with a diagnostic) where a plan that somebody
  /// wrote is none for this stage.
  mlir::FailureOr<StageInfo> (*emit)(const StageRequest &);
  /// Whether the planned group can have buffer `index` (operands, then results)
  /// lie so: with a pitch, as a part of a larger buffer, or transposed.
  bool (*canAddress)(kernel::GroupOp, unsigned index, memory::BufferType);
  /// What the bytes before it, as a part of a larger buffer, must be a multiple
  /// of; null: nothing.
  int64_t (*alignment)(kernel::GroupOp, unsigned index) = nullptr;
  /// Why the code of the planned group cannot widen what it loads of packed
  /// operand `index`, so that this may not be stored in 16 bits; empty: it can.
  /// Null: it reads f32.
  llvm::StringRef (*whyWide)(kernel::GroupOp, unsigned index) = nullptr;
  /// Whether the code may have the sizes of this group come in with the call;
  /// null: they must all be known. Its plan is made for an instance with sizes.
  bool (*takesSymbols)(kernel::GroupOp) = nullptr;
  /// Asks for the halos that all sizes need, where a plan was made for typical
  /// ones; null: as much as the anchor pads.
  void (*adaptHalos)(kernel::GroupOp, StagePlan &) = nullptr;
  /// Elements of the results that a tile of the plan computes, for devices
  /// whose threads have a tile each; null: one.
  double (*tileElements)(kernel::GroupOp, kernel::PlanAttr) = nullptr;
  /// Changes a plan for a stage that shares a kernel with others, whose threads
  /// are awake (Steps/Steps.h); null: it stays as it is.
  kernel::PlanAttr (*whereAwake)(kernel::GroupOp,
                                 const tile::Target &) = nullptr;
  /// Asked only for groups with symbols that no other strategy takes.
  bool isLastResort = false;
};

/// That of a planned group, or null.
const Strategy *strategyOf(kernel::GroupOp group);

struct PlacedBuffer; // Layout/Views.h

/// Whether the strategy of a planned group can have a buffer lie so; false for
/// plans that nobody knows.
bool canAddressBuffer(kernel::GroupOp group, unsigned index,
                      const PlacedBuffer &buffer);

/// What the address of the group's buffer `index` is a multiple of, in bytes,
/// 16 at most: storage begins at more.
int64_t alignmentOf(kernel::GroupOp group, unsigned index);

} // namespace tenon::codegen

#endif // TENON_PASSES_CODEGEN_STRATEGY_H
