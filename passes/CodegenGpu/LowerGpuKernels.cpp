//===- LowerGpuKernels.cpp - groups to functions and launches of GPUs -----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/CodegenCpu/Kernels.h"
#include "passes/CodegenCpu/Steps/Steps.h"
#include "passes/CodegenGpu/Move/Halo.h"
#include "passes/CodegenGpu/Options.h"
#include "passes/CodegenGpu/Passes.h"
#include "passes/CodegenGpu/Strategies.h"
#include "passes/CodegenGpu/Threads/Threads.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace tenon::gpu {
#define GEN_PASS_DEF_LOWERGPUKERNELSPASS
#include "passes/CodegenGpu/Passes.h.inc"
} // namespace tenon::gpu

using namespace mlir;
using namespace tenon;
using namespace tenon::gpu;
using codegen::Kernel;

namespace {
/// Kernels that a GPU launches.
class GpuKernels : public codegen::KernelTable {
public:
  GpuKernels(ModuleOp module, const Options &options)
      : KernelTable(module), options(options) {}

protected:
  /// Copies and vectors are as wide as the parts of a storage are aligned.
  std::string differences(kernel::GroupOp group) override {
    std::string text;
    for (unsigned i = 0; i < group.getBuffers()->size(); ++i)
      text += " " + std::to_string(alignmentOf(group, i));
    return text;
  }

  FailureOr<Kernel> emit(kernel::GroupOp group, StringRef name) override {
    const Strategy *strategy = findStrategy(group.getPlanAttr().getStrategy());
    return strategy ? emitBy(*strategy, group, name)
                    : emitThreads(module, group, name, *options.target);
  }

  FailureOr<codegen::JoinedSteps> emitSteps(graph::StepsOp steps,
                                            StringRef name) override {
    return steps->emitError("a GPU does not run loops of the host as a kernel");
  }

  Kernel emitZeroHalo(Location loc, memory::BufferType buffer,
                      StringRef name) override {
    std::optional<Kernel> kernel =
        emitHalo(module, loc, buffer, name, *options.target);
    return kernel ? *kernel
                  : emitThreadsZeroHalo(module, loc, buffer, name,
                                        *options.target);
  }

private:
  FailureOr<Kernel> emitBy(const Strategy &strategy, kernel::GroupOp group,
                           StringRef name);

  const Options &options;
};
} // namespace

FailureOr<Kernel> GpuKernels::emitBy(const Strategy &strategy,
                                     kernel::GroupOp group, StringRef name) {
  EmitRequest request{module,
                      name,
                      group,
                      {},
                      {},
                      group.getPlanAttr(),
                      *options.target,
                      options.precision};
  auto types = group.getBuffers()->getAsValueRange<TypeAttr>();
  for (auto [i, type] : llvm::enumerate(types))
    (i < group.getOperands_().size() ? request.operands : request.results)
        .push_back(cast<memory::BufferType>(type));
  FailureOr<DeviceKernel> emitted = strategy.emit(request);
  if (failed(emitted))
    return failure();
  Kernel kernel;
  kernel.name = name.str();
  kernel.tiles = emitted->blocks;
  kernel.steps = emitted->steps;
  kernel.device = emitted->device;
  kernel.scratch = emitted->scratch;
  kernel.sizes = emitted->sizes;
  for (auto [operand, written] : emitted->inPlace)
    kernel.inPlace.append({int64_t(operand), int64_t(written)});
  auto function = module.lookupSymbol<LLVM::LLVMFuncOp>(name);
  codegen::describe(function,
                    {emitted->errorGrowth, false, group.getChecked()});
  return kernel;
}

namespace {
struct LowerGpuKernels
    : tenon::gpu::impl::LowerGpuKernelsPassBase<LowerGpuKernels> {
  using Base::Base;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    std::optional<Options> options = requireOptions(module, target, precision);
    if (!options)
      return signalPassFailure();
    GpuKernels kernels(module, *options);
    FailureOr<unsigned> launches = codegen::lowerPrograms(module, kernels);
    if (failed(launches))
      return signalPassFailure();
    numKernels += kernels.size();
    numLaunches += *launches;
  }
};
} // namespace
