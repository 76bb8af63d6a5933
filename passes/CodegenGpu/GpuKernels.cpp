//===- GpuKernels.cpp - kernels that a GPU launches -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/Codegen/Backends.h"
#include "passes/Codegen/Programs/Kernels.h"
#include "passes/CodegenGpu/GpuDevice.h"
#include "passes/CodegenGpu/Move/Halo.h"
#include "passes/CodegenGpu/Strategies.h"
#include "passes/CodegenGpu/Threads/Threads.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::gpu;
using codegen::Kernel;

namespace {
class GpuKernels : public codegen::KernelTable {
public:
  GpuKernels(ModuleOp module, const GpuDevice &device)
      : KernelTable(module), device(device) {}

protected:
  /// Copies and vectors are as wide as the parts of a storage are aligned.
  std::string differences(kernel::GroupOp group) override {
    std::string text;
    for (unsigned i = 0; i < group.getBuffers()->size(); ++i)
      text += " " + std::to_string(alignmentOf(group, i));
    return text;
  }

  FailureOr<Kernel> emit(kernel::GroupOp group, StringRef name) override {
    // Null where its threads do by a strategy of processors.
    const Strategy *strategy = codegen::findStrategy(
        device.strategies(), group.getPlanAttr().getStrategy());
    return strategy ? emitBy(*strategy, group, name)
                    : emitThreads(module, group, name, device);
  }

  FailureOr<codegen::JoinedSteps> emitSteps(graph::StepsOp steps,
                                            StringRef name) override {
    return steps->emitError("a GPU does not run loops of the host as a kernel");
  }

  Kernel emitZeroHalo(Location loc, memory::BufferType buffer,
                      StringRef name) override {
    std::optional<Kernel> kernel =
        emitHalo(module, loc, buffer, name, device.target());
    return kernel ? *kernel
                  : emitThreadsZeroHalo(module, loc, buffer, name,
                                        device.target());
  }

private:
  FailureOr<Kernel> emitBy(const Strategy &strategy, kernel::GroupOp group,
                           StringRef name);

  const GpuDevice &device;
};
} // namespace

FailureOr<Kernel> GpuKernels::emitBy(const Strategy &strategy,
                                     kernel::GroupOp group, StringRef name) {
  BlockFunction function(module, group.getLoc(), name,
                         group.getBuffers()->size() +
                             codegen::scratchOf(group).size());
  codegen::KernelBuilder b(function, group.getLoc(), device.thread());
  FailureOr<StageInfo> info =
      strategy.emit(codegen::requestFor(device, function, b, group));
  function.finish(succeeded(info) ? info->launch : kernel::DeviceAttr());
  if (failed(info))
    return failure();
  codegen::describe(function.op,
                    {info->errorGrowth, false, group.getChecked()});
  Kernel kernel = codegen::kernelOf(*info, group);
  kernel.name = name.str();
  kernel.tiles = info->tiles;
  kernel.device = info->launch;
  kernel.sizes = info->sizes;
  return kernel;
}

std::unique_ptr<codegen::KernelTable>
GpuDevice::kernels(ModuleOp module) const {
  return std::make_unique<GpuKernels>(module, *this);
}
