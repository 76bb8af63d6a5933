//===- Stages.h - several stages in one kernel of blocks --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares what planning and emission of stages for blocks share. A
// block computes a tile of the group's results:
//
//   expand     x[box]       -> shared 0     all threads, then a barrier
//   depthwise  shared 0     -> shared 1
//   project    shared 1     -> y[tile]
//
//===----------------------------------------------------------------------===//
#ifndef TENON_PASSES_CODEGENGPU_STAGES_STAGES_H
#define TENON_PASSES_CODEGENGPU_STAGES_STAGES_H

#include "passes/Codegen/Stages/Stages.h"
#include "passes/CodegenGpu/Strategy.h"

namespace tenon::gpu {

/// Threads of a block.
inline constexpr int64_t blockOfStages = 256;

/// The processor that stands for the threads of a GPU.
const codegen::Device &threadsOf(const codegen::Device &device);

mlir::FailureOr<StageInfo> emitStages(const StageRequest &request);

} // namespace tenon::gpu

#endif // TENON_PASSES_CODEGENGPU_STAGES_STAGES_H
