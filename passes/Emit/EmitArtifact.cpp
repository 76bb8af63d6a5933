//===- EmitArtifact.cpp - kernels to code, everything to a file -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/Emit/Emit.h"

#include "lib/Support/File.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "passes/Emit/Describe.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/TargetParser/X86TargetParser.h"

#include <chrono>

using namespace mlir;
using namespace tenon;
using llvm::Error;
using llvm::Expected;

namespace {
class Stopwatch {
public:
  /// Seconds since construction or the last call.
  double lap() {
    auto now = std::chrono::steady_clock::now();
    double seconds = std::chrono::duration<double>(now - start).count();
    start = now;
    return seconds;
  }

private:
  std::chrono::steady_clock::time_point start =
      std::chrono::steady_clock::now();
};

/// Sends diagnostics into a string while it lives, so that failures of MLIR
/// passes become errors.
class DiagnosticCollector {
public:
  explicit DiagnosticCollector(MLIRContext *context)
      : handler(context, [this](Diagnostic &diagnostic) {
          if (text.empty())
            text = diagnostic.str();
          return success();
        }) {}
  Error error(StringRef otherwise) const {
    return llvm::createStringError(text.empty() ? otherwise : StringRef(text));
  }

private:
  std::string text;
  ScopedDiagnosticHandler handler;
};
} // namespace

/// Takes the kernels out of `module`.
static OwningOpRef<ModuleOp> takeKernels(ModuleOp module) {
  OwningOpRef<ModuleOp> kernels = ModuleOp::create(module.getLoc());
  for (auto function :
       llvm::make_early_inc_range(module.getOps<func::FuncOp>())) {
    if (function.getSymName() == "main")
      continue;
    function->remove();
    kernels->push_back(function);
  }
  return kernels;
}

/// What code for a CPU of this name may use. Nothing for names that are no
/// x86 processor's ("generic").
static SmallVector<StringRef> impliedFeatures(StringRef cpu) {
  SmallVector<StringRef> known, features;
  llvm::X86::fillValidCPUArchList(known, /*Only64Bit=*/true);
  if (llvm::is_contained(known, cpu))
    llvm::X86::getFeaturesForCPU(cpu, features);
  return features;
}

/// The names of all features that the code may use: the run time checks them.
static std::vector<std::string> featureNames(const cpu::CpuTarget &target) {
  std::vector<std::string> names;
  SmallVector<StringRef> given;
  StringRef(target.features).split(given, ',', -1, /*KeepEmpty=*/false);
  if (given.empty())
    given = impliedFeatures(target.cpu);
  for (StringRef feature : given) {
    if (feature.consume_front("-"))
      continue;
    feature.consume_front("+");
    names.push_back(feature.str());
  }
  return names;
}

static Expected<artifact::ArtifactDesc>
describeFor(ModuleOp module, const emit::EmitOptions &options) {
  DiagnosticCollector diagnostics(module.getContext());
  FailureOr<artifact::ArtifactDesc> desc = emit::describe(module);
  if (failed(desc))
    return diagnostics.error("the program cannot be described");
  desc->modelName = options.modelName;
  desc->targetCpu = options.target.cpu;
  desc->features = featureNames(options.target);
  desc->architecture =
      options.target.row->name == "neon" ? "aarch64" : "x86_64";
  return std::move(*desc);
}

static Expected<cpu::CompiledKernels> compile(ModuleOp module,
                                              const emit::EmitOptions &options,
                                              emit::EmitResult &result) {
  DiagnosticCollector diagnostics(module.getContext());
  auto kernels =
      cpu::compileKernels(*takeKernels(module), options.target, options.jobs,
                          options.cache ? &*options.cache : nullptr);
  if (!kernels)
    return diagnostics.error(llvm::toString(kernels.takeError()));
  result.compiledKernels = kernels->compiled;
  result.cachedKernels = kernels->objects.size() - kernels->compiled;
  result.warning = kernels->warning;
  return kernels;
}

Expected<emit::EmitResult> emit::emitArtifact(ModuleOp module,
                                              const EmitOptions &options,
                                              StringRef path) {
  EmitResult result;
  Stopwatch watch;
  auto desc = describeFor(module, options);
  if (!desc)
    return desc.takeError();
  auto kernels = compile(module, options, result);
  if (!kernels)
    return kernels.takeError();
  result.compileSeconds = watch.lap();
  auto image = cpu::linkImage(kernels->objects, kernels->symbols);
  if (!image)
    return image.takeError();
  for (auto [kernel, entry] : llvm::zip(desc->kernels, image->entries))
    kernel.entry = entry;
  desc->code =
      ArrayRef<uint8_t>(reinterpret_cast<const uint8_t *>(image->bytes.data()),
                        image->bytes.size());
  result.linkSeconds = watch.lap();
  auto sizes = artifact::writeArtifact(*desc, path);
  if (!sizes)
    return sizes.takeError();
  result.writeSeconds = watch.lap();
  result.sizes = *sizes;
  desc->code = {};
  result.desc = std::move(*desc);
  return result;
}

Expected<std::string> emit::emitAssembly(ModuleOp module,
                                         const EmitOptions &options) {
  DiagnosticCollector diagnostics(module.getContext());
  auto text = cpu::compileToAssembly(*takeKernels(module), options.target);
  if (!text)
    return diagnostics.error(llvm::toString(text.takeError()));
  return text;
}

//===-- Static linking ----------------------------------------------------===//

/// A C identifier made of the file's name.
static std::string symbolFor(StringRef path) {
  std::string symbol = llvm::sys::path::stem(path).str();
  for (char &c : symbol)
    if (!llvm::isAlnum(c))
      c = '_';
  if (symbol.empty() || llvm::isDigit(symbol.front()))
    symbol.insert(0, "_");
  return symbol + "_model";
}

Expected<emit::EmitResult>
emit::emitObject(ModuleOp module, const EmitOptions &options, StringRef path) {
  EmitResult result;
  Stopwatch watch;
  auto desc = describeFor(module, options);
  if (!desc)
    return desc.takeError();
  auto kernels = compile(module, options, result);
  if (!kernels)
    return kernels.takeError();
  result.compileSeconds = watch.lap();
  std::string weights, symbol = symbolFor(path);
  llvm::raw_string_ostream stream(weights);
  auto parts = artifact::writeStaticParts(*desc, symbol, stream);
  if (!parts)
    return parts.takeError();
  auto data = cpu::dataObject(
      {symbol, parts->meta, stream.str(), kernels->symbols}, options.target);
  if (!data)
    return data.takeError();
  kernels->objects.push_back(std::move(*data));
  if (Error error = cpu::linkRelocatable(kernels->objects, path))
    return error;
  result.linkSeconds = watch.lap();
  SmallString<128> header(path);
  llvm::sys::path::replace_extension(header, "h");
  if (Error error = writeFile(header, parts->header))
    return error;
  result.writeSeconds = watch.lap();
  llvm::sys::fs::file_size(path, result.sizes.fileBytes);
  result.sizes.weightsBytes = parts->weightsBytes;
  result.desc = std::move(*desc);
  return result;
}
