//===- CpuKernels.cpp - kernels that a processor's threads call -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/Codegen/Backends.h"
#include "passes/Codegen/Bodies/ZeroHalo.h"
#include "passes/Codegen/Programs/Kernels.h"
#include "passes/Codegen/Steps/Steps.h"
#include "passes/CodegenCpu/CpuDevice.h"
#include "passes/CodegenCpu/Strategies.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::codegen;

namespace {
/// Kernels that a CPU's threads call.
class CpuKernels : public KernelTable {
public:
  CpuKernels(ModuleOp module, const CpuDevice &device)
      : KernelTable(module), device(device), target(device.thread()) {}

protected:
  FailureOr<Kernel> emit(kernel::GroupOp group, StringRef name) override {
    CalledFunction function(module, group.getLoc(), name,
                            group.getBuffers()->size() +
                                scratchOf(group).size());
    KernelBuilder b(function, group.getLoc(), target);
    FailureOr<StageInfo> info =
        emitStage(requestFor(device, function, b, group));
    function.finish();
    if (failed(info))
      return failure();
    describe(function.op,
             {info->errorGrowth, info->oneCall, group.getChecked()});
    Kernel kernel = kernelOf(*info, group);
    kernel.name = name.str();
    kernel.tiles = info->tiles;
    kernel.threadScratch = group.getThreadScratch().value_or(0);
    kernel.sizes = sizesOf(function);
    return kernel;
  }

  FailureOr<JoinedSteps> emitSteps(graph::StepsOp steps,
                                   StringRef name) override {
    return joinSteps(steps, target, name);
  }

  Kernel emitZeroHalo(Location loc, memory::BufferType buffer,
                      StringRef name) override {
    CalledFunction function(module, loc, name, 1);
    KernelBuilder b(function, loc, target);
    codegen::emitZeroHalo(b, buffer);
    Kernel kernel;
    kernel.name = name.str();
    kernel.tiles = zeroHaloTiles(b, buffer);
    kernel.sizes = sizesOf(function);
    function.finish();
    describe(function.op, {.oneCall = true});
    return kernel;
  }

private:
  const CpuDevice &device;
  const tile::Target &target;
};
} // namespace

std::unique_ptr<KernelTable> CpuDevice::kernels(ModuleOp module) const {
  return std::make_unique<CpuKernels>(module, *this);
}

//===-- Backend -----------------------------------------------------------===//

static bool knows(StringRef name) { return tile::findTarget(name); }

static std::unique_ptr<Device> make(ModuleOp module,
                                    const DeviceOptions &options) {
  if (options.threads < 0 || options.threads > tile::mostThreads) {
    module.emitError("cannot plan for ")
        << options.threads << " threads, only for 1 to " << tile::mostThreads;
    return nullptr;
  }
  tile::Target row =
      options.row ? *options.row : *tile::findTarget(options.name);
  if (options.threads)
    row.threads = options.threads;
  return std::make_unique<CpuDevice>(row, options.arithmetic);
}

void codegen::registerCpu(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *, kernel::KernelDialect *dialect) {
    Backends::of(*dialect).add({"cpu", cpuStrategies(), knows, make});
  });
}
