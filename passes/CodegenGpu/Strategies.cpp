//===- Strategies.cpp - the table of strategies for GPUs ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/CodegenGpu/Strategies.h"

using namespace tenon;

llvm::ArrayRef<const gpu::Strategy *> gpu::strategies() {
  static const Strategy *const all[] = {
      &wgmmaStrategy,     &mmaStrategy,       &gemvStrategy,   &windowsStrategy,
      &lrnStrategy,       &rowsStrategy,      &pointsStrategy, &movesStrategy,
      &recurrentStrategy, &attentionStrategy, &stagesStrategy};
  return all;
}
