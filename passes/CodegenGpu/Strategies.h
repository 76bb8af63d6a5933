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
    rowsStrategy, pointsStrategy, movesStrategy, recurrentStrategy,
    attentionStrategy;

/// The strategy of that name, or null.
const Strategy *findStrategy(llvm::StringRef name);

} // namespace tenon::gpu

#endif // TENON_PASSES_CODEGENGPU_STRATEGIES_H
