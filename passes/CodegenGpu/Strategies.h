//===- Strategies.h - the strategies of all families ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares what each folder adds to the table in Strategies.cpp.
//===----------------------------------------------------------------------===//
#ifndef TENON_PASSES_CODEGENGPU_STRATEGIES_H
#define TENON_PASSES_CODEGENGPU_STRATEGIES_H

#include "passes/CodegenGpu/Strategy.h"

namespace tenon::gpu {

extern const Strategy mmaStrategy, wgmmaStrategy, gemvStrategy, windowsStrategy,
    lrnStrategy, rowsStrategy, pointsStrategy, movesStrategy, recurrentStrategy,
    attentionStrategy, stagesStrategy;

/// All of them but what strategies of processors compute by a thread for some
/// tiles. Of equal times, the first one is taken.
llvm::ArrayRef<const Strategy *> strategies();

} // namespace tenon::gpu

#endif // TENON_PASSES_CODEGENGPU_STRATEGIES_H
