//===- DeviceLaunch.h - what a launch takes of a GPU ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TENON_PASSES_SCHEDULE_DEVICELAUNCH_H
#define TENON_PASSES_SCHEDULE_DEVICELAUNCH_H

#include "dialects/Kernel/Kernel.h"
#include "lib/Schedule/Problem.h"
#include "lib/Tile/Gpu.h"

namespace tenon::schedule {

/// A launch of a GPU that takes so many nanoseconds, without name and kernel:
/// the part of the device that it takes while it runs, and the shape of its
/// blocks if it may share a wave. It may not if its blocks run all at once or
/// lie along y or z, if it has steps or sizes, if its kernel reports faults, or
/// if it reads nothing: such launches clear what lies between the elements of
/// their results.
sched::Launch deviceLaunch(kernel::LaunchOp launch, int64_t nanoseconds,
                           const tile::GpuTarget &gpu);

} // namespace tenon::schedule

#endif // TENON_PASSES_SCHEDULE_DEVICELAUNCH_H
