//===- Passes.h - gradients -------------------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares the passes of the phase `differentiate`, which is empty
// unless a model is compiled for training.
//===----------------------------------------------------------------------===//
#ifndef TENON_PASSES_DIFFERENTIATE_PASSES_H
#define TENON_PASSES_DIFFERENTIATE_PASSES_H

#include "dialects/Graph/Graph.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace tenon::differentiate {

#define GEN_PASS_DECL
#include "passes/Differentiate/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "passes/Differentiate/Passes.h.inc"

/// On arguments that are trained: their first values.
inline constexpr llvm::StringLiteral kInitial = "tenon.initial";

/// On those of them that the program changes by itself: running statistics.
inline constexpr llvm::StringLiteral kFollows = "tenon.follows";

/// On the argument that counts steps, where the model has use for it.
inline constexpr llvm::StringLiteral kCountsSteps = "tenon.counts_steps";
/// Its name.
inline constexpr llvm::StringLiteral kCounter = "step";

/// The program that evaluates what is trained.
inline constexpr llvm::StringLiteral kEvaluation = "eval";

} // namespace tenon::differentiate

#endif // TENON_PASSES_DIFFERENTIATE_PASSES_H
