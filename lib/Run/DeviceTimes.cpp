//===- DeviceTimes.cpp - what launches take on a device -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Run/DeviceTimes.h"

#include "lib/Run/Executable.h"
#include "lib/Run/Inputs.h"

using namespace tenon;
using namespace tenon::run;

Result<std::vector<double>> run::timesOnDevice(const std::string &artifact) {
  constexpr int warmRuns = 2, timedRuns = 5;
  Options options;
  options.model = artifact;
  options.device = "cuda";
  options.profile = "";
  auto opened = openArtifact(options);
  if (!opened)
    return opened.error();
  Executable &executable = **opened;
  auto inputs = gatherInputs(options, executable.inputs());
  if (!inputs)
    return inputs.error();
  std::vector<Tensor> outputs;
  for (int i = 0; i < warmRuns + timedRuns; ++i) {
    if (i == warmRuns)
      executable.resetProfile();
    if (auto status = executable.run(*inputs, outputs); !status)
      return status.error();
  }
  std::vector<double> took;
  for (const ProfileRow &row : executable.profile())
    took.push_back(double(row.nanoseconds) / 1000 / double(row.calls));
  return took;
}
