//===- Strategies.cpp - the table of strategies ---------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/CodegenCpu/Strategies.h"

#include "passes/Codegen/Stages/Stages.h"
#include "passes/Codegen/Steps/Steps.h"

using namespace tenon;
using codegen::Strategy;

llvm::ArrayRef<const Strategy *> codegen::cpuStrategies() {
  static const Strategy *const all[] = {
      &gemmStrategy,       &gemvStrategy,          &bf16x6Strategy,
      &winogradStrategy,   &stencilStrategy,       &depthwiseStrategy,
      &poolStrategy,       &lrnStrategy,           &stagesStrategy,
      &recurrenceStrategy, &loopsStrategy,         &copyStrategy,
      &resizeStrategy,     &convTransposeStrategy, &argStrategy,
      &topKStrategy,       &prefixStrategy,        &scatterStrategy,
      &detStrategy,        &stepsStrategy,         &pointsStrategy};
  return all;
}
