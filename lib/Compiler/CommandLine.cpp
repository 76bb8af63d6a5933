//===- CommandLine.cpp - options that tools share -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Compiler/CommandLine.h"
#include "lib/Compiler/OptionWords.h"
#include "lib/Support/Codes.h"

#include "lib/Tile/Target.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/Path.h"

using namespace tenon;
namespace cl = llvm::cl;

/// The name, free for an option of ours: a library that is linked in has a
/// hidden one of the same name for itself.
static llvm::StringRef freeName(llvm::StringRef name) {
  auto &options = cl::getRegisteredOptions();
  if (auto taken = options.find(name); taken != options.end())
    taken->second->removeArgument();
  return name;
}

CompilerCommandLine::CompilerCommandLine(cl::OptionCategory &category)
    : shapes(
          "shape",
          cl::desc("Fix the shape of an input, name=1x3x224x224 (repeatable)"),
          cl::value_desc("name=shape"), cl::cat(category)),
      dims("dim",
           cl::desc("Fix a symbolic dimension, batch=1, or say what it may "
                    "be, seq=1..512 or, of multiples, seq=8..512:8 "
                    "(repeatable)"),
           cl::value_desc("symbol=size"), cl::cat(category)),
      typical("typical",
              cl::desc("Choose plans for this size of a dimension that stays "
                       "open, seq=384, or for several, seq=16,384, of which "
                       "kernels take the nearest, or for these of all that are "
                       "not named, 3,17,131: which one, the dimension's name "
                       "says. Results do not depend on it but for the order of "
                       "sums (repeatable)"),
              cl::value_desc("symbol=size"), cl::cat(category)),
      constants("const",
                cl::desc("Replace an input by a constant: mask=1, axes=2,3 or "
                         "table=@table.npy; one number fills the input's "
                         "shape (repeatable)"),
                cl::value_desc("name=value"), cl::cat(category)),
      states("state",
             cl::desc("Bind an output to the input that it is in the next run, "
                      "past_k=present_k or past_*=present_*: a buffer that "
                      "grows in place where the model appends to its input "
                      "(repeatable)"),
             cl::value_desc("input=output"), cl::cat(category)),
      isEnsemble("ensemble",
                 cl::desc("Compile models of one architecture as one program, "
                          "whose outputs are NAME.0, NAME.1, ... in the order "
                          "of the files"),
                 cl::cat(category)),
      ensembleInputs(
          "ensemble-inputs", cl::desc("What models of an --ensemble read:"),
          cl::init(ensemble::Inputs::Shared),
          cl::values(clEnumValN(ensemble::Inputs::Shared, "shared",
                                "all the same inputs (default)"),
                     clEnumValN(ensemble::Inputs::Each, "each",
                                "inputs of their own, NAME.0, NAME.1, ...")),
          cl::cat(category)),
      train("train",
            cl::desc("Make the model a step of training: gradients of a "
                     "--loss, and parameters that an --optimizer changes, "
                     "which are states"),
            cl::cat(category)),
      loss("loss",
           cl::desc("What --train makes small, of an output and of labels, an "
                    "input: cross_entropy(y, labels), nll, mse, l1, huber, "
                    "bce_with_logits, or output:NAME"),
           cl::value_desc("loss"), cl::cat(category)),
      optimizer("optimizer",
                cl::desc("How: sgd(momentum=0.9, nesterov, weight_decay=1e-4), "
                         "adam, adamw(weight_decay=0.01), adagrad; the input "
                         "learning_rate says how far"),
                cl::value_desc("optimizer"), cl::cat(category)),
      trainable("trainable",
                cl::desc("Names of the initialisers that are trained, a "
                         "regular expression (default: all tensors of f32 and "
                         "f64 with at least one dimension but those that are "
                         "no parameters)"),
                cl::value_desc("pattern"), cl::cat(category)),
      noDecay(
          "no-decay",
          cl::desc("Names of the parameters that weight_decay leaves alone, "
                   "a regular expression (default: vectors)"),
          cl::value_desc("pattern"), cl::cat(category)),
      clipNorm("clip-norm",
               cl::desc("Shrink gradients so that the norm of all together is "
                        "at most this"),
               cl::init(0), cl::value_desc("norm"), cl::cat(category)),
      clipValue("clip-value",
                cl::desc("Bound each element of gradients by this, before "
                         "--clip-norm"),
                cl::init(0), cl::value_desc("value"), cl::cat(category)),
      accumulate(
          "accumulate",
          cl::desc("Update parameters after so many batches, by the mean "
                   "of their gradients (default: 1)"),
          cl::init(1), cl::value_desc("batches"), cl::cat(category)),
      seed("seed",
           cl::desc("What --train draws random numbers from, where the model "
                    "drops elements (default: 0)"),
           cl::init(0), cl::value_desc("number"), cl::cat(category)),
      applyState(
          "apply-state",
          cl::desc("Give the model's initialisers the values that "
                   "tenon-run --save-state wrote, and let no node train; "
                   "with --emit=onnx to write that model"),
          cl::value_desc("file.safetensors"), cl::cat(category)),
      arenaBudget("arena-budget",
                  cl::desc("With --train, what the arena may take, as 300M or "
                           "as 0.25 of what it takes without computing "
                           "anything again; none: nothing is; frontier: print "
                           "what bytes cost in time (default: what costs no "
                           "time)"),
                  cl::value_desc("budget"), cl::cat(category)),
      cpu("mcpu",
          cl::desc("CPU to compile for: native (default), haswell, "
                   "skylake-avx512, znver4, x86-64, neoverse-n1, ...; a list, "
                   "x86-64-v3,x86-64-v4, makes one artifact that picks the "
                   "best supported one when it is loaded"),
          cl::value_desc("name"), cl::cat(category)),
      triple("mtriple",
             cl::desc("Target triple, where the CPU's name does not imply it: "
                      "x86_64-linux-gnu, aarch64-linux-gnu; without --mcpu "
                      "the code runs on every CPU of that architecture"),
             cl::value_desc("triple"), cl::cat(category)),
      device("device",
             cl::desc("Devices to compile for beside the CPU, the first of "
                      "which the run time takes that it finds: cuda (sm_90a "
                      "and, for all others, sm_80), or cuda:sm_90a with those "
                      "of a list"),
             cl::value_desc("name"), cl::cat(category)),
      precision(
          "precision",
          cl::desc("What products on devices compute with, and what values "
                   "between their kernels lie in:"),
          cl::init(tile::Precision::F32),
          cl::values(clEnumValN(tile::Precision::F32, "f32",
                                "errors are those of f32 (default)"),
                     clEnumValN(tile::Precision::TF32, "tf32",
                                "factors are rounded to 11 binary digits"),
                     clEnumValN(tile::Precision::F16, "f16",
                                "weights and values in f16, sums in f32"),
                     clEnumValN(tile::Precision::BF16, "bf16",
                                "weights and values in bf16, sums in f32")),
          cl::cat(category)),
      times("times",
            cl::desc("Plan kernels of the --device by the times in a file that "
                     "--tune made, where it has some; the same file gives the "
                     "same result"),
            cl::value_desc("file.json"), cl::cat(category)),
      tune("tune",
           cl::desc("Measure several plans of each kernel on this machine's "
                    "GPU, add their times to a file, which is made where "
                    "there is none, and plan by them"),
           cl::value_desc("file.json"), cl::cat(category)),
      streams("streams",
              cl::desc("Streams of a device that kernels run on side by side, "
                       "at most; 1 to 1024 (default: 1024)"),
              cl::value_desc("number"), cl::init(mostStreams),
              cl::cat(category)),
      threads(freeName("threads"),
              cl::desc("Threads to cut kernels for, 1 to 1024 (default: as the "
                       "CPU's target says, 2); any number runs them, with the "
                       "same results"),
              cl::value_desc("number"), cl::init(0), cl::cat(category)),
      schedule("schedule",
               cl::desc("What runs side by side; results are the same:"),
               cl::init(Schedule::Auto),
               cl::values(clEnumValN(Schedule::Auto, "auto",
                                     "waves above 4 threads, waves and streams "
                                     "on devices (default)"),
                          clEnumValN(Schedule::Order, "order",
                                     "one launch after the other"),
                          clEnumValN(Schedule::Waves, "waves",
                                     "independent launches as one, where that "
                                     "is predicted to be faster"),
                          clEnumValN(Schedule::Streams, "streams",
                                     "on devices independent launches on "
                                     "streams of their own, where that is")),
               cl::cat(category)),
      arenaCap("arena-cap",
               cl::desc("Take the fastest plan whose arena has at most so many "
                        "bytes, as 64M, 500K, 1G; an error if there is none"),
               cl::value_desc("bytes"), cl::cat(category)),
      microBatch("micro-batch",
                 cl::desc("Images of a batch that CPUs take at a time where "
                          "that saves time or memory: off (default, all), "
                          "auto (as prices say), or so many"),
                 cl::value_desc("number"), cl::init("off"), cl::cat(category)),
      codeSize("code-size",
               cl::desc("Leave out plans for further sizes where the code of "
                        "an artifact would have more bytes, as 64K, 1M; an "
                        "error if it has so without them"),
               cl::value_desc("bytes"), cl::cat(category)),
      compileTo(
          "compile-to",
          cl::desc("Stop after a phase and write MLIR: import, normalize, "
                   "differentiate, simplify, fuse, checkpoint, codegen, "
                   "memory"),
          cl::value_desc("phase"), cl::cat(category)),
      guard("guard-memory",
            cl::desc("Put each buffer between inaccessible pages, so that an "
                     "out-of-bounds access ends the run with an error that "
                     "names the kernel (slow; for finding bugs):"),
            cl::ValueOptional, cl::init(Guard::None),
            cl::values(clEnumValN(Guard::Above, "", "as above"),
                       clEnumValN(Guard::Above, "above",
                                  "a buffer's end touches its guard"),
                       clEnumValN(Guard::Below, "below",
                                  "a buffer's start touches its guard")),
            cl::cat(category)),
      fusion(
          "fusion",
          cl::desc("Which operations become one kernel; results differ by no "
                   "more than the order of sums:"),
          cl::init(fuse::FusionMode::Full),
          cl::values(clEnumValN(fuse::FusionMode::Off, "off", "none"),
                     clEnumValN(fuse::FusionMode::Atoms, "atoms",
                                "an operation and its only user, if that is "
                                "element-wise on the same shape"),
                     clEnumValN(fuse::FusionMode::Greedy, "greedy",
                                "a product or a window and what follows it "
                                "element by element; loops over one domain"),
                     clEnumValN(fuse::FusionMode::Full, "full",
                                "whatever is expected to take the least time, "
                                "several products in tiles, too (default)")),
          cl::cat(category)),
      winograd(
          "winograd",
          cl::desc(
              "Where to use Winograd convolutions, by how much rounding errors "
              "may grow. Values within a tile (6x6 pixels at most, 8x8 with "
              "max) share rounding errors, so that very small ones beside a "
              "very large one may be lost. Infinities and NaN stay where "
              "direct convolution has them:"),
          cl::init(tile::WinogradUse::Safe),
          cl::values(clEnumValN(tile::WinogradUse::Off, "off", "nowhere"),
                     clEnumValN(tile::WinogradUse::Exact, "exact",
                                "where errors do not grow"),
                     clEnumValN(tile::WinogradUse::Safe, "safe",
                                "where they at most triple (default)"),
                     clEnumValN(tile::WinogradUse::Max, "max",
                                "wherever it is faster")),
          cl::cat(category)),
      noBf16x6("no-bf16x6",
               cl::desc("Do not compute f32 products as six bf16 products on a "
                        "matrix unit (AMX); errors are no larger there, but "
                        "infinities become NaN"),
               cl::cat(category)),
      strict("strict",
             cl::desc("Change results by no more than the order of sums: no "
                      "Winograd, no bf16x6, no reciprocals for divisions, no "
                      "rewritten factors or powers, no scales folded into "
                      "weights"),
             cl::cat(category)),
      uncheckedIndices(
          "unchecked-indices",
          cl::desc("Clamp out-of-range indices of Gather, Scatter and "
                   "similar operators instead of stopping with an error"),
          cl::cat(category)),
      kernelCache("kernel-cache",
                  cl::desc("Folder of the kernel cache (default: "
                           "$TENON_KERNEL_CACHE, else "
                           "~/.cache/tenon/kernels); does not change the "
                           "result"),
                  cl::value_desc("folder"), cl::cat(category)),
      kernelCacheSize("kernel-cache-size",
                      cl::desc("Evict least recently used kernels above this "
                               "size (default: 512; 0: never)"),
                      cl::init(defaultKernelCacheBytes >> 20),
                      cl::value_desc("MiB"), cl::cat(category)),
      noKernelCache("no-kernel-cache",
                    cl::desc("Neither read nor write the kernel cache"),
                    cl::cat(category)),
      weights("weights",
              cl::desc("Storage type of the constants of products and "
                       "recurrences; sums, and filters of Winograd "
                       "convolutions, stay f32:"),
              cl::init(Weights::F32),
              cl::values(clEnumValN(Weights::F32, "f32",
                                    "as the model has them (default)"),
                         clEnumValN(Weights::F16, "f16",
                                    "half the bytes, 11 binary digits"),
                         clEnumValN(Weights::BF16, "bf16",
                                    "half the bytes, 8 binary digits")),
              cl::cat(category)),
      jobs("j",
           cl::desc("Number of compilation threads (default: one per CPU); "
                    "does not change the result"),
           cl::init(0), cl::Prefix, cl::cat(category)) {}

llvm::Error CompilerCommandLine::readModel(CompileOptions &options) const {
  std::string error;
  for (const std::string &shape : shapes)
    if (!options.import.addShape(shape, error))
      return llvm::createStringError("--shape: %s", error.c_str());
  for (const std::string &dim : dims)
    if (!options.import.addDim(dim, error))
      return llvm::createStringError("--dim: %s", error.c_str());
  for (const std::string &size : typical)
    if (!addTypical(size, options.typical, error))
      return llvm::createStringError("--typical: %s", error.c_str());
  for (const std::string &constant : constants)
    if (!options.import.addConst(constant, error))
      return llvm::createStringError("--const: %s", error.c_str());
  for (const std::string &state : states)
    if (!addState(state, options.states, error))
      return llvm::createStringError("--state: %s", error.c_str());
  return llvm::Error::success();
}

llvm::Error CompilerCommandLine::readTarget(CompileOptions &options) const {
  options.cpu = cpu;
  options.triple = triple;
  options.device = device;
  options.precision = precision;
  options.times = times;
  options.tune = tune;
  if (!times.empty() && !llvm::sys::fs::exists(times.getValue()))
    return llvm::createStringError("--times: there is no file '%s'",
                                   times.c_str());
  if (streams < 1 || streams > mostStreams)
    return llvm::createStringError("--streams: from 1 to %u", mostStreams);
  options.streams = streams;
  if (threads.getNumOccurrences() &&
      (threads < 1 || threads > tile::mostThreads))
    return llvm::createStringError("--threads: from 1 to %d",
                                   int(tile::mostThreads));
  options.threads = threads;
  return llvm::Error::success();
}

llvm::Error CompilerCommandLine::setModels(llvm::ArrayRef<std::string> models,
                                           CompileOptions &options) const {
  if (!isEnsemble && models.size() > 1)
    return llvm::createStringError("several models are for --ensemble: '%s'",
                                   models[1].c_str());
  if (!isEnsemble && ensembleInputs.getNumOccurrences())
    return llvm::createStringError("--ensemble-inputs is for --ensemble");
  if (!isEnsemble)
    return llvm::Error::success();
  if (models.size() < 2)
    return llvm::createStringError("--ensemble takes two models at least");
  options.ensemble = {models.drop_front().vec(), ensembleInputs};
  return checkEnsemble(options);
}

/// Where it is given.
static llvm::Error readBytes(const cl::opt<std::string> &option,
                             std::optional<int64_t> &bytes) {
  if (!option.getNumOccurrences())
    return llvm::Error::success();
  bytes = parseBytes(option);
  if (bytes)
    return llvm::Error::success();
  return llvm::createStringError(
      "--%s: '%s' is no number of bytes, as 64M or 65536",
      option.ArgStr.str().c_str(), option.c_str());
}

llvm::Error CompilerCommandLine::readPlan(CompileOptions &options) const {
  options.schedule = schedule;
  if (llvm::Error error = readBytes(arenaCap, options.arenaCap))
    return error;
  if (llvm::Error error = readBytes(codeSize, options.codeSize))
    return error;
  std::optional<MicroBatch> micro = parseMicroBatch(microBatch);
  if (!micro)
    return llvm::createStringError("--micro-batch: '%s' is not auto, off or a "
                                   "number of images",
                                   microBatch.c_str());
  options.microBatch = *micro;
  options.guard = guard;
  options.fusion = fusion;
  options.winograd = winograd;
  options.bf16x6 = !noBf16x6;
  options.checkIndices = !uncheckedIndices;
  options.weights = weights;
  options.strict = strict;
  std::string against =
      againstStrict(options, winograd.getNumOccurrences() != 0);
  if (!against.empty())
    return llvm::createStringError("--strict and %s contradict each other",
                                   against.c_str());
  return llvm::Error::success();
}

/// How to compile, and what to write.
llvm::Error CompilerCommandLine::readWork(CompileOptions &options,
                                          EmitKind emit) const {
  options.jobs = jobs;
  if (!noKernelCache)
    options.kernelCache = kernelCache.getNumOccurrences()
                              ? kernelCache.getValue()
                              : defaultKernelCache();
  options.kernelCacheBytes =
      llvm::SaturatingMultiply<uint64_t>(kernelCacheSize, 1 << 20);
  options.emit = emit;
  if (emit == EmitKind::Mlir || emit == EmitKind::None)
    options.compileTo = Phase::Memory;
  if (!hasCompileTo())
    return llvm::Error::success();
  auto phase = parsePhase(compileTo);
  if (!phase)
    return llvm::createStringError("--compile-to: unknown phase '%s'",
                                   compileTo.c_str());
  options.compileTo = *phase;
  return llvm::Error::success();
}

TrainingOptions CompilerCommandLine::readTraining() const {
  TrainingOptions given;
  given.loss = loss;
  given.optimizer = optimizer;
  given.trainable = trainable;
  given.noDecay = noDecay;
  given.clipNorm = clipNorm;
  given.clipValue = clipValue;
  given.accumulate = accumulate;
  given.seed = seed;
  return given;
}

llvm::Expected<CompileOptions> CompilerCommandLine::get(EmitKind emit) const {
  CompileOptions options;
  if (llvm::Error error = readModel(options))
    return std::move(error);
  if (llvm::Error error = readTarget(options))
    return std::move(error);
  if (llvm::Error error = setTraining(options, train, readTraining()))
    return std::move(error);
  options.applyState = applyState;
  if (llvm::Error error = setArenaBudget(options, arenaBudget))
    return std::move(error);
  if (llvm::Error error = readPlan(options))
    return std::move(error);
  if (llvm::Error error = readWork(options, emit))
    return std::move(error);
  return options;
}

static std::string inFolder(llvm::StringRef folder, llvm::StringRef path) {
  llvm::SmallString<128> result(folder);
  llvm::sys::path::append(result, path);
  return result.str().str();
}

std::string tenon::defaultKernelCache() {
  if (const char *folder = getenv("TENON_KERNEL_CACHE"))
    return folder;
  if (const char *folder = getenv("TENON_CACHE"); folder && *folder)
    return inFolder(folder, "kernels");
  // $XDG_CACHE_HOME, else ~/.cache.
  llvm::SmallString<128> caches;
  if (!llvm::sys::path::cache_directory(caches))
    return "";
  return inFolder(caches, "tenon/kernels");
}

void tenon::printProgress(llvm::StringRef phase) {
  if (llvm::errs().is_displayed())
    llvm::errs() << "  " << phase << " ...\n";
}

std::string tenon::placeOf(mlir::Location location) {
  std::string node, file;
  location->walk([&](mlir::Location part) {
    if (auto name = llvm::dyn_cast<mlir::NameLoc>(part); name && node.empty())
      node = "node '" + name.getName().str() + "': ";
    auto line = llvm::dyn_cast<mlir::FileLineColLoc>(part);
    if (line && file.empty()) {
      file = line.getFilename().str();
      if (line.getLine())
        file += ":" + std::to_string(line.getLine()) + ":" +
                std::to_string(line.getColumn());
      file += ": ";
    }
    return mlir::WalkResult::advance();
  });
  return node.empty() ? file : node;
}

static const char *severityOf(mlir::DiagnosticSeverity severity) {
  switch (severity) {
  case mlir::DiagnosticSeverity::Error:
    return "error";
  case mlir::DiagnosticSeverity::Warning:
    return "warning";
  default:
    return "note";
  }
}

static void print(mlir::Diagnostic &diagnostic) {
  llvm::errs() << placeOf(diagnostic.getLocation())
               << severityOf(diagnostic.getSeverity()) << ": "
               << (diagnostic.getSeverity() == mlir::DiagnosticSeverity::Error
                       ? withCode(diagnostic.str())
                       : diagnostic.str())
               << "\n";
  for (mlir::Diagnostic &note : diagnostic.getNotes())
    print(note);
}

void tenon::printDiagnostics(mlir::MLIRContext &context) {
  context.getDiagEngine().registerHandler([](mlir::Diagnostic &diagnostic) {
    print(diagnostic);
    return mlir::success();
  });
}

static const char *extensionOf(const CompileOptions &options) {
  if (options.compileTo != Phase::Emit)
    return ".mlir";
  switch (options.emit) {
  case EmitKind::Artifact:
    return ".tenon";
  case EmitKind::Object:
    return ".o";
  case EmitKind::Assembly:
    return ".s";
  case EmitKind::Onnx:
    return ".trained.onnx";
  case EmitKind::Mlir:
  case EmitKind::None:
    return ".mlir";
  }
  return ".tenon";
}

std::string tenon::defaultOutput(llvm::StringRef input,
                                 const CompileOptions &options) {
  return llvm::sys::path::stem(input).str() + extensionOf(options);
}
