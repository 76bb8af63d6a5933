//===- Driver.cpp - tenon-run from arguments to exit status ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file runs, compares, writes and reports.
//===----------------------------------------------------------------------===//
#include "lib/Run/Driver.h"

#include "lib/Run/Inputs.h"
#include "lib/Run/OutputFiles.h"
#include "lib/Run/Report.h"
#include "lib/Run/Train/Train.h"

#include <cstdio>

using namespace tenon;
using namespace tenon::run;

//===----------------------------------------------------------------------===//
// Outputs
//===----------------------------------------------------------------------===//

static Status compareOutputs(const Options &options,
                             const std::vector<Tensor> &outputs,
                             Report &report) {
  for (const Assignment &assignment : options.expects) {
    Result<int64_t> index = findTensor(assignment, report.outputs, "output");
    if (!index)
      return index.error();
    Result<Tensor> expected =
        readValue(assignment.value, report.outputs[*index]);
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

/// What was not known before: sizes may depend on the shapes of inputs.
static void describeShapes(const Executable &executable,
                           const std::vector<Tensor> &inputs,
                           const std::vector<Tensor> &outputs, Report &report) {
  auto describe = [](const Tensor &value, TensorSpec &spec) {
    if (spec.kind != TENON_VALUE_TENSOR)
      return;
    spec.shape = value.spec.shape;
    spec.hasAnyRank = false;
  };
  for (size_t i = 0; i < inputs.size(); ++i)
    describe(inputs[i], report.inputs[i]);
  for (size_t i = 0; i < outputs.size(); ++i)
    describe(outputs[i], report.outputs[i]);
  report.facts = executable.facts();
}

/// Holds what the runs left against the roof.
static Status profile(const Options &options, const Executable &executable,
                      Report &report) {
  const Facts &facts = report.facts;
  report.byLaunch = options.byLaunch;
  bool isOnGpu = !facts.device.empty();
  report.profile = Profile{
      executable.profile(),
      isOnGpu ? roofOfDevice(facts.device, facts.deviceFlops, facts.deviceRate)
              : measureRoof({facts.vectorBits}, facts.threads),
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
  if (status)
    describeShapes(executable, *inputs, outputs, report);
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

static int printDisassembly(const Executable &executable) {
  Result<std::string> text = executable.disassembly();
  if (!text)
    return fail(text.error().message);
  fputs(text->c_str(), stdout);
  return 0;
}

int tenon::run::drive(const Options &options, const OpenFunction &open) {
  double start = now();
  Result<std::unique_ptr<Executable>> executable = open(options);
  if (!executable)
    return fail(executable.error().message);
  if (options.disassemble)
    return printDisassembly(**executable);
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

static int finish(const Status &status) {
  return status ? 0 : fail(status.error().message);
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
  else if (!options->data.empty())
    return finish(train(*options));
  else
    return drive(*options, open);
  return 0;
}
