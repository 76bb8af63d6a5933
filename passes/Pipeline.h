//===- Pipeline.h - the phases of the compiler ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares the compiler as a list of phases; Pipeline.cpp is the
// whole of it on one page.
//===----------------------------------------------------------------------===//
#ifndef TENON_PASSES_PIPELINE_H
#define TENON_PASSES_PIPELINE_H

#include "lib/Tile/Gpu.h"
#include "lib/Tile/Winograd.h"
#include "mlir/Pass/PassManager.h"
#include "passes/Fuse/Mode.h"
#include <optional>
#include <string>

namespace tenon {

/// In order; each takes what the one before leaves. Import and Emit read and
/// write files and have no passes.
enum class Phase {
  Import,
  Normalize,
  Differentiate,
  Simplify,
  Fuse,
  Checkpoint,
  Codegen,
  Memory,
  Emit
};

inline constexpr unsigned numPhases = unsigned(Phase::Emit) + 1;

llvm::StringRef phaseName(Phase phase);

/// The phase of that name, if there is one.
std::optional<Phase> parsePhase(llvm::StringRef name);

/// Which end of each buffer of the arena touches a guard page, if any.
enum class Guard { None, Above, Below };

/// What may run side by side where that is predicted to pay: nothing, launches
/// in waves, or on several streams, of which processors have one. Auto: waves
/// above 4 threads; on devices both.
enum class Schedule { Auto, Order, Waves, Streams };

/// How many images of a batch processors take at a time.
struct MicroBatch {
  /// 0: as prices say. A negative number: all of them.
  int64_t images = -1;
  /// Bytes that slices should keep in use, at the price of time.
  std::optional<int64_t> below = {};
};

/// What constants of products are stored in.
enum class Weights { F32, F16, BF16 };

/// "f32", "f16" or "bf16"; none for anything else.
std::optional<Weights> parseWeights(llvm::StringRef name);

struct PipelineOptions {
  /// Row of the target table (lib/Tile/Target.h) that code is planned for.
  std::string target = "baseline";
  /// Row of the table of GPUs (lib/Tile/Gpu.h) that is planned for instead;
  /// empty: none.
  std::string device = {};
  /// What products on a device compute with, and values lie in.
  tile::Precision precision = tile::Precision::F32;
  /// A file of times of plans on that device, or empty, and which plan to
  /// measure next: passes/Codegen/Passes.td.
  std::string times = {};
  int64_t attempt = -1;
  unsigned streams = 1024; ///< of a device that launches run on, at most
  Schedule schedule = Schedule::Auto;
  std::optional<int64_t> arenaCap = {}; ///< bytes
  unsigned members = 1;                 ///< models that the program computes
  MicroBatch microBatch = {};
  fuse::FusionMode fusion = fuse::FusionMode::Full;
  int64_t threads = 0; ///< that launches are cut for; 0: as the target says
  tile::WinogradUse winograd = tile::WinogradUse::Safe;
  bool bf16x6 = true; ///< products of f32 on matrix units of bf16
  /// Stops a run at an index that is outside of what it picks from.
  bool checkIndices = true;
  /// Gives up sharing storage for catching stray accesses.
  Guard guard = Guard::None;
  /// Gives up digits of weights for half of their bytes.
  Weights weights = Weights::F32;
  /// Nothing that changes results by more than the order of a sum. Overrides
  /// `winograd` and `bf16x6`.
  bool strict = false;
  /// What a program is trained with, as the pass tenon-build-step takes them;
  /// empty: it is not.
  std::string loss = {}, optimizer = {};
  std::string noDecay = {};
  double clipNorm = 0, clipValue = 0;
  unsigned accumulate = 1;
  /// What its arena may take, as tenon-checkpoint-steps has it, and thousandths
  /// of that which are planned for.
  std::string arenaBudget = "free";
  int64_t budgetScale = 1000;
};

/// Adds the passes of one phase and the verifier that closes it.
void addPhase(mlir::OpPassManager &passes, Phase phase,
              const PipelineOptions &options);

} // namespace tenon

#endif // TENON_PASSES_PIPELINE_H
