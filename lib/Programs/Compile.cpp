//===- Compile.cpp - the program tenon-compile ----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Programs/Programs.h"

#include "lib/CAPI/Isolate.h"
#include "lib/Compiler/CommandLine.h"
#include "lib/Programs/Groups.h"
#include "lib/Run/DeviceTimes.h"
#include "lib/Support/Codes.h"
#include "lib/Support/Version.h"
#include "lib/Target/Cache/BuildId.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/InitLLVM.h"

using namespace tenon;
namespace cl = llvm::cl;

namespace {
/// Made when the program starts: the library that it may lie in has no options
/// for those who only call it.
struct ProgramOptions {
  cl::OptionCategory category{"tenon-compile"};
  cl::list<std::string> models{
      cl::Positional, cl::desc("MODEL.onnx|MODEL.mlir"), cl::cat(category)};
  cl::opt<std::string> output{
      "o",
      cl::desc("Output file (default: the model's name with .tenon, "
               ".o, .s or .mlir)"),
      cl::value_desc("file"), cl::cat(category)};
  cl::opt<EmitKind> emitKind{
      "emit", cl::desc("What to write:"), cl::init(EmitKind::Artifact),
      cl::values(
          clEnumValN(EmitKind::Artifact, "artifact",
                     "one file for tenon-run and the run time (default)"),
          clEnumValN(EmitKind::Object, "object",
                     "an object file and a header for static linking"),
          clEnumValN(EmitKind::Assembly, "asm", "the kernels as assembly"),
          clEnumValN(EmitKind::Mlir, "mlir",
                     "the program as text after --compile-to"),
          clEnumValN(EmitKind::Onnx, "onnx",
                     "the model with what --apply-state has trained"),
          clEnumValN(EmitKind::None, "none",
                     "nothing: for --report and problems as text")),
      cl::cat(category)};
  cl::opt<std::string> report{
      "report",
      cl::desc("Write the report as JSON and, beside it, "
               "the memory plan as .svg and what is fused as .html"),
      cl::value_desc("file.json"), cl::cat(category)};
  cl::opt<std::string> memoryProblem{
      "memory-problem",
      cl::desc("Write the memory problem, for tenon-solve and bug reports: "
               "its buffers to a .csv file, else the program"),
      cl::value_desc("file"), cl::cat(category)};
  cl::opt<std::string> scheduleProblem{
      "schedule-problem",
      cl::desc("Write the launches as a problem of scheduling, for tenon-solve "
               "and bug reports"),
      cl::value_desc("file"), cl::cat(category)};
  cl::list<std::string> explain{
      "explain",
      cl::desc("Say what causes an error, and what helps: of a code, TN0206, "
               "of a message, or of all (repeatable)"),
      cl::value_desc("code"), cl::cat(category)};
  cl::opt<bool> quiet{"quiet",
                      cl::desc("Print neither progress nor the report table"),
                      cl::cat(category)};
  CompilerCommandLine compiler{category};
};
} // namespace

static constexpr const char *overview =
    "Compiles an ONNX model into one artifact of native code, weights and "
    "memory plan.\n\n"
    "  tenon-compile resnet50.onnx -o resnet50.tenon\n"
    "  tenon-compile bert.onnx --dim batch=1 --dim seq=128 --report=bert.json\n"
    "  tenon-compile model.onnx --shape x=1x3x224x224 --mcpu=haswell "
    "--emit=object -o model.o\n"
    "  tenon-compile --ensemble a.onnx b.onnx c.onnx -o abc.tenon\n"
    "  tenon-compile model.onnx --compile-to=fuse -o fused.mlir\n\n"
    "Run the artifact with tenon-run. Errors name the ONNX node; the exit "
    "status is 1. --explain tells more of their codes.\n";

static int fail(llvm::Error error) {
  // Where diagnostics have said why, this names the model only.
  std::string text = llvm::toString(std::move(error));
  llvm::errs() << "tenon-compile: error: "
               << (numberOf(text) == internalError ? text : withCode(text))
               << "\n";
  return 1;
}

static int explainAll(const std::vector<std::string> &codes) {
  for (const std::string &code : codes) {
    std::string text = explain(code);
    if (text.empty())
      return fail(llvm::createStringError("there is no code '%s'; they are in "
                                          "--explain=all",
                                          code.c_str()));
    llvm::outs() << text << "\n";
  }
  return 0;
}

static llvm::Expected<std::vector<double>> measure(llvm::StringRef artifact) {
  auto times = run::timesOnDevice(artifact.str());
  if (!times)
    return llvm::createStringError(times.error().message);
  return std::move(*times);
}

int tenon_main_compile(int argc, char **argv) {
  if (argc == 2 && llvm::StringRef(argv[1]) == capi::isolatedWord)
    return capi::serveCompilation();
  llvm::InitLLVM init(argc, argv);
  setVersionOf("tenon-compile", compilerId());
  ProgramOptions options;
  groupOptions(compilerGroups());
  cl::ParseCommandLineOptions(argc, argv, overview);
  if (!options.explain.empty())
    return explainAll(options.explain);
  if (options.models.empty())
    return fail(llvm::createStringError("no model is given; see --help"));
  auto compile = options.compiler.get(options.emitKind);
  const std::vector<std::string> models = options.models;
  if (compile)
    if (llvm::Error error = options.compiler.setModels(models, *compile))
      compile = std::move(error);
  // The linker library registers options of its own, some with our names, and
  // resets the values of all.
  const std::string reportFile = options.report;
  const bool silent = options.quiet;
  if (compile) {
    compile->drawMemory = compile->drawGroups = !reportFile.empty();
    compile->memoryProblem = options.memoryProblem;
    compile->showFront = !reportFile.empty();
    compile->scheduleProblem = options.scheduleProblem;
    compile->measure = measure;
  }
  cl::getRegisteredOptions().lookup("mcpu")->removeArgument();
  if (!compile)
    return fail(compile.takeError());
  if (!silent)
    compile->progress = printProgress;
  auto context = createContext(compile->jobs);
  printDiagnostics(*context);
  std::string path = options.output.empty()
                         ? defaultOutput(models.front(), *compile)
                         : options.output;
  auto result = compileModel(*context, {models.front()}, path, *compile);
  if (!result)
    return fail(result.takeError());
  if (!silent)
    result->printNotes(llvm::errs());
  // What goes to the standard output is not followed by a table.
  if (!silent && path != "-")
    result->printTable(llvm::outs());
  if (reportFile.empty())
    return 0;
  if (llvm::Error error = result->write(reportFile))
    return fail(std::move(error));
  return 0;
}
