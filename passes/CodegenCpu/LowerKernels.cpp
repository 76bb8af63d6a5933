//===- LowerKernels.cpp - groups to functions and launches ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/CodegenCpu/Kernels.h"
#include "passes/CodegenCpu/Move/ZeroHalo.h"
#include "passes/CodegenCpu/Passes.h"
#include "passes/CodegenCpu/Planning.h"
#include "passes/CodegenCpu/Steps/Steps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace tenon::codegen {
#define GEN_PASS_DEF_LOWERKERNELSPASS
#include "passes/CodegenCpu/Passes.h.inc"
} // namespace tenon::codegen

using namespace mlir;
using namespace tenon;
using namespace tenon::codegen;

namespace {
/// Kernels that a CPU's threads call.
class CpuKernels : public KernelTable {
public:
  CpuKernels(ModuleOp module, const tile::Target &target)
      : KernelTable(module), target(target) {}

protected:
  FailureOr<Kernel> emit(kernel::GroupOp group, StringRef name) override {
    CalledFunction function(module, group.getLoc(), name,
                            group.getBuffers()->size() +
                                scratchOf(group).size());
    KernelBuilder b(function, group.getLoc(), target);
    FailureOr<StageInfo> info = emitStage(requestFor(b, group));
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
  const tile::Target &target;
};

struct LowerKernels : codegen::impl::LowerKernelsPassBase<LowerKernels> {
  using Base::Base;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    std::optional<tile::Target> cpu = requireTarget(module, target, threads);
    if (!cpu)
      return signalPassFailure();
    CpuKernels kernels(module, *cpu);
    FailureOr<unsigned> launches = lowerPrograms(module, kernels);
    if (failed(launches))
      return signalPassFailure();
    numKernels += kernels.size();
    numLaunches += *launches;
  }
};
} // namespace
