//===- GpuDevice.cpp - a GPU, as passes see it ----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/CodegenGpu/GpuDevice.h"

#include "passes/Codegen/Backends.h"
#include "passes/Codegen/Contest.h"
#include "passes/Codegen/Groups/GroupInstance.h"
#include "passes/CodegenGpu/Strategies.h"
#include "passes/CodegenGpu/Threads/Threads.h"

#include "mlir/IR/Diagnostics.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::gpu;

static const GpuDevice &gpuOf(const codegen::Device &device) {
  return static_cast<const GpuDevice &>(device);
}

const tile::GpuTarget &tenon::gpu::targetOf(const codegen::Device &device) {
  return gpuOf(device).target();
}

tile::Precision tenon::gpu::precisionOf(const codegen::Device &device) {
  return gpuOf(device).precision();
}

std::string GpuDevice::name() const {
  return (gpu.name + " " + tile::toText(given)).str();
}

ArrayRef<const Strategy *> GpuDevice::strategies() const {
  return tenon::gpu::strategies();
}

//===-- Plans -------------------------------------------------------------===//

/// Strategies for GPUs know all sizes.
static LogicalResult enterOwn(codegen::Contest &contest,
                              const GpuDevice &device) {
  kernel::GroupOp group = contest.group();
  if (codegen::hasSymbols(group))
    return success();
  PlanRequest request{group, device, device.thread()};
  for (const Strategy *strategy : device.strategies())
    if (strategy->matches(group) && failed(contest.enter(*strategy, request)))
      return failure();
  return success();
}

LogicalResult GpuDevice::enter(codegen::Contest &contest) const {
  kernel::GroupOp group = contest.group();
  if (failed(enterOwn(contest, *this)))
    return failure();
  // Stages were put together for a strategy of their own.
  if (group.isStaged())
    return contest.isEmpty()
               ? group.emitOpError("has stages that no strategy computes")
               : success();
  FailureOr<StageChoice> byThreads = planThreads(group, *this);
  // What nothing else computes is reported by what could not.
  if (failed(byThreads))
    return failure();
  StringRef name = byThreads->result.plan.getStrategy();
  contest.enter(name, std::move(*byThreads));
  return success();
}

//===-- Prices ------------------------------------------------------------===//

bool GpuDevice::mayShareKernel(kernel::GroupOp from, kernel::GroupOp to) const {
  return llvm::any_of(strategies(), [&](const Strategy *strategy) {
    return strategy->wholeStages && strategy->wholeStages->mayHold(from, to);
  });
}

std::optional<codegen::KernelPrice>
GpuDevice::priceOf(kernel::GroupOp group) const {
  ScopedDiagnosticHandler silent(group.getContext(),
                                 [](Diagnostic &) { return success(); });
  codegen::Measuring none;
  codegen::Contest contest(group, *this, none);
  if (failed(enter(contest)))
    return std::nullopt;
  codegen::StagePlan plan = std::move(contest.decide().result);
  const Strategy *strategy =
      codegen::findStrategy(strategies(), plan.plan.getStrategy());
  if (!strategy || !strategy->wholeStages)
    return codegen::KernelPrice{plan.time};
  return codegen::KernelPrice{plan.time,
                              strategy->wholeStages->tileOf(group, plan.plan),
                              strategy->wholeStages->level};
}

//===-- Backend -----------------------------------------------------------===//

static bool knows(StringRef name) { return tile::findGpuTarget(name); }

static std::unique_ptr<codegen::Device>
make(ModuleOp module, const codegen::DeviceOptions &options) {
  const tile::GpuTarget &target = *tile::findGpuTarget(options.name);
  tile::Target thread = tile::threadOf(target);
  codegen::DeviceOptions ofThreads;
  ofThreads.row = &thread;
  const auto *cpu = codegen::Backends::of(module.getContext()).find("cpu");
  return std::make_unique<GpuDevice>(target, options.precision,
                                     cpu->make(module, ofThreads));
}

void tenon::gpu::registerGpu(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *, kernel::KernelDialect *dialect) {
    codegen::Backends::of(*dialect).add(
        {"gpu", tenon::gpu::strategies(), knows, make});
  });
}
