//===- Driver.cpp - tenon-run from arguments to exit status ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file gathers inputs, runs, compares, writes and reports.
//===----------------------------------------------------------------------===//
#include "lib/Run/Driver.h"

#include "lib/Run/OutputFiles.h"
#include "lib/Run/Report.h"

#include <algorithm>
#include <cstdio>

using namespace tenon::run;

//===----------------------------------------------------------------------===//
// Inputs
//===----------------------------------------------------------------------===//

static bool isRandom(const std::string &source) {
  return source.starts_with("random:");
}

/// random:SEED or random:SEED:LIMIT.
static Status fillFrom(const std::string &source, Tensor &tensor) {
  char *end;
  uint64_t seed = std::strtoull(source.c_str() + 7, &end, 10), limit = 100;
  bool good = end != source.c_str() + 7;
  if (good && *end == ':') {
    const char *text = end + 1;
    limit = std::strtoull(text, &end, 10);
    good = end != text && limit > 0;
  }
  if (!good || *end)
    return Error{"'" + source + "' is not random:SEED or random:SEED:LIMIT"};
  fillRandom(tensor, seed, limit);
  return Done{};
}

static Result<Tensor> makeInput(const TensorSpec &spec,
                                const std::string &source) {
  if (isRandom(source)) {
    Result<Tensor> tensor = Tensor::make(spec);
    if (!tensor)
      return tensor;
    Status status = fillFrom(source, *tensor);
    return status ? std::move(tensor) : Result<Tensor>(status.error());
  }
  Result<Tensor> tensor = readTensor(source, spec.type);
  if (!tensor)
    return tensor;
  bool fits = sameType(tensor->spec.type, spec.type) &&
              tensor->spec.shape.size() == spec.shape.size();
  for (size_t i = 0; fits && i < spec.shape.size(); ++i)
    fits = spec.shape[i] < 0 || spec.shape[i] == tensor->spec.shape[i];
  if (!fits)
    return Error{"input '" + spec.name + "': '" + source + "' holds " +
                 tensor->spec.str() + "; the model takes " + spec.str()};
  tensor->spec.name = spec.name;
  return tensor;
}

static int64_t findSpec(const std::vector<TensorSpec> &specs,
                        const std::string &name) {
  for (size_t i = 0; i < specs.size(); ++i)
    if (specs[i].name == name)
      return int64_t(i);
  return -1;
}

static std::string listNames(const std::vector<TensorSpec> &specs) {
  std::string text;
  for (const TensorSpec &spec : specs)
    text += (text.empty() ? "'" : ", '") + spec.name + "'";
  return text;
}

/// The number of the tensor that an assignment is for.
static Result<int64_t> resolve(const Assignment &assignment,
                               const std::vector<TensorSpec> &specs,
                               const char *what) {
  if (assignment.name.empty() && specs.size() == 1)
    return 0;
  int64_t index = findSpec(specs, assignment.name);
  if (index < 0)
    return Error{std::string("there is no ") + what + " '" + assignment.name +
                 "'; the model has " + listNames(specs)};
  return index;
}

static Result<std::vector<Tensor>>
gatherInputs(const Options &options, const std::vector<TensorSpec> &specs) {
  std::vector<std::string> sources(specs.size(), "random:0");
  for (const Assignment &assignment : options.inputs) {
    if (assignment.name.empty() && isRandom(assignment.value)) {
      std::fill(sources.begin(), sources.end(), assignment.value);
      continue;
    }
    Result<int64_t> index = resolve(assignment, specs, "input");
    if (!index)
      return index.error();
    sources[*index] = assignment.value;
  }
  std::vector<Tensor> inputs;
  for (size_t i = 0; i < specs.size(); ++i) {
    Result<Tensor> tensor = makeInput(specs[i], sources[i]);
    if (!tensor)
      return tensor.error();
    inputs.push_back(std::move(*tensor));
  }
  return inputs;
}

//===----------------------------------------------------------------------===//
// Outputs
//===----------------------------------------------------------------------===//

static Status compareOutputs(const Options &options,
                             const std::vector<Tensor> &outputs,
                             Report &report) {
  for (const Assignment &assignment : options.expects) {
    Result<int64_t> index = resolve(assignment, report.outputs, "output");
    if (!index)
      return index.error();
    Result<Tensor> expected =
        readTensor(assignment.value, outputs[*index].spec.type);
    if (!expected)
      return expected.error();
    Result<Difference> difference =
        compare(outputs[*index], *expected, options.rtol, options.atol);
    if (!difference)
      return difference.error();
    report.differences.push_back(*difference);
  }
  return Done{};
}

//===----------------------------------------------------------------------===//
// The whole
//===----------------------------------------------------------------------===//

static Status measure(const Options &options, Executable &executable,
                      const std::vector<Tensor> &inputs,
                      std::vector<Tensor> &outputs, Report &report) {
  Result<Timing> timing = benchmark(executable, inputs, outputs, options.runs);
  if (!timing)
    return timing.error();
  report.timing = *timing;
  return Done{};
}

/// Holds what the runs left against the roof.
static Status profile(const Options &options, const Executable &executable,
                      Report &report) {
  const Facts &facts = report.facts;
  report.byLaunch = options.byLaunch;
  report.profile = Profile{executable.profile(),
                           measureRoof({facts.vectorBits}, facts.threads),
                           int64_t(facts.weightsBytes + facts.arenaBytes)};
  if (options.profile->empty())
    return Done{};
  return writeText(*options.profile, traceJson(*report.profile, facts.name));
}

static Status execute(const Options &options, Executable &executable,
                      Report &report) {
  Result<std::vector<Tensor>> inputs = gatherInputs(options, report.inputs);
  if (!inputs)
    return inputs.error();
  std::vector<Tensor> outputs;
  Status status = options.benchmark || options.profile
                      ? measure(options, executable, *inputs, outputs, report)
                      : executable.run(*inputs, outputs);
  report.peakBytes = peakMemory();
  if (status && options.profile)
    status = profile(options, executable, report);
  if (status)
    status = compareOutputs(options, outputs, report);
  if (status && !options.outputDir.empty())
    status = writeOutputs(options.outputDir, outputs);
  if (!report.timing && report.differences.empty())
    for (const Tensor &output : outputs)
      report.summaries.push_back(summarise(output));
  return status;
}

static int fail(const std::string &message) {
  fprintf(stderr, "tenon-run: error: %s\n", message.c_str());
  return 1;
}

int tenon::run::drive(const Options &options, const OpenFunction &open) {
  double start = now();
  Result<std::unique_ptr<Executable>> executable = open(options);
  if (!executable)
    return fail(executable.error().message);
  Report report;
  report.loadMilliseconds = now() - start;
  report.inputs = (*executable)->inputs();
  report.outputs = (*executable)->outputs();
  report.facts = (*executable)->facts();
  if (!options.signature) {
    Status status = execute(options, **executable, report);
    if (!status)
      return fail(status.error().message);
  }
  std::string text = options.json        ? reportJson(report)
                     : options.signature ? signatureText(report)
                                         : reportText(report);
  fputs(text.c_str(), stdout);
  for (const Difference &difference : report.differences)
    if (difference.mismatches)
      return 1;
  return 0;
}

static int printRoof(const Options &options) {
  constexpr int64_t most = 1024;
  if (options.threads > most)
    return fail("--roof takes at most " + std::to_string(most) + " threads");
  int threads = options.threads ? int(options.threads) : processorCount();
  puts(roofJson(measureRoof(vectorWidths(), threads, /*copies=*/true)).c_str());
  return 0;
}

int tenon::run::runMain(int argc, char **argv, const OpenFunction &open) {
  Result<Options> options = parseOptions({argv + 1, argv + argc});
  if (!options)
    return fail(options.error().message);
  if (options->help)
    fputs(helpText().c_str(), stdout);
  else if (options->version)
    puts("tenon-run " TENON_VERSION_STRING);
  else if (options->roof)
    return printRoof(*options);
  else
    return drive(*options, open);
  return 0;
}
