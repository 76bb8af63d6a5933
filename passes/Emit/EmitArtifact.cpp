//===- EmitArtifact.cpp - kernels to code, everything to a file -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/Emit/Emit.h"

#include "lib/Support/File.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "passes/Emit/Describe.h"
#include "passes/Emit/DescribeDevice.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

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

/// Takes the kernels out of `module`, and what they call and read.
static OwningOpRef<ModuleOp> takeKernels(ModuleOp module) {
  OwningOpRef<ModuleOp> kernels = ModuleOp::create(module.getLoc());
  for (Operation &op :
       llvm::make_early_inc_range(module.getBody()->getOperations())) {
    if (!emit::isKernel(&op) && !isa<LLVM::GlobalOp, LLVM::LLVMFuncOp>(op))
      continue;
    op.remove();
    kernels->push_back(&op);
  }
  return kernels;
}

static artifact::VariantDesc variantFor(const emit::Program &program) {
  if (program.device)
    return emit::deviceVariant(*program.device, program.precision);
  artifact::VariantDesc variant;
  variant.targetCpu = program.target.cpu;
  variant.features = program.target.extensions;
  return variant;
}

static Expected<artifact::ArtifactDesc>
describe(ArrayRef<emit::Program> programs, const emit::EmitOptions &options) {
  emit::Description description;
  for (const emit::Program &program : programs) {
    DiagnosticCollector diagnostics(program.module->getContext());
    if (failed(description.add(program.module, variantFor(program))))
      return diagnostics.error("the program cannot be described");
  }
  artifact::ArtifactDesc &desc = description.desc;
  desc.modelName = options.modelName;
  desc.architecture = programs.front().target.architecture().str();
  return std::move(desc);
}

namespace {
/// The compiled kernels of a program: those of a processor or of a device.
struct Compiled {
  cpu::CompiledKernels processor = {};
  std::optional<cuda::CompiledKernels> device = std::nullopt;
};
} // namespace

/// Adds what is known of the kernels to the report.
static void note(const cpu::CompiledKernels &kernels, emit::StageInfo &result) {
  result.compiledKernels += kernels.compiled;
  result.cachedKernels += kernels.objects.size() - kernels.compiled;
  if (result.warning.empty())
    result.warning = kernels.warning;
}

static void note(const cuda::CompiledKernels &kernels,
                 emit::StageInfo &result) {
  result.compiledKernels += kernels.compiled;
  result.cachedKernels += kernels.cached;
  result.assembler = kernels.assembler;
  llvm::append_range(result.remarks, kernels.remarks);
  if (result.warning.empty())
    result.warning = kernels.warning;
}

static Expected<Compiled> compile(const emit::Program &program,
                                  const emit::EmitOptions &options,
                                  emit::StageInfo &result) {
  DiagnosticCollector diagnostics(program.module->getContext());
  OwningOpRef<ModuleOp> kernels = takeKernels(program.module);
  const KernelCache *cache = options.cache ? &*options.cache : nullptr;
  Compiled compiled;
  if (program.device) {
    auto device =
        cuda::compileKernels(*kernels, *program.device, options.jobs, cache);
    if (!device)
      return diagnostics.error(llvm::toString(device.takeError()));
    note(*device, result);
    compiled.device = std::move(*device);
    return compiled;
  }
  auto processor = cpu::compileKernels(*kernels, program.target, options.jobs,
                                       cache, options.isCancelled);
  if (!processor)
    return diagnostics.error(llvm::toString(processor.takeError()));
  note(*processor, result);
  compiled.processor = std::move(*processor);
  return compiled;
}

/// Compiles the kernels of all programs, in their order.
static Expected<std::vector<Compiled>>
compileAll(ArrayRef<emit::Program> programs, const emit::EmitOptions &options,
           emit::StageInfo &result) {
  std::vector<Compiled> all;
  for (const emit::Program &program : programs) {
    auto kernels = compile(program, options, result);
    if (!kernels)
      return kernels.takeError();
    all.push_back(std::move(*kernels));
  }
  return all;
}

/// The code of a variant, with its kernels' places written down.
static Expected<std::vector<char>> link(const Compiled &program,
                                        artifact::VariantDesc &variant) {
  if (program.device) {
    cuda::Image image =
        cuda::layOut(program.device->modules, artifact::moduleAlignment);
    emit::placeKernels(*program.device, image, variant);
    return std::move(image.bytes);
  }
  auto image =
      cpu::linkImage(program.processor.objects, program.processor.symbols);
  if (!image)
    return image.takeError();
  for (auto [kernel, entry] : llvm::zip(variant.kernels, image->entries))
    kernel.entry = entry;
  return std::move(image->bytes);
}

/// Links each variant's kernels; `images` owns the code.
static Error link(ArrayRef<Compiled> kernels, artifact::ArtifactDesc &desc,
                  std::vector<std::vector<char>> &images) {
  for (auto [program, variant] : llvm::zip_equal(kernels, desc.variants)) {
    auto image = link(program, variant);
    if (!image)
      return image.takeError();
    images.push_back(std::move(*image));
    const std::vector<char> &bytes = images.back();
    variant.code = ArrayRef<uint8_t>(
        reinterpret_cast<const uint8_t *>(bytes.data()), bytes.size());
  }
  return Error::success();
}

/// Writes an artifact that has no more code than it may.
static Error write(const artifact::ArtifactDesc &desc,
                   const emit::EmitOptions &options, StringRef path,
                   artifact::ArtifactSizes &sizes) {
  for (const artifact::VariantDesc &variant : desc.variants)
    sizes.codeBytes += variant.code.size();
  if (options.mostCodeBytes &&
      int64_t(sizes.codeBytes) > *options.mostCodeBytes)
    return Error::success();
  auto written = artifact::writeArtifact(desc, path);
  if (!written)
    return written.takeError();
  sizes = *written;
  return Error::success();
}

Expected<emit::StageInfo> emit::emitArtifact(ArrayRef<Program> programs,
                                             const EmitOptions &options,
                                             StringRef path) {
  StageInfo result;
  Stopwatch watch;
  auto desc = describe(programs, options);
  if (!desc)
    return desc.takeError();
  auto kernels = compileAll(programs, options, result);
  if (!kernels)
    return kernels.takeError();
  result.compileSeconds = watch.lap();
  std::vector<std::vector<char>> images;
  if (Error error = link(*kernels, *desc, images))
    return error;
  result.linkSeconds = watch.lap();
  if (Error error = write(*desc, options, path, result.sizes))
    return error;
  result.writeSeconds = watch.lap();
  for (artifact::VariantDesc &variant : desc->variants)
    variant.code = {};
  result.desc = std::move(*desc);
  return result;
}

Expected<std::string> emit::emitAssembly(const Program &program) {
  DiagnosticCollector diagnostics(program.module->getContext());
  OwningOpRef<ModuleOp> kernels = takeKernels(program.module);
  auto text = program.device ? cuda::compileToPtx(*kernels, *program.device)
                             : cpu::compileToAssembly(*kernels, program.target);
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

Expected<emit::StageInfo> emit::emitObject(ArrayRef<Program> programs,
                                           const EmitOptions &options,
                                           StringRef path) {
  StageInfo result;
  Stopwatch watch;
  auto desc = describe(programs, options);
  if (!desc)
    return desc.takeError();
  auto kernels = compileAll(programs, options, result);
  if (!kernels)
    return kernels.takeError();
  result.compileSeconds = watch.lap();
  cpu::CompiledKernels all;
  for (Compiled &program : *kernels) {
    llvm::move(program.processor.objects, std::back_inserter(all.objects));
    llvm::append_range(all.symbols, program.processor.symbols);
  }
  std::string weights, symbol = symbolFor(path);
  llvm::raw_string_ostream stream(weights);
  auto parts = artifact::writeStaticParts(*desc, symbol, stream);
  if (!parts)
    return parts.takeError();
  auto data = cpu::dataObject({symbol, parts->meta, stream.str(), all.symbols},
                              programs.front().target);
  if (!data)
    return data.takeError();
  all.objects.push_back(std::move(*data));
  if (Error error = cpu::linkRelocatable(all.objects, path))
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
