//===- SimplifyAlgebra.cpp - rewrite by identities ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file implements tenon-simplify-algebra: the pattern sets beside it,
// applied greedily and top-down, so that chains shrink towards their head.
//===----------------------------------------------------------------------===//
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "passes/Simplify/Passes.h"

namespace tenon {
#define GEN_PASS_DEF_SIMPLIFYALGEBRAPASS
#include "passes/Simplify/Passes.h.inc"
} // namespace tenon

using namespace mlir;
using namespace tenon;

static int64_t countOps(Operation *root) {
  int64_t count = 0;
  root->walk([&](Operation *op) { ++count; });
  return count;
}

namespace {
class SimplifyAlgebraPass
    : public tenon::impl::SimplifyAlgebraPassBase<SimplifyAlgebraPass> {
public:
  using Base::Base;

  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    simplify::populateArithmeticPatterns(patterns);
    if (!strict)
      simplify::populateRoundingPatterns(patterns);
    simplify::populateMovementPatterns(patterns);
    simplify::populateSamplePatterns(patterns);
    simplify::populateGatherPatterns(patterns);
    simplify::populateMatmulPatterns(patterns);
    simplify::populateSinkPatterns(patterns);
    simplify::populatePlanePatterns(patterns);
    simplify::populateSymbolPatterns(patterns);
    int64_t before = countOps(getOperation());
    GreedyRewriteConfig config;
    config.setUseTopDownTraversal(true);
    if (failed(
            applyPatternsGreedily(getOperation(), std::move(patterns), config)))
      return signalPassFailure();
    numRemoved += std::max<int64_t>(before - countOps(getOperation()), 0);
  }
};
} // namespace
