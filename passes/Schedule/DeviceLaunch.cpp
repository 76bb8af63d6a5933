//===- DeviceLaunch.cpp - what a launch takes of a GPU --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/Schedule/DeviceLaunch.h"

#include "dialects/Graph/Shapes.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

#include <algorithm>
#include <cmath>

using namespace mlir;
using namespace tenon;
using namespace tenon::schedule;

/// Registers that a thread is taken to have.
static constexpr int64_t registersOfThread = 128;

/// The part of a multiprocessor that a block takes.
static double shareOf(kernel::DeviceAttr device, const tile::GpuTarget &gpu) {
  return std::max(double(device.getThreads() * registersOfThread) /
                      double(gpu.registers),
                  double(device.getShared()) / double(gpu.processorShared));
}

/// The part of the device that a launch takes: of room for blocks, of what
/// memory can move, or of what products of f32 reach.
static double partOf(kernel::LaunchOp launch, int64_t nanoseconds,
                     const tile::GpuTarget &gpu) {
  kernel::DeviceAttr device = launch.getDeviceAttr();
  double blocks = double(graph::sizeOf(launch.getTilesAttr()));
  for (int64_t extent : device.getGrid())
    blocks *= double(extent);
  double time = double(nanoseconds) / 1000;
  return std::max({blocks * shareOf(device, gpu) / double(gpu.processors),
                   double(launch.getBytes()) / (time * gpu.memoryBytes),
                   double(launch.getFlops()) / (time * gpu.tensorFlops / 6)});
}

/// Whether fewer blocks fit on a multiprocessor than their registers allow.
static bool isSharedScarce(kernel::DeviceAttr device,
                           const tile::GpuTarget &gpu) {
  int64_t shared = device.getShared();
  int64_t registers =
      std::max<int64_t>(device.getThreads(), 1) * registersOfThread;
  return shared > 0 && gpu.processorShared / shared < gpu.registers / registers;
}

static bool mayShareWave(kernel::LaunchOp launch) {
  auto module = launch->getParentOfType<ModuleOp>();
  auto function = dyn_cast_or_null<FunctionOpInterface>(
      SymbolTable::lookupSymbolIn(module, launch.getCallee()));
  kernel::KernelDialect::CheckedAttrHelper isChecked(launch.getContext());
  return function && function.getFunctionBody().hasOneBlock() &&
         !isChecked.isAttrPresent(function) &&
         !launch.getDeviceAttr().getCooperative() &&
         llvm::all_of(launch.getDeviceAttr().getGrid(),
                      [](int64_t extent) { return extent == 1; }) &&
         !launch.getStepsAttr() && !launch.getSizesAttr() &&
         !launch.getReads().empty();
}

/// Maps are passed by value, behind each other with the pointers.
static int64_t parametersOf(kernel::LaunchOp launch) {
  constexpr int64_t mapBytes = 128, pointerBytes = 8;
  return int64_t(launch.getDeviceAttr().getMaps().size()) * mapBytes +
         int64_t(launch->getNumOperands()) * pointerBytes;
}

sched::Launch schedule::deviceLaunch(kernel::LaunchOp launch,
                                     int64_t nanoseconds,
                                     const tile::GpuTarget &gpu) {
  kernel::DeviceAttr device = launch.getDeviceAttr();
  sched::Launch made;
  made.times = {nanoseconds};
  double part = partOf(launch, nanoseconds, gpu) * sched::wholeDevice;
  made.part = int64_t(std::clamp(part, 1.0, double(sched::wholeDevice)));
  if (mayShareWave(launch))
    made.blocks = {unsigned(device.getThreads()),
                   isSharedScarce(device, gpu) ? device.getShared() : 0,
                   unsigned(device.getCluster()), parametersOf(launch)};
  return made;
}
