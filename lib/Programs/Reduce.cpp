//===- Reduce.cpp - the program tenon-reduce ------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Programs/Programs.h"

#include "lib/Programs/Groups.h"
#include "lib/Programs/Shared.h"
#include "lib/Reduce/Reduce.h"
#include "lib/Support/Codes.h"
#include "lib/Support/Version.h"
#include "lib/Target/Cache/BuildId.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Regex.h"

#include <algorithm>
#include <cstring>
#include <unistd.h>

using namespace tenon;
using namespace tenon::reduce;
using llvm::StringRef;
namespace cl = llvm::cl;

namespace {
struct ProgramOptions {
  cl::opt<std::string> input{cl::Positional, cl::desc("MODEL.onnx")};
  cl::opt<std::string> output{
      "o", cl::desc("Output file (default: the model's name with .small.onnx)"),
      cl::value_desc("file.onnx")};
  cl::opt<bool> crash{"crash",
                      cl::desc("Compiler or run are ended by a signal")};
  cl::opt<std::string> differs{
      "differs", cl::desc("Results are not those of: interpreter"),
      cl::value_desc("interpreter")};
  cl::opt<bool> refused{"refused",
                        cl::desc("The compiler refuses it, with the same code "
                                 "as the whole model")};
  cl::opt<std::string> matching{
      "matching",
      cl::desc("Of a COMMAND that fails, what its output has to match, too"),
      cl::value_desc("regular expression")};
  cl::opt<double> rtol{"rtol", cl::init(1e-3),
                       cl::desc("With --differs: the relative tolerance")};
  cl::opt<double> atol{"atol", cl::init(1e-4),
                       cl::desc("With --differs: the absolute tolerance")};
  TrialOptions trial;
  cl::opt<bool> quiet{"quiet", cl::desc("Print no progress")};
};
} // namespace

static constexpr const char *overview =
    "Finds the smallest model for which a failure persists.\n\n"
    "  tenon-reduce model.onnx --crash -o small.onnx\n"
    "  tenon-reduce model.onnx --differs=interpreter --dim batch=1\n"
    "  tenon-reduce model.onnx --refused --with=--device=cuda\n"
    "  tenon-reduce model.onnx --matching='no memory' -- ./mine.sh {}\n\n"
    "A COMMAND behind -- fails where its exit status is not 0; {} stands for "
    "the model. The output always is the best so far: started again with the "
    "same question, the program goes on from it.\n";

static llvm::MutableArrayRef<OptionGroup> groups() {
  static OptionGroup all[] = {
      {{"1. The failure"},
       {"crash", "differs", "refused", "matching", "rtol", "atol"}},
      {{"2. The model"}, {"dim", "with", "compiler"}},
      {{"3. The search"}, {"o", "seconds", "megabytes", "quiet"}}};
  return all;
}

static int fail(const std::string &text) {
  llvm::errs() << "tenon-reduce: error: " << withCode(text) << "\n";
  return 1;
}

/// What is wrong with the options; "": nothing.
static std::string readFailure(const ProgramOptions &options,
                               std::vector<std::string> command,
                               FailureOptions &failure) {
  unsigned asked = unsigned(options.crash) + unsigned(options.refused) +
                   unsigned(!options.differs.empty()) +
                   unsigned(!command.empty());
  std::string problem;
  if (asked != 1)
    return "one of --crash, --differs, --refused or a COMMAND behind -- says "
           "what fails";
  if (!options.differs.empty() && options.differs != "interpreter")
    return "--differs: '" + options.differs + "' is not \"interpreter\"";
  auto namesModel = [](StringRef word) { return word.contains("{}"); };
  if (!command.empty() && llvm::none_of(command, namesModel))
    return "a COMMAND behind -- needs a {}, which stands for the model";
  if (!options.matching.empty() &&
      !llvm::Regex(options.matching).isValid(problem))
    return "--matching: " + problem + " is not a regular expression";
  failure.kind = options.crash     ? FailureKind::Crash
                 : options.refused ? FailureKind::Refused
                 : command.empty() ? FailureKind::Differs
                                   : FailureKind::Command;
  failure.command = std::move(command);
  failure.matching = options.matching;
  failure.flags.assign(options.trial.flags.begin(), options.trial.flags.end());
  failure.compiler = options.trial.compilerPath();
  failure.rtol = options.rtol;
  failure.atol = options.atol;
  failure.limits = options.trial.limits();
  return "";
}

static std::string readOptions(const ProgramOptions &options,
                               ReduceOptions &reduce) {
  if (options.input.empty())
    return "no model is given; see --help";
  reduce.model = options.input;
  reduce.output = options.output;
  if (reduce.output.empty())
    reduce.output = llvm::sys::path::stem(reduce.model).str() + ".small.onnx";
  if (llvm::sys::fs::equivalent(reduce.model, reduce.output))
    return "the model and -o contradict each other: they are one file";
  return options.trial.readDims(reduce.dims);
}

static void printProgress(const Progress &progress) {
  llvm::errs() << llvm::format("\r  %zu of %zu nodes, try %zu ", progress.nodes,
                               progress.nodesBefore, progress.tries);
}

/// Takes what is behind "--" out of the arguments.
static std::vector<std::string> takeCommand(int &argc, char **argv) {
  auto isEnd = [](const char *word) { return !std::strcmp(word, "--"); };
  char **end = std::find_if(argv, argv + argc, isEnd);
  std::vector<std::string> command;
  if (end != argv + argc)
    command.assign(end + 1, argv + argc);
  argc = int(end - argv);
  return command;
}

int tenon_main_reduce(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  setVersionOf("tenon-reduce", compilerId());
  std::vector<std::string> command = takeCommand(argc, argv);
  ProgramOptions options;
  groupOptions(groups());
  cl::ParseCommandLineOptions(argc, argv, overview);
  ReduceOptions reduce;
  std::string wrong = readOptions(options, reduce);
  if (wrong.empty())
    wrong = readFailure(options, std::move(command), reduce.failure);
  if (!wrong.empty())
    return fail(wrong);
  bool shows = !options.quiet && isatty(STDERR_FILENO);
  auto tell = [&](const Progress &progress) {
    if (shows)
      printProgress(progress);
  };
  auto result = reduceModel(reduce, tell);
  if (shows)
    llvm::errs() << "\n";
  if (!result)
    return fail(llvm::toString(result.takeError()));
  llvm::outs() << reduce.output << ": " << result->nodes << " of "
               << result->nodesBefore << " nodes, " << result->tries << " tries"
               << (result->wentOn ? ", from an earlier result" : "") << "\n";
  return 0;
}
