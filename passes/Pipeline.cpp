//===- Pipeline.cpp - the whole compiler on one page ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/Pipeline.h"

#include "mlir/Transforms/Passes.h"
#include "passes/Batch/Passes.h"
#include "passes/Checkpoint/Budget.h"
#include "passes/Checkpoint/Passes.h"
#include "passes/Codegen/Passes.h"
#include "passes/CodegenGpu/Passes.h"
#include "passes/Control/Passes.h"
#include "passes/Differentiate/Passes.h"
#include "passes/Fuse/Passes.h"
#include "passes/Memory/Passes.h"
#include "passes/Normalize/Passes.h"
#include "passes/Schedule/Passes.h"
#include "passes/Simplify/Passes.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace tenon;

//===-- What passes are told ----------------------------------------------===//

static bool hasDevice(const PipelineOptions &options) {
  return !options.device.empty();
}

/// The device that passes of all phases decide for.
template <typename Options>
static Options forDevice(const PipelineOptions &options) {
  Options result;
  result.target = hasDevice(options) ? options.device : options.target;
  result.threads = hasDevice(options) ? 0 : options.threads;
  auto winograd = options.strict ? tile::WinogradUse::Off : options.winograd;
  result.winograd = tile::toText(winograd).str();
  result.bf16x6 = options.bf16x6 && !options.strict;
  result.precision = tile::toText(options.precision).str();
  return result;
}

/// Stages of larger kernels do not widen what they load: on CPUs, weights in 16
/// bits are for kernels of their own.
static bool mergesGroups(const PipelineOptions &options) {
  return options.fusion == fuse::FusionMode::Full &&
         (options.weights == Weights::F32 || hasDevice(options));
}

/// Algebra that changes results by more than the order of a sum is left out of
/// strict compilation.
static void addAlgebra(OpPassManager &passes, const PipelineOptions &options) {
  SimplifyAlgebraPassOptions algebra;
  algebra.strict = options.strict;
  passes.addPass(createSimplifyAlgebraPass(algebra));
}

static void addCleanUp(OpPassManager &passes) {
  passes.addPass(createCanonicalizerPass());
  passes.addPass(createCSEPass());
}

//===-- Phases ------------------------------------------------------------===//

/// From here on shapes are known and every operation has an interface.
static void addNormalize(OpPassManager &passes, const PipelineOptions &) {
  passes.addPass(createNormalizeOnnxPass());
  passes.addPass(differentiate::createExpandGradientsPass());
  addCleanUp(passes);
  passes.addPass(createVerifyNormalizePass());
  passes.addPass(ctrl::createFormStepsPass());
  passes.addPass(ctrl::createSplitControlPass());
  passes.addPass(ctrl::createVerifySplitPass());
}

/// With --train only. Gradients come first, of composites as wholes.
static void addDifferentiate(OpPassManager &passes,
                             const PipelineOptions &options) {
  if (options.optimizer.empty())
    return;
  differentiate::BuildStepPassOptions step;
  step.loss = options.loss;
  step.optimizer = options.optimizer;
  step.noDecay = options.noDecay;
  step.clipNorm = options.clipNorm;
  step.clipValue = options.clipValue;
  step.lossScale = options.lossScale;
  step.accumulate = options.accumulate;
  passes.addPass(differentiate::createBuildStepPass(step));
  addCleanUp(passes);
}

static void addSimplify(OpPassManager &passes, const PipelineOptions &options) {
  // Folding first, so that scales and layouts meet constants, not chains.
  passes.addPass(createFoldConstantsPass());
  passes.addPass(createMergeConstantsPass());
  addAlgebra(passes, options);
  addCleanUp(passes);
  // Scales fold before layouts: the channel axis is still where ONNX has it.
  if (!options.strict)
    passes.addPass(createFoldScalesPass());
  passes.addPass(createFoldConstantsPass());
  // Composites last: nothing above looks into a softmax.
  passes.addPass(createDecomposeCompositesPass());
  addAlgebra(passes, options);
  passes.addPass(createAssignLayoutsPass());
  // Again, for what layouts did to constants.
  passes.addPass(createFoldConstantsPass());
  addAlgebra(passes, options);
  // Halves widen when no algebra has to look through their roundings any more.
  passes.addPass(createWidenHalvesPass());
  // Attentions are cut when nothing moves slices. Where groups are merged, rows
  // of an attention are tiles of one kernel.
  if (!mergesGroups(options) && !hasDevice(options))
    passes.addPass(createSliceAttentionPass());
  addCleanUp(passes);
  passes.addPass(createVerifySimplifyPass());
}

/// Before groups are merged, whose prices depend on what they load and store.
static void addNarrowValues(OpPassManager &passes, tile::Precision precision) {
  bool isHalf =
      precision == tile::Precision::F16 || precision == tile::Precision::BF16;
  if (!isHalf)
    return;
  gpu::NarrowValuesPassOptions narrow;
  narrow.type = tile::toText(precision).str();
  passes.addPass(gpu::createNarrowValuesPass(narrow));
}

/// Up to so many, threads gain less by waves than memory takes back, and have
/// enough tiles in slices of a batch.
static constexpr int64_t fewThreads = 4;

static int64_t threadsOf(const PipelineOptions &options) {
  const tile::Target *target = tile::findTarget(options.target);
  return options.threads ? options.threads : target ? target->threads : 1;
}

/// Slices of the batch become functions, which are fused once each.
static void addSlices(OpPassManager &passes, const PipelineOptions &options) {
  const MicroBatch &micro = options.microBatch;
  bool isPriced = options.fusion == fuse::FusionMode::Full &&
                  (threadsOf(options) <= fewThreads || micro.below);
  if (hasDevice(options) || micro.images < 0 ||
      (micro.images == 0 && !isPriced))
    return;
  auto slices = forDevice<batch::SliceBatchPassOptions>(options);
  slices.images = micro.images;
  slices.below = micro.below.value_or(-1);
  passes.addPass(batch::createSliceBatchPass(slices));
}

/// What runs as one kernel, of known size.
static void addFuse(OpPassManager &passes, const PipelineOptions &options) {
  if (hasDevice(options)) {
    passes.addPass(gpu::createJoinProductsPass(
        forDevice<gpu::JoinProductsPassOptions>(options)));
    passes.addPass(createFoldConstantsPass());
  }
  // Reductions split first, in as many parts as the device likes: sums in
  // another order.
  if (!options.strict) {
    SplitReductionsPassOptions split;
    split.blocks = hasDevice(options);
    passes.addPass(createSplitReductionsPass(split));
    addCleanUp(passes);
  }
  // Splats shrink when nothing folds any more.
  passes.addPass(createShrinkSplatsPass());
  passes.addPass(fuse::createRequireSizesPass());
  passes.addPass(fuse::createCheckStatesPass());
  addSlices(passes, options);
  fuse::FuseGroupsPassOptions groups;
  groups.mode = fuse::toText(options.fusion).str();
  passes.addPass(fuse::createFuseGroupsPass(groups));
  if (hasDevice(options))
    addNarrowValues(passes, options.precision);
  if (mergesGroups(options))
    passes.addPass(fuse::createMergeGroupsPass(
        forDevice<fuse::MergeGroupsPassOptions>(options)));
  if (!hasDevice(options))
    passes.addPass(batch::createUnrollSlicesPass());
  passes.addPass(fuse::createVerifyFusePass());
}

/// With --train only: what is computed again, of groups that are kernels.
static void addCheckpoint(OpPassManager &passes,
                          const PipelineOptions &options) {
  if (options.optimizer.empty())
    return;
  auto steps = forDevice<checkpoint::CheckpointStepsPassOptions>(options);
  steps.budget = options.arenaBudget;
  steps.scale = options.budgetScale;
  steps.others = options.compareBudgets;
  passes.addPass(checkpoint::createCheckpointStepsPass(steps));
  passes.addPass(fuse::createVerifyFusePass());
}

static void addNarrowWeights(OpPassManager &passes, Weights weights) {
  if (weights == Weights::F32)
    return;
  codegen::NarrowWeightsPassOptions narrow;
  narrow.type = weights == Weights::F16 ? "f16" : "bf16";
  passes.addPass(codegen::createNarrowWeightsPass(narrow));
}

/// Plans first: they say which halos the buffers need and what can be read as a
/// view.
static void addCodegen(OpPassManager &passes, const PipelineOptions &options) {
  auto plans = forDevice<codegen::PlanKernelsPassOptions>(options);
  plans.times = options.times;
  plans.attempt = options.attempt;
  passes.addPass(codegen::createPlanKernelsPass(plans));
  addNarrowWeights(passes, options.weights);
  codegen::CheckIndicesPassOptions indices;
  indices.atRunTime = options.checkIndices;
  passes.addPass(codegen::createCheckIndicesPass(indices));
  passes.addPass(codegen::createSharePacksPass());
  codegen::FormViewsPassOptions views;
  if (hasDevice(options)) // It has memory for views.
    views.spare = 1;
  passes.addPass(codegen::createFormViewsPass(views));
  passes.addPass(codegen::createAssignBuffersPass(
      forDevice<codegen::AssignBuffersPassOptions>(options)));
  passes.addPass(codegen::createLowerKernelsPass(
      forDevice<codegen::LowerKernelsPassOptions>(options)));
  passes.addPass(codegen::createVerifyCodegenPass());
}

static void addGuards(OpPassManager &passes, Guard guard) {
  if (guard == Guard::None)
    return;
  memory::GuardArenaPassOptions guards;
  guards.side = guard == Guard::Above ? "above" : "below";
  passes.addPass(memory::createGuardArenaPass(guards));
}

/// In which order launches run, and which share a wave. Guards take them one by
/// one.
static void addSchedule(OpPassManager &passes, const PipelineOptions &options) {
  schedule::ScheduleLaunchesPassOptions launches;
  launches.cap = options.arenaCap.value_or(-1);
  launches.members = options.members;
  if (hasDevice(options)) {
    bool isAuto = options.schedule == Schedule::Auto;
    launches.device = options.device;
    launches.details = options.showFront;
    launches.waves = isAuto || options.schedule == Schedule::Waves;
    if (isAuto || options.schedule == Schedule::Streams)
      launches.streams = options.streams;
  } else if (options.guard == Guard::None) {
    int64_t threads = threadsOf(options);
    launches.threads = unsigned(threads);
    // Of few threads, memory takes back what waves gain.
    launches.waves =
        options.schedule == Schedule::Waves ||
        (options.schedule == Schedule::Auto && threads > fewThreads);
  }
  passes.addPass(schedule::createScheduleLaunchesPass(launches));
}

/// With --train only. Guards copy each tensor, so that nothing is one buffer.
static void addUpdates(OpPassManager &passes, const PipelineOptions &options) {
  if (options.optimizer.empty() || options.guard != Guard::None)
    return;
  memory::UpdateStatesPassOptions updates;
  auto budget = checkpoint::parseBudget(options.arenaBudget);
  using checkpoint::Budget;
  updates.keepPeak =
      options.arenaCap || (budget && (budget->kind == Budget::Bytes ||
                                      budget->kind == Budget::Fraction));
  passes.addPass(memory::createUpdateStatesPass(updates));
}

/// Where each buffer lies; proven by an independent check.
static void addMemory(OpPassManager &passes, const PipelineOptions &options) {
  addSchedule(passes, options);
  if (hasDevice(options))
    passes.addPass(gpu::createFormWavesPass());
  addUpdates(passes, options);
  passes.addPass(memory::createPlanArenaPass());
  addGuards(passes, options.guard);
  passes.addPass(memory::createVerifyMemoryPass());
  passes.addPass(ctrl::createLowerControlPass());
}

static void addNothing(OpPassManager &, const PipelineOptions &) {}

namespace {
struct PhaseEntry {
  const char *name;
  void (*add)(OpPassManager &, const PipelineOptions &);
};
} // namespace

static const PhaseEntry phases[numPhases] = {
    // Reads the file: lib/Import/Onnx.
    {"import", addNothing},
    {"normalize", addNormalize},
    {"differentiate", addDifferentiate},
    {"simplify", addSimplify},
    {"fuse", addFuse},
    {"checkpoint", addCheckpoint},
    {"codegen", addCodegen},
    {"memory", addMemory},
    // Writes the file: passes/Emit.
    {"emit", addNothing},
};

//===-- Names -------------------------------------------------------------===//

StringRef tenon::phaseName(Phase phase) { return phases[unsigned(phase)].name; }

std::optional<Phase> tenon::parsePhase(StringRef name) {
  for (unsigned i = 0; i < numPhases; ++i)
    if (name == phases[i].name)
      return Phase(i);
  return std::nullopt;
}

std::optional<Weights> tenon::parseWeights(StringRef name) {
  return llvm::StringSwitch<std::optional<Weights>>(name)
      .Case("f32", Weights::F32)
      .Case("f16", Weights::F16)
      .Case("bf16", Weights::BF16)
      .Default(std::nullopt);
}

void tenon::addPhase(OpPassManager &passes, Phase phase,
                     const PipelineOptions &options) {
  phases[unsigned(phase)].add(passes, options);
}
