//===- GpuDevice.cpp - a GPU, as passes see it ----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/CodegenGpu/GpuDevice.h"

#include "passes/Codegen/Backends.h"
#include "passes/Codegen/Contest.h"
#include "passes/Codegen/Groups/GroupInstance.h"
#include "passes/CodegenGpu/Strategies.h"
#include "passes/CodegenGpu/Threads/Threads.h"

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

/// Nothing else computes two products.
static LogicalResult enterAttention(const PlanRequest &request,
                                    codegen::Contest &contest) {
  if (failed(contest.enter(attentionStrategy, request)))
    return failure();
  if (contest.isEmpty())
    return contest.group()->emitOpError("is an attention without a plan");
  return success();
}

/// Strategies for GPUs know all sizes.
LogicalResult GpuDevice::enter(codegen::Contest &contest) const {
  kernel::GroupOp group = contest.group();
  PlanRequest request{group, *this, thread()};
  if (attentionStrategy.matches(group))
    return enterAttention(request, contest);
  if (!codegen::hasSymbols(group))
    for (const Strategy *strategy : strategies())
      if (strategy->matches(group) && failed(contest.enter(*strategy, request)))
        return failure();
  FailureOr<StageChoice> byThreads = planThreads(group, *this);
  // What nothing else computes is reported by what could not.
  if (failed(byThreads))
    return failure();
  StringRef name = byThreads->result.plan.getStrategy();
  contest.enter(name, std::move(*byThreads));
  return success();
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
