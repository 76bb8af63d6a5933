//===- Strategies.cpp - the table of strategies for GPUs ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/CodegenGpu/Strategies.h"
#include "passes/CodegenCpu/Layout/Views.h"
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

/// Of a group that is planned by a strategy of this table.
static bool canAddress(kernel::GroupOp group, unsigned index,
                       const codegen::PlacedBuffer &buffer) {
  const gpu::Strategy *strategy =
      gpu::findStrategy(group.getPlanAttr().getStrategy());
  int64_t aligned = strategy->alignment ? strategy->alignment(group, index) : 1;
  bool isAligned = aligned == 1 || (buffer.byteOffset.isFixed() &&
                                    buffer.byteOffset.fixed() % aligned == 0);
  return isAligned && strategy->canAddress(group, index, buffer.type);
}

static codegen::CanAddress findCanAddress(llvm::StringRef name) {
  return gpu::findStrategy(name) ? canAddress : nullptr;
}

void gpu::registerPasses() {
  registerCodegenGpuPasses();
  codegen::setOtherDevices(findCanAddress);
}
