//===- Strategies.cpp - the table of strategies for GPUs ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/CodegenGpu/Strategies.h"
#include "passes/CodegenGpu/Passes.h"

using namespace tenon;

llvm::ArrayRef<const gpu::Strategy *> gpu::strategies() {
  static const Strategy *const all[] = {
      &wgmmaStrategy,   &mmaStrategy,       &gemvStrategy,
      &windowsStrategy, &rowsStrategy,      &pointsStrategy,
      &movesStrategy,   &recurrentStrategy, &attentionStrategy};
  return all;
}

const gpu::Strategy *gpu::findStrategy(llvm::StringRef name) {
  for (const Strategy *strategy : strategies())
    if (strategy->name == name)
      return strategy;
  return nullptr;
}

gpu::PlannedChoice gpu::firstOf(PlannedChoices choices) {
  if (failed(choices))
    return mlir::failure();
  return choices->empty() ? std::optional<StageChoice>()
                          : std::move(choices->front());
}

int64_t gpu::alignmentOf(kernel::GroupOp group, unsigned index) {
  constexpr int64_t most = 16;
  int64_t offset = group.getByteOffset(index);
  return offset == 0 ? most : std::min(most, offset & -offset);
}

static codegen::CanAddress canAddress(llvm::StringRef name) {
  const gpu::Strategy *strategy = gpu::findStrategy(name);
  return strategy ? strategy->canAddress : nullptr;
}

void gpu::registerPasses() {
  registerCodegenGpuPasses();
  codegen::setOtherDevices(canAddress);
}
