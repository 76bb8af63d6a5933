//===- Targets.cpp - what a model is compiled for -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Compiler/Phases.h"

#include "dialects/Control/Control.h"
#include "dialects/Graph/Programs.h"
#include "dialects/Graph/Shapes.h"
#include "dialects/Graph/States.h"
#include "dialects/Graph/Symbols.h"
#include "dialects/Kernel/Kernel.h"
#include "dialects/Vm/Vm.h"
#include "lib/Target/Cuda/Cuda.h"

using namespace mlir;
using namespace tenon;
using Targets = std::vector<CompileTarget>;

std::string CompileTarget::name() const {
  return device ? cuda::variantName(*device) : processor.cpu;
}

StringRef CompileTarget::row() const {
  return device ? device->name : processor.row->name;
}

/// What is written is one program, not an artifact of several.
static bool isForOne(const CompileOptions &options) {
  return options.compileTo != Phase::Emit || options.emit == EmitKind::Assembly;
}

/// Why options and devices do not go together; empty: they do.
static std::string againstDevices(const CompileOptions &options) {
  if (options.device.empty() && !(options.times + options.tune).empty())
    return "--times and --tune are for kernels of a --device";
  if (!options.tune.empty() && (isForOne(options) || !options.measure))
    return "--tune is for artifacts, which can be run";
  if (options.device.empty())
    return options.precision == tile::Precision::F32
               ? ""
               : "--precision is for products on a --device";
  if (options.weights != Weights::F32)
    return "--weights is for CPUs: devices have --precision";
  if (options.guard != Guard::None)
    return "--guard-memory is for CPUs, not for devices";
  if (options.emit == EmitKind::Object)
    return "programs for devices cannot be linked statically";
  return "";
}

/// Devices first. A single program is for the device, unless a CPU is named.
static llvm::Expected<Targets> resolve(const CompileOptions &options) {
  auto processors = cpu::resolveCpus(options.cpu, options.triple);
  if (!processors)
    return processors.takeError();
  Targets targets;
  if (!options.device.empty()) {
    auto devices = cuda::resolveDevices(options.device);
    if (!devices)
      return devices.takeError();
    for (const tile::GpuTarget *device : *devices)
      targets.push_back({processors->front(), device});
  }
  if (!targets.empty() && isForOne(options) && options.cpu.empty())
    return targets;
  for (cpu::CpuTarget &processor : *processors)
    targets.push_back({std::move(processor)});
  return targets;
}

/// A program that has been planned is planned for what its launches say.
static LogicalResult checkPlanned(ModuleOp module, const Targets &targets,
                                  StringRef names) {
  if (phaseOf(module) < Phase::Codegen)
    return success();
  if (targets.size() > 1)
    return emitError(module.getLoc(),
                     "the program has been planned for one target and cannot "
                     "be compiled for ")
           << names;
  bool isForDevice = targets.front().device;
  for (func::FuncOp program : graph::programs(module))
    for (auto launch : program.getOps<kernel::LaunchOp>())
      if (bool(launch.getDeviceAttr()) != isForDevice)
        return emitError(launch.getLoc(), "the program has been planned for a ")
               << (isForDevice ? "CPU" : "device")
               << " and cannot be compiled for " << names;
  return success();
}

FailureOr<Targets> tenon::targetsOf(ModuleOp module,
                                    const CompileOptions &options,
                                    Report &report) {
  if (std::string against = againstDevices(options); !against.empty())
    return emitError(module.getLoc(), against);
  auto targets = resolve(options);
  if (!targets)
    return emitError(module.getLoc()) << llvm::toString(targets.takeError());
  report.cpu = llvm::join(
      llvm::map_range(*targets, [](auto &target) { return target.name(); }),
      ",");
  report.target = llvm::join(
      llvm::map_range(*targets, [](auto &target) { return target.row(); }),
      ",");
  report.threads = options.threads ? options.threads
                                   : targets->front().processor.row->threads;
  if (options.compileTo < Phase::Codegen)
    return *targets;
  if (targets->size() > 1 && isForOne(options))
    return emitError(module.getLoc(), "this output is for one target, not for ")
           << report.cpu;
  if (failed(checkPlanned(module, *targets, report.cpu)))
    return failure();
  return *targets;
}

/// A value whose size the inputs decide, in a program; null: there is none.
static Value findSymbolic(func::FuncOp program) {
  auto isSymbolic = [](Type type) {
    auto tensor = dyn_cast<ShapedType>(type);
    return tensor && !tensor.hasStaticShape();
  };
  for (Value argument : program.getArguments())
    if (isSymbolic(argument.getType()))
      return argument;
  Value found;
  program.walk([&](Operation *op) {
    for (Value result : op->getResults())
      if (!found && isSymbolic(result.getType()))
        found = result;
    return found ? WalkResult::interrupt() : WalkResult::advance();
  });
  return found;
}

/// What only the host can decide, in a function with control flow; the function
/// where it just calls others.
static Operation *findControl(Operation *function) {
  Operation *found = function;
  function->walk([&](Operation *op) {
    auto call = dyn_cast<control::CallOp>(op);
    auto coded = dyn_cast<vm::CallOp>(op);
    bool isControl = isa<control::IfOp, control::LoopOp, vm::IfOp>(op) ||
                     (call && !call.getFunction()) ||
                     (coded && !coded.getFunction());
    if (!isControl)
      return WalkResult::advance();
    found = op;
    return WalkResult::interrupt();
  });
  return found;
}

LogicalResult tenon::checkForDevices(ModuleOp module) {
  for (Operation &op : *module.getBody())
    if (isa<control::FuncOp, vm::FuncOp>(op))
      return emitError(findControl(&op)->getLoc(),
                       "programs for devices cannot have control flow; compile "
                       "without --device");
  SmallVector<func::FuncOp> programs = graph::programs(module);
  for (func::FuncOp program : programs)
    if (Value value = findSymbolic(program))
      return emitError(value.getLoc(),
                       "programs for devices cannot have sizes that the inputs "
                       "decide, as those of ")
             << value.getType()
             << "; fix them with --dim or --shape, or compile without "
                "--device";
  // The run time takes the next variant: see runtime/src/artifact/Variants.c.
  if (SmallVector<graph::State> states = graph::statesOf(module);
      !states.empty() && !programs.empty())
    emitWarning(graph::modelLoc(programs.front()))
        << "no device will load this program, since it has states ("
        << states.front().input
        << "), which a processor keeps: artifacts run what is compiled for the "
           "CPU; compile without --device, or without --state";
  return success();
}

LogicalResult tenon::checkDeviceLaunches(ModuleOp module) {
  constexpr int64_t most = 1
                           << 20; // nodes of a graph: runtime/src/cuda/Graph.c
  for (func::FuncOp program : graph::programs(module)) {
    int64_t all = 0;
    for (auto launch : program.getOps<kernel::LaunchOp>()) {
      auto steps = dyn_cast_or_null<IntegerAttr>(launch.getStepsAttr());
      int64_t own = steps ? steps.getInt() : 1;
      if ((all += own) > most)
        return emitError(launch.getLoc())
               << "programs for devices cannot have more than " << most
               << " launches, of which this takes " << own
               << "; compile without --device";
    }
  }
  return success();
}
