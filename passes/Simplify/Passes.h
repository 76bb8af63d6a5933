//===- Passes.h - less to compute, better arranged --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares the passes of the phase `simplify` and the pattern sets
// they are made of.
//===----------------------------------------------------------------------===//
#ifndef TENON_PASSES_SIMPLIFY_PASSES_H
#define TENON_PASSES_SIMPLIFY_PASSES_H

#include "dialects/Graph/Graph.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Pass/Pass.h"

namespace tenon {

#define GEN_PASS_DECL
#include "passes/Simplify/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "passes/Simplify/Passes.h.inc"

namespace simplify {

/// Neutral elements, squares, clamps, chains of constants, as far as no result
/// changes but for the order of a sum.
void populateArithmeticPatterns(mlir::RewritePatternSet &patterns);

/// The same where another rounding, another zero or overflow may come out:
/// reciprocals instead of divisions, powers, chains of factors.
void populateRoundingPatterns(mlir::RewritePatternSet &patterns);

/// Transposes, reshapes, broadcasts, slices and concatenations.
void populateMovementPatterns(mlir::RewritePatternSet &patterns);

/// Slices instead of windows of one element, and in front of pads.
void populateSamplePatterns(mlir::RewritePatternSet &patterns);

/// Gathers and slices of what is computed of constants, before it is computed.
void populateGatherPatterns(mlir::RewritePatternSet &patterns);

/// Matrix products: transposed operands, leading dimensions into the rows.
void populateMatmulPatterns(mlir::RewritePatternSet &patterns);

/// Reshapes and transposes below element-wise operations and reductions.
void populateSinkPatterns(mlir::RewritePatternSet &patterns);

/// Images of few channels as images of one.
void populatePlanePatterns(mlir::RewritePatternSet &patterns);

/// What sizes would have folded, where symbols prove it.
void populateSymbolPatterns(mlir::RewritePatternSet &patterns);

/// Scales behind or in front of products with constant weights.
void populateScalePatterns(mlir::RewritePatternSet &patterns);

} // namespace simplify
} // namespace tenon

#endif // TENON_PASSES_SIMPLIFY_PASSES_H
