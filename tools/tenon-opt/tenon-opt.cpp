//===- tenon-opt.cpp - every phase as text --------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file is mlir-opt with our dialects and passes, which also reads ONNX and
// knows the phases of the compiler.
//===----------------------------------------------------------------------===//
#include "lib/Compiler/CommandLine.h"
#include "lib/Compiler/InitAll.h"
#include "lib/Support/Version.h"
#include "mlir/IR/AsmState.h"
#include "mlir/Support/FileUtilities.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/ToolOutputFile.h"

using namespace mlir;
using namespace tenon;
namespace cl = llvm::cl;

static cl::OptionCategory category("tenon-opt");
static cl::list<std::string>
    inputs(cl::Positional, cl::desc("FILE.mlir|MODEL.onnx|MODEL.onnxtxt"),
           cl::cat(category));
static cl::opt<std::string> output("o", cl::init("-"), cl::desc("Output file"),
                                   cl::value_desc("file"), cl::cat(category));

static cl::opt<bool>
    debugIr("debug-ir", cl::desc("Print the operation below an error about it"),
            cl::cat(category));

static constexpr const char *overview =
    "Reads MLIR or ONNX, runs passes or phases, prints MLIR.\n\n"
    "  tenon-opt model.onnx --compile-to=simplify "
    "--mlir-elide-elementsattrs-if-larger=16\n"
    "  tenon-opt graph.mlir --tenon-fuse-groups --mlir-print-ir-after-all\n"
    "  tenon-opt graph.mlir --compile-to=memory --mcpu=haswell "
    "--mlir-timing\n\n";

/// ONNX input and phases: the compiler's own path, then the asked passes.
static LogicalResult runCompiler(StringRef input,
                                 const MlirOptMainConfig &config,
                                 CompileOptions options, bool phases) {
  auto context = createContext(options.jobs);
  context->printOpOnDiagnostic(debugIr);
  FailureOr<OwningOpRef<ModuleOp>> module =
      readModels({input.str()}, *context, options);
  if (failed(module))
    return failure();
  options.instrument = [](PassManager &passes) {
    return applyPassManagerCLOptions(passes);
  };
  Report report;
  if (phases && failed(runPhases(**module, options, report)))
    return failure();
  PassManager passes(context.get());
  if (failed(applyPassManagerCLOptions(passes)) ||
      failed(config.setupPassPipeline(passes)) || failed(passes.run(**module)))
    return failure();
  std::string error;
  auto file = openOutputFile(output, &error);
  if (!file) {
    llvm::errs() << "tenon-opt: error: " << error << "\n";
    return failure();
  }
  (*module)->print(file->os());
  file->keep();
  return success();
}

/// The context that MlirOptMain makes listens to MLIR's own option alone.
static void showOperations(bool on) {
  static_cast<cl::opt<bool> *>(
      cl::getRegisteredOptions().lookup("mlir-print-op-on-diagnostic"))
      ->setValue(on);
}

static LogicalResult runMlirOpt(StringRef input,
                                const MlirOptMainConfig &config,
                                DialectRegistry &registry) {
  std::string error;
  auto source = openInputFile(input, &error);
  auto file = source ? openOutputFile(output, &error) : nullptr;
  if (!file) {
    llvm::errs() << "tenon-opt: error: " << error << "\n";
    return failure();
  }
  if (failed(MlirOptMain(file->os(), std::move(source), registry, config)))
    return failure();
  file->keep();
  return success();
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  setVersionOf("tenon-opt");
  registerAllPasses();
  DialectRegistry registry;
  registerAllDialects(registry);
  MlirOptMainConfig::registerCLOptions(registry);
  registerAsmPrinterCLOptions();
  registerMLIRContextCLOptions();
  registerPassManagerCLOptions();
  registerDefaultTimingManagerCLOptions();
  CompilerCommandLine commandLine(category);
  cl::ParseCommandLineOptions(argc, argv, overview);
  showOperations(debugIr);
  auto options = commandLine.get(EmitKind::Mlir);
  if (options)
    if (llvm::Error error = commandLine.setModels(inputs, *options))
      options = std::move(error);
  if (!options) {
    llvm::errs() << "tenon-opt: error: " << llvm::toString(options.takeError())
                 << "\n";
    return 1;
  }
  MlirOptMainConfig config = MlirOptMainConfig::createFromCLOptions();
  bool phases = commandLine.hasCompileTo();
  std::string input = inputs.empty() ? "-" : inputs.front();
  bool compiler = phases || onnximport::isOnnxFile(input);
  return failed(compiler ? runCompiler(input, config, *options, phases)
                         : runMlirOpt(input, config, registry));
}
