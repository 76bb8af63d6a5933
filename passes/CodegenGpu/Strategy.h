//===- Strategy.h - what strategies for GPUs share --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares how strategies for GPUs, which are those of
// passes/Codegen/Strategy.h, get at what only a GPU has.
//===----------------------------------------------------------------------===//
#ifndef TENON_PASSES_CODEGENGPU_STRATEGY_H
#define TENON_PASSES_CODEGENGPU_STRATEGY_H

#include "lib/Tile/Gpu.h"
#include "passes/Codegen/Device.h"
#include "passes/CodegenGpu/Builder/BlockFunction.h"

namespace tenon::gpu {

using codegen::alignmentOf;
using codegen::noChoice;
using codegen::oneChoice;
using codegen::PlannedChoices;
using codegen::PlanRequest;
using codegen::Size;
using codegen::Sizes;
using codegen::StageChoice;
using codegen::StageInfo;
using codegen::StageRequest;
using codegen::Strategy;

/// The GPU that a request is for, and what products compute with there.
const tile::GpuTarget &targetOf(const codegen::Device &device);
tile::Precision precisionOf(const codegen::Device &device);

/// The function of a block, which the strategies of this folder get.
inline BlockFunction &blockOf(const StageRequest &request) {
  return static_cast<BlockFunction &>(request.function);
}
inline mlir::ModuleOp moduleOf(const StageRequest &request) {
  return request.function.op->getParentOfType<mlir::ModuleOp>();
}

} // namespace tenon::gpu

#endif // TENON_PASSES_CODEGENGPU_STRATEGY_H
