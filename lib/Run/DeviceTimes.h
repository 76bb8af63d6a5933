//===- DeviceTimes.h - what launches take on a device -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TENON_LIB_RUN_DEVICETIMES_H
#define TENON_LIB_RUN_DEVICETIMES_H

#include "lib/Support/Result.h"

#include <vector>

namespace tenon::run {

/// Runs an artifact on this machine's device, on made-up inputs: microseconds
/// of each launch, on average of a few runs.
Result<std::vector<double>> timesOnDevice(const std::string &artifact);

} // namespace tenon::run

#endif // TENON_LIB_RUN_DEVICETIMES_H
