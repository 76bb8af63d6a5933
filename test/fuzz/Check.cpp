//===- Check.cpp - compile, run, interpret, compare -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/fuzz/Check.h"

#include "lib/Compiler/CommandLine.h"
#include "lib/Compiler/Compiler.h"
#include "lib/Run/InterpretedExecutable.h"
#include "lib/Run/Measure.h"
#include "lib/Run/Options.h"
#include "lib/Support/File.h"
#include "test/fuzz/Compare.h"
#include "test/fuzz/Random.h"

#include <cmath>
#include <cstring>

using namespace tenon;
using namespace tenon::fuzz;
using Outputs = std::vector<run::Tensor>;

const char *tenon::fuzz::outcomeName(Outcome outcome) {
  static const char *const names[] = {"agrees",  "rounds",   "refused",
                                      "unnamed", "rejected", "differs",
                                      "crashes", "hangs"};
  return names[unsigned(outcome)];
}

bool tenon::fuzz::isFault(Outcome outcome) {
  return outcome > Outcome::Refused;
}

//===-- Inputs ------------------------------------------------------------===//

static tenon_dtype dtypeOf(int32_t kind) {
  switch (kind) {
  case Bool:
    return {TENON_BOOL, 8, 1};
  case I32:
    return {TENON_INT, 32, 1};
  case I64:
    return {TENON_INT, 64, 1};
  default:
    return {TENON_FLOAT, uint8_t(kind == F16 ? 16 : 32), 1};
  }
}

run::Tensor tenon::fuzz::toTensor(const CaseInput &input, unsigned run,
                                  unsigned data) {
  run::TensorSpec spec;
  spec.name = input.name;
  spec.type = dtypeOf(input.kind);
  spec.shape = input.shapes[run];
  run::Tensor tensor = std::move(*run::Tensor::make(spec));
  std::memcpy(tensor.data(), input.data[data].data(), tensor.byteSize());
  return tensor;
}

/// The inputs in the order of `specs`, which lacks what became constant.
static std::vector<run::Tensor>
inputsOf(const Case &given, const std::vector<run::TensorSpec> &specs,
         unsigned run, unsigned data) {
  std::vector<run::Tensor> inputs;
  for (const run::TensorSpec &spec : specs)
    for (const CaseInput &input : given.inputs)
      if (input.name == spec.name)
        inputs.push_back(toTensor(input, run, data));
  return inputs;
}

/// Each float a little smaller or larger.
static void perturb(std::vector<run::Tensor> &inputs, uint64_t seed) {
  Random random(seed);
  for (run::Tensor &input : inputs)
    if (input.spec.type.code == TENON_FLOAT && input.spec.type.bits == 32) {
      auto *numbers = reinterpret_cast<float *>(input.data());
      for (int64_t i = 0; i < input.elements; ++i)
        numbers[i] *= float(1 + std::ldexp(random.real(), -20));
    }
}

//===-- The interpreter ---------------------------------------------------===//

static Result<std::unique_ptr<run::Executable>>
openFixed(const Case &given, const std::string &model, unsigned run) {
  run::Options options;
  options.model = model;
  for (const auto &[name, at] : given.symbols)
    options.dims.push_back(name + "=" + std::to_string(at[run]));
  return run::openInterpreted(options);
}

Result<Outputs> tenon::fuzz::interpret(const Case &given,
                                       const std::string &model, unsigned run,
                                       unsigned data) {
  auto executable = openFixed(given, model, run);
  if (!executable)
    return executable.error();
  Outputs outputs;
  run::Executable &fixed = **executable;
  Status done = fixed.run(inputsOf(given, fixed.inputs(), run, data), outputs);
  if (!done)
    return done.error();
  return outputs;
}

//===-- The compiler ------------------------------------------------------===//

namespace {
/// One graph on its way.
class Checking {
public:
  Checking(const Case &given, const CheckOptions &options)
      : given(given), options(options), model(options.folder + "/graph.onnx"),
        artifact(options.folder + "/graph.tenon") {}

  Verdict result();

private:
  bool compile();
  bool open();
  bool checkRun(unsigned run);
  bool roundingExplains(const Outputs &want, const Outputs &got, unsigned run);
  void checkAnswer();
  std::string findDifference(const Outputs &want, const Outputs &got,
                             const std::vector<Slack> &slacks);
  bool fail(Outcome outcome, const std::string &text) {
    verdict.outcome = outcome;
    verdict.text = text;
    return false;
  }
  void refuse(const std::string &text);

  const Case &given;
  const CheckOptions &options;
  std::string model, artifact;
  std::unique_ptr<run::Executable> compiled;
  Outputs first; ///< what the first run should give
  Verdict verdict;
};
} // namespace

/// The operator of the first node that a message names.
static std::string namedOperator(const Case &given, const std::string &text) {
  size_t best = std::string::npos;
  std::string op;
  for (const auto &[node, name] : given.operators)
    if (size_t place = text.find("'" + node + "'"); place < best) {
      best = place;
      op = name;
    }
  return op;
}

void Checking::refuse(const std::string &text) {
  verdict.op = namedOperator(given, text);
  fail(verdict.op.empty() ? Outcome::Unnamed : Outcome::Refused, text);
}

bool Checking::compile() {
  double start = run::now();
  CompileOptions compiling;
  compiling.cpu = options.cpu;
  compiling.jobs = 1;
  compiling.kernelCache = options.kernelCache;
  // Making room looks at all kernels each time.
  compiling.kernelCacheBytes = 0;
  auto context = createContext(/*jobs=*/1);
  std::string text;
  mlir::ScopedDiagnosticHandler handler(
      context.get(), [&](mlir::Diagnostic &diagnostic) {
        if (diagnostic.getSeverity() != mlir::DiagnosticSeverity::Error)
          return mlir::success();
        llvm::raw_string_ostream(text)
            << (text.empty() ? "" : "\n") << placeOf(diagnostic.getLocation())
            << diagnostic;
        for (mlir::Diagnostic &note : diagnostic.getNotes())
          llvm::raw_string_ostream(text) << "\n" << note;
        return mlir::success();
      });
  auto report = compileModel(*context, {model}, artifact, compiling);
  verdict.compileSeconds = (run::now() - start) / 1000;
  if (report) {
    verdict.kernels = int64_t(report->kernels.size());
    verdict.cachedKernels = report->cachedKernels;
    return true;
  }
  refuse(text + "\n" + llvm::toString(report.takeError()));
  return false;
}

bool Checking::open() {
  run::Options loading;
  loading.model = artifact;
  loading.threads = given.seed % 4 == 0 ? 2 : 1;
  auto opened = run::openArtifact(loading);
  if (!opened)
    return fail(Outcome::Differs, opened.error().message);
  compiled = std::move(*opened);
  return true;
}

//===-- Runs --------------------------------------------------------------===//

std::string Checking::findDifference(const Outputs &want, const Outputs &got,
                                     const std::vector<Slack> &slacks) {
  if (want.size() != got.size())
    return "there are " + std::to_string(got.size()) + " outputs";
  for (size_t i = 0; i < want.size(); ++i) {
    std::string found =
        difference(want[i], got[i], slacks.empty() ? Slack() : slacks[i]);
    if (!found.empty())
      return found;
  }
  return "";
}

/// Whether inputs that are rounded otherwise change the same elements.
bool Checking::roundingExplains(const Outputs &want, const Outputs &got,
                                unsigned run) {
  auto executable = openFixed(given, model, run);
  if (!executable)
    return false;
  std::vector<Slack> slacks(want.size());
  for (uint64_t draw = 0; draw < 4; ++draw) {
    auto inputs = inputsOf(given, (*executable)->inputs(), run, run);
    perturb(inputs, draw);
    Outputs others;
    if (!(*executable)->run(inputs, others))
      return false;
    for (size_t i = 0; i < want.size(); ++i)
      // Data decide the shape, and roundings decide the data.
      if (!addSlack(want[i], others[i], slacks[i]))
        return true;
  }
  return findDifference(want, got, slacks).empty();
}

bool Checking::checkRun(unsigned run) {
  double start = run::now();
  auto want = interpret(given, model, run, run);
  verdict.interpretSeconds += (run::now() - start) / 1000;
  if (!want)
    return fail(Outcome::Rejected, want.error().message);
  start = run::now();
  Outputs got;
  Status done =
      compiled->run(inputsOf(given, compiled->inputs(), run, run), got);
  verdict.runSeconds += (run::now() - start) / 1000;
  std::string sizes = "sizes " + std::to_string(run) + ": ";
  if (!done)
    return fail(Outcome::Differs, sizes + done.error().message);
  std::string found = findDifference(*want, got, {});
  if (run == 0)
    first = std::move(*want);
  if (found.empty())
    return true;
  if (!roundingExplains(run == 0 ? first : *want, got, run))
    return fail(Outcome::Differs, sizes + found);
  verdict.outcome = Outcome::Rounds;
  verdict.text = sizes + found;
  return true;
}

/// Whether the comparison tells other inputs' results from the first run's.
void Checking::checkAnswer() {
  Outputs others;
  auto inputs = inputsOf(given, compiled->inputs(), 0, runCount);
  if (!compiled->run(inputs, others) || others.size() != first.size())
    return;
  for (size_t i = 0; i < first.size(); ++i)
    verdict.answers |=
        !difference(first[i], others[i], {}, /*times=*/30).empty();
}

Verdict Checking::result() {
  if (llvm::Error error = writeFile(model, given.model)) {
    fail(Outcome::Differs, llvm::toString(std::move(error)));
    return verdict;
  }
  if (!compile() || !open())
    return verdict;
  for (unsigned run = 0; run < runCount; ++run)
    if (!checkRun(run))
      return verdict;
  checkAnswer();
  return verdict;
}

Verdict tenon::fuzz::check(const Case &given, const CheckOptions &options) {
  return Checking(given, options).result();
}
