//===- Phases.cpp - which phases a program goes through -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Compiler/Phases.h"
#include "lib/Compiler/Tune.h"

#include "dialects/Graph/Programs.h"
#include "dialects/Graph/States.h"
#include "dialects/Kernel/Kernel.h"
#include "dialects/Vm/Vm.h"
#include "passes/Batch/Images.h"
#include "passes/Checkpoint/Budget.h"
#include "passes/Checkpoint/Frontier.h"

using namespace mlir;
using namespace tenon;

PhaseTimer::PhaseTimer(const CompileOptions &options, Report &report,
                       StringRef name)
    : report(report), name(name), start(std::chrono::steady_clock::now()) {
  if (options.progress)
    options.progress(name);
}

PhaseTimer::~PhaseTimer() {
  auto now = std::chrono::steady_clock::now();
  double seconds = std::chrono::duration<double>(now - start).count();
  for (PhaseSeconds &phase : report.phases)
    if (phase.name == name) {
      phase.seconds += seconds;
      return;
    }
  report.phases.push_back({name.str(), seconds});
}

/// The phase that an operation belongs to.
static Phase phaseOfOp(Operation *op) {
  if (isa<kernel::LaunchOp, memory::OutputOp>(op))
    return Phase::Codegen;
  if (isa<kernel::GroupOp>(op))
    return Phase::Fuse;
  StringRef dialect = op->getName().getDialectNamespace();
  return dialect == "onnx" ? Phase::Import : Phase::Normalize;
}

static Phase phaseOf(func::FuncOp program) {
  using Arena = memory::MemoryDialect::ArenaBytesAttrHelper;
  if (Arena(program.getContext()).isAttrPresent(program))
    return Phase::Memory;
  Phase latest = Phase::Import;
  for (Operation &op : program.getOps()) {
    Phase phase = phaseOfOp(&op);
    if (phase == Phase::Import && isa<func::ReturnOp>(op))
      continue;
    if (op.getName().getDialectNamespace() == "onnx")
      return Phase::Import;
    latest = std::max(latest, phase);
  }
  return latest;
}

/// On a module that has been simplified, which its operations do not tell.
static constexpr llvm::StringLiteral simplifiedAttr = "tenon.simplified";

/// Control that calls no segment has nothing to go through until it is lowered.
static Phase phaseWithoutPrograms(ModuleOp module) {
  if (!module.getOps<vm::FuncOp>().empty())
    return Phase::Memory;
  return module.getOps<control::FuncOp>().empty() ? Phase::Import
                                                  : Phase::Codegen;
}

Phase tenon::phaseOf(ModuleOp module) {
  SmallVector<func::FuncOp> programs = graph::programs(module);
  if (programs.empty())
    return phaseWithoutPrograms(module);
  Phase first = Phase::Memory, last = Phase::Import;
  for (func::FuncOp program : programs) {
    first = std::min(first, ::phaseOf(program));
    last = std::max(last, ::phaseOf(program));
  }
  // Views are in no group: programs of nothing else are where others are.
  if (first == Phase::Normalize)
    first = last;
  return first == Phase::Normalize && module->hasAttr(simplifiedAttr)
             ? Phase::Simplify
             : first;
}

static void noteSimplified(ModuleOp module, Phase phase) {
  if (phase == Phase::Simplify)
    module->setAttr(simplifiedAttr, UnitAttr::get(module.getContext()));
  else
    module->removeAttr(simplifiedAttr);
}

static LogicalResult runPhase(ModuleOp module, Phase phase,
                              const CompileOptions &options,
                              const PipelineOptions &pipeline, Report &report) {
  PhaseTimer timer(options, report, phaseName(phase));
  PassManager passes(module.getContext());
  if (options.instrument && failed(options.instrument(passes)))
    return failure();
  addPhase(passes, phase, pipeline);
  if (failed(passes.run(module)))
    return failure();
  if (options.isCancelled && options.isCancelled())
    return emitError(module.getLoc(), "cancelled");
  noteSimplified(module, phase);
  return success();
}

static bool isNeeded(Phase phase, const CompileOptions &options) {
  bool isOfTraining =
      phase == Phase::Differentiate || phase == Phase::Checkpoint;
  return !isOfTraining || options.training.isOn();
}

/// Gradients look like what they are of; states tell that they are there.
static bool hasRun(Phase phase, ModuleOp module) {
  return phase == Phase::Differentiate && !graph::statesOf(module).empty();
}

static LogicalResult runPhasesOf(ModuleOp module, unsigned first, unsigned end,
                                 const CompileOptions &options,
                                 const PipelineOptions &pipeline,
                                 Report &report) {
  for (unsigned phase = first; phase <= end; ++phase)
    if (isNeeded(Phase(phase), options) && !hasRun(Phase(phase), module) &&
        failed(runPhase(module, Phase(phase), options, pipeline, report)))
      return failure();
  return success();
}

/// By how much the arena of a planned program is above what its plan was for,
/// in thousandths of that; none: it is not.
static std::optional<int64_t> excess(ModuleOp module, StringRef budget) {
  auto wanted = checkpoint::parseBudget(budget);
  using Arena = memory::MemoryDialect::ArenaBytesAttrHelper;
  Arena helper(module.getContext());
  auto frontier = checkpoint::frontierOf(module);
  auto bytes = wanted && frontier ? wanted->bytesOf(frontier->none.arenaBytes)
                                  : std::nullopt;
  // What evaluates stands behind what trains, and has no budget.
  auto programs = graph::programs(module);
  IntegerAttr arena =
      programs.empty() ? IntegerAttr() : helper.getAttr(programs.front());
  int64_t most = arena ? arena.getInt() : 0;
  if (!bytes || most <= *bytes)
    return std::nullopt;
  return most * 1000 / std::max<int64_t>(*bytes, 1) - 1000;
}

/// Halos and scratch are known when there are kernels only. Where the arena is
/// above its budget then, it is planned again for less, until no plan fits.
static LogicalResult runWithinBudget(ModuleOp module, unsigned end,
                                     const CompileOptions &options,
                                     PipelineOptions pipeline, Report &report) {
  OwningOpRef<ModuleOp> before = module.clone();
  while (true) {
    if (failed(runPhasesOf(module, unsigned(Phase::Checkpoint), end, options,
                           pipeline, report)))
      return failure();
    auto above = excess(module, pipeline.arenaBudget);
    if (!above)
      return success();
    pipeline.budgetScale =
        std::max<int64_t>(pipeline.budgetScale * 1000 / (1000 + *above) - 2, 0);
    OwningOpRef<ModuleOp> copy = before->clone();
    module.getBodyRegion().takeBody(copy->getBodyRegion());
    module->setAttrs((*before)->getAttrDictionary());
  }
}

LogicalResult tenon::runUpTo(Phase last, ModuleOp module,
                             const CompileTarget &target,
                             const CompileOptions &options, Report &report) {
  PipelineOptions pipeline;
  pipeline.target = target.processor.row->name.str();
  if (target.device)
    pipeline.device = target.device->name.str();
  pipeline.precision = options.precision;
  pipeline.times = options.tune.empty() ? options.times : options.tune;
  pipeline.attempt = options.attempt;
  pipeline.streams = options.streams;
  pipeline.threads = options.threads;
  pipeline.schedule = options.schedule;
  pipeline.arenaCap = options.arenaCap;
  pipeline.members = unsigned(options.ensemble.others.size()) + 1;
  pipeline.microBatch = options.microBatch;
  pipeline.fusion = options.fusion;
  pipeline.guard = options.guard;
  pipeline.winograd = options.winograd;
  pipeline.bf16x6 = options.bf16x6;
  pipeline.checkIndices = options.checkIndices;
  pipeline.weights = options.weights;
  pipeline.strict = options.strict;
  pipeline.loss = options.training.loss;
  pipeline.optimizer = options.training.optimizer;
  pipeline.noDecay = options.training.noDecay;
  pipeline.clipNorm = options.training.clipNorm;
  pipeline.clipValue = options.training.clipValue;
  pipeline.accumulate = options.training.accumulate;
  pipeline.arenaBudget = options.arenaBudget;
  unsigned first = unsigned(phaseOf(module)) + 1;
  if (options.guard != Guard::None)
    first = std::min(first, unsigned(Phase::Memory));
  unsigned end = unsigned(std::min(last, options.compileTo));
  constexpr auto checkpoint = unsigned(Phase::Checkpoint);
  bool isPlanned = options.training.isOn() && first <= checkpoint &&
                   end >= unsigned(Phase::Memory);
  if (!isPlanned)
    return runPhasesOf(module, first, end, options, pipeline, report);
  if (failed(runPhasesOf(module, first, checkpoint - 1, options, pipeline,
                         report)))
    return failure();
  return runWithinBudget(module, end, options, pipeline, report);
}

/// Buffers are guarded in models of one program only.
static bool evaluates(const CompileOptions &options) {
  return options.guard == Guard::None;
}

/// Whether slices of a batch may make an arena smaller.
static bool maySlice(ModuleOp module, const CompileTarget &target,
                     const CompileOptions &options) {
  auto hasBatch = [](func::FuncOp program) {
    return batch::Images(program).count() > 1;
  };
  return options.arenaCap && options.microBatch.images == 0 && !target.device &&
         phaseOf(module) < Phase::Fuse &&
         llvm::any_of(graph::programs(module), hasBatch);
}

/// Runs the phases up to the memory plan on a copy, which takes the place of
/// the module if it has one. Errors are nobody's business.
static LogicalResult tryOnCopy(OwningOpRef<ModuleOp> &module,
                               const CompileTarget &target,
                               const CompileOptions &options, Report &report) {
  ScopedDiagnosticHandler quiet(module->getContext(), [](Diagnostic &each) {
    return success(each.getSeverity() == DiagnosticSeverity::Error);
  });
  OwningOpRef<ModuleOp> copy = module->clone();
  if (failed(runUpTo(Phase::Memory, *copy, target, options, report)))
    return failure();
  module = std::move(copy);
  return success();
}

/// Runs the phases up to the memory plan. What does not fit --arena-cap is
/// tried in slices of the batch that are predicted to fit, then in such that
/// leave more and more room for what is not predicted.
static LogicalResult planMemory(OwningOpRef<ModuleOp> &module,
                                const CompileTarget &target,
                                const CompileOptions &options, Report &report) {
  CompileOptions sliced = options;
  if (maySlice(*module, target, options)) {
    if (succeeded(tryOnCopy(module, target, sliced, report)))
      return success();
    for (int64_t percent : {100, 85, 70, 50}) {
      sliced.microBatch.below = *options.arenaCap / 100 * percent;
      if (succeeded(tryOnCopy(module, target, sliced, report)))
        return success();
    }
    sliced.microBatch.below = 0;
  }
  return runUpTo(Phase::Memory, *module, target, sliced, report);
}

/// Several plans read weights as f32.
static GivenTypical typicalOf(const CompileOptions &options) {
  GivenTypical typical = options.typical;
  typical.mayHaveFurther &= options.weights == Weights::F32;
  return typical;
}

LogicalResult tenon::runPhases(ModuleOp module, const CompileOptions &options,
                               Report &report) {
  if (failed(bindStates(module, options.states)) ||
      failed(prepareTraining(module, options.training, evaluates(options))) ||
      failed(stateTypical(module, typicalOf(options))))
    return failure();
  auto targets = targetsOf(module, options, report);
  if (failed(targets))
    return failure();
  const CompileTarget &target = targets->front();
  if (target.device &&
      (failed(runUpTo(Phase::Simplify, module, target, options, report)) ||
       failed(checkForDevices(module))))
    return failure();
  return runUpTo(Phase::Memory, module, target, options, report);
}

FailureOr<Variants> tenon::planVariants(OwningOpRef<ModuleOp> module,
                                        const CompileOptions &options,
                                        Report &report) {
  if (failed(bindStates(*module, options.states)) ||
      failed(prepareTraining(*module, options.training, evaluates(options))) ||
      failed(stateTypical(*module, typicalOf(options))))
    return failure();
  auto targets = targetsOf(*module, options, report);
  if (failed(targets) || failed(runUpTo(Phase::Simplify, *module,
                                        targets->front(), options, report)))
    return failure();
  if (targets->front().device && failed(checkForDevices(*module)))
    return failure();
  if (!options.tune.empty())
    if (llvm::Error error = tune(*module, *targets, options, report))
      return emitError((*module).getLoc(), llvm::toString(std::move(error)));
  Variants variants;
  for (const CompileTarget &target : *targets) {
    OwningOpRef<ModuleOp> copy;
    if (&target != &targets->back())
      copy = (*module).clone();
    variants.modules.push_back(std::move(copy ? copy : module));
    if (failed(planMemory(variants.modules.back(), target, options, report)))
      return failure();
    variants.programs.push_back({*variants.modules.back(), target.processor,
                                 target.device, options.precision});
    if (target.device && failed(checkDeviceLaunches(*variants.modules.back())))
      return failure();
  }
  return variants;
}
