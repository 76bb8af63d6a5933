//===- Compare.cpp - the program tenon-compare ----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Programs/Programs.h"

#include "lib/Compare/Compare.h"
#include "lib/Programs/Groups.h"
#include "lib/Programs/Shared.h"
#include "lib/Support/Codes.h"
#include "lib/Support/File.h"
#include "lib/Support/Version.h"
#include "lib/Target/Cache/BuildId.h"

#include "llvm/Support/InitLLVM.h"

#include <cmath>

using namespace tenon;
using namespace tenon::compare;
namespace cl = llvm::cl;

namespace {
struct ProgramOptions {
  cl::opt<std::string> input{cl::Positional, cl::desc("MODEL.onnx")};
  cl::opt<std::string> against{
      "against", cl::init("interpreter"),
      cl::desc("The reference: interpreter (default), another model, which the "
               "interpreter runs, options for tenon-compile in one word, or an "
               "artifact"),
      cl::value_desc("interpreter|MODEL.onnx|OPTIONS|ARTIFACT")};
  cl::list<std::string> inputs{
      "input", cl::desc("What an input holds, as of tenon-run (repeatable)"),
      cl::value_desc("name=SOURCE")};
  cl::opt<double> tolerance{
      "tolerance", cl::init(-1),
      cl::desc("The part of a value's largest element by which it may differ "
               "(default: by type, 2e-5 of float32)"),
      cl::value_desc("X")};
  cl::opt<std::string> page{
      "html", cl::desc("Write all values with their errors as one page"),
      cl::value_desc("file.html")};
  TrialOptions trial;
};
} // namespace

static constexpr const char *overview =
    "Says which node of a model computes something else.\n\n"
    "  tenon-compare model.onnx --dim batch=1\n"
    "  tenon-compare model.onnx --against=before.onnx --html=values.html\n"
    "  tenon-compare model.onnx --against='--fusion=off --strict'\n\n"
    "Compares all values between kernels, then the nodes of the first kernel "
    "that is to blame. The exit status is 1 where something differs.\n";

static llvm::MutableArrayRef<OptionGroup> groups() {
  static OptionGroup all[] = {
      {{"1. What is compared"}, {"against", "input", "tolerance"}},
      {{"2. The model"}, {"dim", "with", "compiler"}},
      {{"3. The work"}, {"html", "seconds", "megabytes"}}};
  return all;
}

static int fail(const std::string &text) {
  llvm::errs() << "tenon-compare: error: " << withCode(text) << "\n";
  return 1;
}

static int report(const Findings &findings, const ProgramOptions &options) {
  printFindings(llvm::outs(), findings);
  if (!options.page.empty())
    if (llvm::Error error =
            writeFile(options.page, drawFindings(findings, options.input)))
      return fail(llvm::toString(std::move(error)));
  return findings.cause != Cause::None;
}

int tenon_main_compare(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  setVersionOf("tenon-compare", compilerId());
  ProgramOptions options;
  groupOptions(groups());
  cl::ParseCommandLineOptions(argc, argv, overview);
  if (options.input.empty())
    return fail("no model is given; see --help");
  CompareOptions compare;
  compare.model = options.input;
  compare.against = options.against;
  compare.inputs.assign(options.inputs.begin(), options.inputs.end());
  compare.flags.assign(options.trial.flags.begin(), options.trial.flags.end());
  compare.compiler = options.trial.compilerPath();
  compare.tolerance = options.tolerance;
  if (std::isnan(compare.tolerance))
    return fail("--tolerance: it is no number");
  compare.limits = options.trial.limits();
  if (std::string wrong = options.trial.readDims(compare.dims); !wrong.empty())
    return fail(wrong);
  auto findings = compareModel(compare);
  if (!findings)
    return fail(llvm::toString(findings.takeError()));
  return report(*findings, options);
}
