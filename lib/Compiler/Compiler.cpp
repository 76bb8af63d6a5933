//===- Compiler.cpp - from a file to an artifact --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Compiler/Compiler.h"

#include "dialects/Graph/Programs.h"
#include "lib/Compiler/ApplyState.h"
#include "lib/Compiler/FallBacks.h"
#include "lib/Compiler/Groups.h"
#include "lib/Compiler/InitAll.h"
#include "lib/Compiler/Phases.h"
#include "lib/Compiler/ReportSchedule.h"
#include "lib/Compiler/ReportSizes.h"
#include "lib/Fusion/Draw/Draw.h"
#include "lib/Memory/Draw/Draw.h"
#include "lib/Memory/Streams/Clocks.h"
#include "lib/Memory/Text/Text.h"
#include "lib/Schedule/Text.h"
#include "lib/Support/File.h"
#include "mlir/Parser/Parser.h"
#include "passes/Memory/LaunchProgram.h"
#include "passes/Memory/Overlays.h"
#include "passes/Memory/Passes.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/ThreadPool.h"

using namespace mlir;
using namespace tenon;

std::unique_ptr<MLIRContext> tenon::createContext(unsigned jobs) {
  registerAllPasses();
  DialectRegistry registry;
  registerAllDialects(registry);
  auto context = std::make_unique<MLIRContext>(
      registry, jobs == 1 ? MLIRContext::Threading::DISABLED
                          : MLIRContext::Threading::ENABLED);
  // Errors name nodes; what became of those is for us (tenon-opt --debug-ir).
  context->printOpOnDiagnostic(false);
  return context;
}

FailureOr<OwningOpRef<ModuleOp>>
tenon::readModel(StringRef path, MLIRContext &context,
                 const onnximport::ImportOptions &options) {
  if (onnximport::isOnnxFile(path))
    return onnximport::importOnnx(path, context, options);
  if (!path.ends_with(".mlir"))
    return emitError(UnknownLoc::get(&context))
           << "'" << path << "' is neither .onnx, .onnxtxt nor .mlir";
  auto module = parseSourceFile<ModuleOp>(path, &context);
  if (!module)
    return failure();
  return module;
}

FailureOr<OwningOpRef<ModuleOp>>
tenon::readModel(const ModelSource &source, MLIRContext &context,
                 const onnximport::ImportOptions &options) {
  if (!source.bytes)
    return readModel(source.path, context, options);
  if (!StringRef(source.path).ends_with(".mlir"))
    return onnximport::importOnnxBytes(*source.bytes, source.path, context,
                                       options);
  auto module = parseSourceString<ModuleOp>(*source.bytes, &context);
  if (!module)
    return failure();
  return module;
}

//===-- Files -------------------------------------------------------------===//

/// What a report shows: where it depends on the inputs, that for typical ones.
static int64_t arenaOf(const artifact::PlanDesc &plan) {
  return plan.arenaBytes < 0 ? plan.typicalArenaBytes : plan.arenaBytes;
}

/// The launches per kernel, in order of first use.
static std::vector<KernelReport>
kernelsOf(const artifact::VariantDesc &variant) {
  llvm::MapVector<uint32_t, KernelReport> kernels;
  for (const artifact::LaunchDesc &launch : variant.launches) {
    KernelReport &kernel = kernels[launch.kernel];
    kernel.name = variant.kernels[launch.kernel].name;
    if (kernel.launches++ == 0) {
      kernel.nodes = llvm::join(launch.nodes, ";");
      kernel.costs = launch.costs;
    }
    const artifact::KernelDesc &desc = variant.kernels[launch.kernel];
    kernel.errorGrowth = desc.errorGrowth;
    kernel.use = {desc.use.registers, desc.use.sharedBytes,
                  desc.use.spillBytes};
    kernel.flops += launch.typicalFlops;
    kernel.bytes += launch.typicalBytes;
  }
  std::vector<KernelReport> list;
  for (auto &entry : kernels)
    list.push_back(std::move(entry.second));
  return list;
}

static void summarize(const artifact::VariantDesc &variant, Report &report) {
  report.kernels = kernelsOf(variant);
  report.launches = variant.launches.size();
  report.arenaBytes = arenaOf(variant.plan);
  report.scratchBytes = variant.scratchBytes();
  report.arenaBoundBytes = variant.plan.boundBytes.value_or(0);
  report.arenaLowerBoundBytes = variant.plan.lowerBoundBytes;
}

static int64_t streamsOf(const artifact::VariantDesc &variant) {
  uint32_t last = 0;
  for (const artifact::LaunchDesc &launch : variant.launches)
    last = std::max(last, launch.stream);
  return int64_t(last) + 1;
}

/// What a state takes while it is kept; none where symbols say.
static std::optional<int64_t> bytesOf(const artifact::EntryDesc &entry,
                                      const artifact::StateDesc &state) {
  const artifact::TensorDesc &tensor = entry.inputs[state.input];
  int64_t bytes = (tensor.type.bits + 7) / 8;
  for (int64_t extent : tensor.shape) {
    if (extent < 0)
      return std::nullopt;
    bytes *= extent;
  }
  bool isOne = state.isUpdated || state.output == artifact::stateIsRead;
  return isOne ? bytes : 2 * bytes;
}

static void summarize(const artifact::ArtifactDesc &desc, Report &report) {
  summarize(desc.variants.front(), report);
  report.isForTypicalSizes = !desc.sizePrograms.empty();
  const artifact::EntryDesc &entry = desc.entries.front();
  for (const artifact::StateDesc &state : entry.states) {
    bool isRead = state.output == artifact::stateIsRead;
    report.states.push_back({entry.inputs[state.input].name,
                             isRead ? "" : entry.outputs[state.output].name,
                             state.axis, state.isUpdated,
                             bytesOf(entry, state)});
  }
  for (const artifact::VariantDesc &variant : desc.variants) {
    report.variants.push_back(
        {variant.targetCpu, int64_t(variant.kernels.size()),
         int64_t(variant.launches.size()), arenaOf(variant.plan),
         int64_t(variant.scratchBytes())});
    if (!variant.device)
      continue;
    report.variants.back().deviceKernels = kernelsOf(variant);
    report.variants.back().streams = streamsOf(variant);
  }
}

/// The buffers as CSV into a .csv file, else the program with its nodes.
static llvm::Error writeProblem(func::FuncOp main, const mem::Problem &problem,
                                StringRef path) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  if (path.ends_with(".csv")) {
    mem::writeProblem(problem, nullptr, stream);
    return writeFile(path, text);
  }
  mem::Program program = memory::programOf(main);
  if (llvm::Error error = program.check())
    return error;
  mem::writeProgramText({mem::problemOf(program), program}, stream);
  return writeFile(path, text);
}

static llvm::Error reportMemory(func::FuncOp main,
                                const CompileOptions &options, Report &report) {
  auto buffers = memory::computeLiveness(main);
  mem::Solution solution = memory::solutionOf(main, buffers);
  mem::Problem problem = memory::plannedProblem(main, buffers, solution);
  // The program may come from a file, so nothing has proven its plan.
  if (llvm::Error error = problem.check())
    return error;
  if (llvm::Error error = mem::validate(problem, solution))
    return llvm::createStringError("the memory plan is wrong: %s",
                                   llvm::toString(std::move(error)).c_str());
  report.arenaBytes = solution.arenaBytes();
  using memory::MemoryDialect;
  IntegerAttr bound =
      MemoryDialect::ArenaLowerBoundBytesAttrHelper(main.getContext())
          .getAttr(main);
  if (bound)
    report.arenaLowerBoundBytes = bound.getInt();
  if (StringAttr solver =
          MemoryDialect::ArenaSolverAttrHelper(main.getContext()).getAttr(main))
    report.arenaSolver = solver.str();
  if (options.drawMemory) {
    mem::DrawOptions draw;
    draw.title = report.model;
    if (bound)
      draw.bounds = {report.arenaLowerBoundBytes};
    report.arenaPicture = mem::drawPlan(problem, solution, draw);
  }
  if (options.memoryProblem.empty())
    return llvm::Error::success();
  return writeProblem(main, problem, options.memoryProblem);
}

/// Reports the memory plan and writes what was asked for about it.
static llvm::Error reportMemory(ModuleOp module, const CompileOptions &options,
                                Report &report) {
  report.step = checkpoint::frontierOf(module);
  report.showStep = options.showFrontier;
  bool isAsked = !options.memoryProblem.empty() || options.drawMemory;
  if (phaseOf(module) < Phase::Memory) {
    if (options.memoryProblem.empty())
      return llvm::Error::success();
    return llvm::createStringError(
        "--memory-problem: no memory plan exists before the memory phase");
  }
  auto programs = graph::programs(module);
  // What trains stands before what evaluates.
  bool trains = options.training.isOn() && !programs.empty();
  if (!isAsked && !trains && programs.size() != 1)
    return llvm::Error::success();
  FailureOr<func::FuncOp> program =
      trains ? programs.front() : graph::requireProgram(module);
  if (failed(program))
    return llvm::createStringError("the memory plan cannot be reported");
  return reportMemory(*program, options, report);
}

/// Reports how launches follow each other, and writes the problem of that, of a
/// program that has been planned.
static llvm::Error reportLaunches(const emit::Program &program,
                                  const CompileOptions &options,
                                  Report &report) {
  std::optional<sched::Problem> problem;
  auto programs = graph::programs(program.module);
  if (programs.size() == 1)
    report.slices = kernel::slicesOf(programs.front());
  if (phaseOf(program.module) == Phase::Memory && programs.size() == 1) {
    problem = program.device
                  ? scheduleProblem(programs.front(), *program.device)
                  : scheduleProblem(programs.front(), report.threads);
    if (program.device)
      report.schedule = reportDeviceSchedule(programs.front(), *program.device,
                                             options.showFront, report.model);
  }
  bool isTaken = report.schedule && !report.schedule->way.empty();
  if (isTaken && !options.scheduleProblem.empty())
    return llvm::createStringError(
        "--schedule-problem: the device's launches have their schedule, "
        "--schedule=order leaves them as they were");
  if (!problem && !options.scheduleProblem.empty())
    return llvm::createStringError(
        "--schedule-problem: there is none of states, symbols, control flow or "
        "streams, nor before the memory phase");
  if (problem && !program.device)
    report.schedule = reportSchedule(programs.front(), *problem,
                                     options.showFront, report.model);
  if (options.scheduleProblem.empty())
    return llvm::Error::success();
  std::string text;
  llvm::raw_string_ostream stream(text);
  sched::writeProblem(*problem, stream);
  return writeFile(options.scheduleProblem, text);
}

/// What the compilation did to weights, if it was asked to.
static void reportWeights(ModuleOp module, Report &report) {
  ArrayAttr records =
      kernel::KernelDialect::NarrowedAttrHelper(module.getContext())
          .getAttr(module);
  if (!records)
    return;
  report.narrowed.emplace();
  for (auto record : records.getAsRange<DictionaryAttr>()) {
    std::string element;
    llvm::raw_string_ostream(element)
        << record.getAs<TypeAttr>("element").getValue();
    auto kept = record.getAs<StringAttr>("kept");
    report.narrowed->push_back(
        {record.getAs<StringAttr>("nodes").str(), element,
         record.getAs<IntegerAttr>("bytes_saved").getInt(),
         record.getAs<FloatAttr>("error").getValueAsDouble(),
         record.getAs<FloatAttr>("error_of_largest").getValueAsDouble(),
         kept ? kept.str() : ""});
  }
}

/// What is fused, once that is planned.
static void reportGroups(const emit::Program &program,
                         const CompileOptions &options, Report &report) {
  StringRef row =
      program.device ? program.device->name : program.target.row->name;
  report.groups = groupsOf(program.module, row, report.threads);
  if (options.drawGroups && !report.groups.groups.empty())
    report.groupsPicture = fusion::drawGroups(report.groups, report.model);
}

static llvm::Error writeMlir(ModuleOp module, StringRef path) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  module.print(stream, OpPrintingFlags().enableDebugInfo(false));
  return writeFile(path, stream.str());
}

emit::EmitOptions tenon::emitOptionsOf(const CompileOptions &options,
                                       const Report &report) {
  emit::EmitOptions result;
  result.jobs = options.jobs
                    ? options.jobs
                    : llvm::hardware_concurrency().compute_thread_count();
  result.modelName = report.model;
  result.isCancelled = options.isCancelled;
  result.mostCodeBytes = options.codeSize;
  if (!options.kernelCache.empty())
    result.cache.emplace(options.kernelCache, options.kernelCacheBytes);
  return result;
}

static llvm::Error emitFile(ArrayRef<emit::Program> programs,
                            const CompileOptions &options, StringRef output,
                            Report &report) {
  if (options.emit == EmitKind::Assembly) {
    auto text = emit::emitAssembly(programs.front());
    return text ? writeFile(output, *text) : text.takeError();
  }
  emit::EmitOptions emitOptions = emitOptionsOf(options, report);
  auto result = options.emit == EmitKind::Object
                    ? emit::emitObject(programs, emitOptions, output)
                    : emit::emitArtifact(programs, emitOptions, output);
  if (!result)
    return result.takeError();
  if (!result->warning.empty())
    emitWarning(UnknownLoc::get(programs.front().module->getContext()))
        << "kernels are not cached: " << result->warning;
  report.compiledKernels = result->compiledKernels;
  report.cachedKernels = result->cachedKernels;
  report.assembler = result->assembler;
  report.remarks = result->remarks;
  report.phases.push_back({"emit: compile", result->compileSeconds});
  report.phases.push_back({"emit: link", result->linkSeconds});
  report.phases.push_back({"emit: write", result->writeSeconds});
  report.weightsBytes = result->sizes.weightsBytes;
  report.codeBytes = result->sizes.codeBytes;
  report.artifactBytes = result->sizes.fileBytes;
  summarize(result->desc, report);
  for (auto [program, variant] : llvm::zip_equal(programs, report.variants))
    if (program.device)
      variant.fallBacks = fallBacksOf(program.module);
  return llvm::Error::success();
}

/// The model with what --apply-state says, if it says something.
static llvm::Error trainedModel(const ModelSource &source,
                                const CompileOptions &options,
                                std::string &trained) {
  if (options.applyState.empty() && options.emit != EmitKind::Onnx)
    return llvm::Error::success();
  if (options.applyState.empty())
    return llvm::createStringError("--emit=onnx needs an --apply-state");
  if (source.bytes)
    return llvm::createStringError("--apply-state takes models in files");
  auto model = applyState(source.path, options.applyState);
  if (!model)
    return model.takeError();
  trained = std::move(*model);
  return llvm::Error::success();
}

static llvm::Expected<Report> compileOnce(MLIRContext &context,
                                          const ModelSource &source,
                                          StringRef output,
                                          const CompileOptions &options) {
  Report report;
  report.model = llvm::sys::path::stem(source.path).str();
  report.arithmetic = describeArithmetic(options);
  std::string trained;
  ModelSource model = source;
  if (llvm::Error error = trainedModel(source, options, trained))
    return std::move(error);
  if (options.emit == EmitKind::Onnx) {
    if (llvm::Error error = writeFile(output, trained))
      return std::move(error);
    return report;
  }
  if (!trained.empty())
    model = {"model.onnx", trained};
  FailureOr<OwningOpRef<ModuleOp>> module = failure();
  {
    PhaseTimer timer(options, report, phaseName(Phase::Import));
    module = readModels(model, context, options);
  }
  if (failed(module))
    return llvm::createStringError("'%s' cannot be read", source.path.c_str());
  auto variants = planVariants(std::move(*module), options, report);
  if (failed(variants))
    return llvm::createStringError("'%s' cannot be compiled",
                                   source.path.c_str());
  ModuleOp preferred = variants->programs.front().module;
  if (llvm::Error error = reportMemory(preferred, options, report))
    return error;
  if (llvm::Error error =
          reportLaunches(variants->programs.front(), options, report))
    return error;
  reportWeights(preferred, report);
  report.sizes = reportSizes(preferred);
  reportGroups(variants->programs.front(), options, report);
  if (options.emit == EmitKind::None)
    return report;
  if (options.emit == EmitKind::Mlir || options.compileTo != Phase::Emit) {
    if (llvm::Error error = writeMlir(preferred, output))
      return error;
    return report;
  }
  if (options.progress)
    options.progress(phaseName(Phase::Emit));
  if (options.isCancelled && options.isCancelled())
    return llvm::createStringError("cancelled");
  if (llvm::Error error = emitFile(variants->programs, options, output, report))
    return error;
  return report;
}

llvm::Expected<Report> tenon::compileModel(MLIRContext &context,
                                           const ModelSource &source,
                                           StringRef output,
                                           const CompileOptions &options) {
  auto report = compileOnce(context, source, output, options);
  auto isLarge = [&] {
    return report && options.codeSize && report->codeBytes > *options.codeSize;
  };
  if (isLarge()) {
    CompileOptions smaller = options;
    smaller.typical.mayHaveFurther = false;
    report = compileOnce(context, source, output, smaller);
  }
  if (!isLarge())
    return report;
  return llvm::createStringError(
      "'%s' takes %lld bytes of code, more than --code-size=%lld",
      source.path.c_str(), (long long)report->codeBytes,
      (long long)*options.codeSize);
}
