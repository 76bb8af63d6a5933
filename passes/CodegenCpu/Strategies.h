//===- Strategies.h - the strategies of all families ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares what each folder adds to the table in Strategies.cpp.
//===----------------------------------------------------------------------===//
#ifndef TENON_PASSES_CODEGENCPU_STRATEGIES_H
#define TENON_PASSES_CODEGENCPU_STRATEGIES_H

#include "passes/Codegen/Strategy.h"

namespace tenon::codegen {

extern const Strategy gemmStrategy, gemvStrategy, bf16x6Strategy,
    winogradStrategy;
extern const Strategy stencilStrategy, depthwiseStrategy, poolStrategy,
    lrnStrategy;
extern const Strategy recurrenceStrategy, loopsStrategy;
extern const Strategy copyStrategy, resizeStrategy, convTransposeStrategy,
    argStrategy, topKStrategy, prefixStrategy, scatterStrategy, detStrategy;
extern const Strategy pointsStrategy;

/// All of them, and those of stages and of loops of the host.
llvm::ArrayRef<const Strategy *> cpuStrategies();

} // namespace tenon::codegen

#endif // TENON_PASSES_CODEGENCPU_STRATEGIES_H
