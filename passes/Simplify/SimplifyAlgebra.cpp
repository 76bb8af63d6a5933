//===- SimplifyAlgebra.cpp - rewrite by identities ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file implements tenon-simplify-algebra and tenon-fold-scales: greedy
// applications of the pattern sets beside it.
//===----------------------------------------------------------------------===//
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "passes/Simplify/Passes.h"

namespace tenon {
#define GEN_PASS_DEF_SIMPLIFYALGEBRAPASS
#define GEN_PASS_DEF_FOLDSCALESPASS
#include "passes/Simplify/Passes.h.inc"
} // namespace tenon

using namespace mlir;
using namespace tenon;

static int64_t countOps(Operation *root) {
  int64_t count = 0;
  root->walk([&](Operation *op) { ++count; });
  return count;
}

/// Top-down, so that chains shrink towards their head.
static LogicalResult applyAll(Operation *root, RewritePatternSet patterns) {
  GreedyRewriteConfig config;
  config.setUseTopDownTraversal(true);
  return applyPatternsGreedily(root, std::move(patterns), config);
}

namespace {
class SimplifyAlgebraPass
    : public tenon::impl::SimplifyAlgebraPassBase<SimplifyAlgebraPass> {
public:
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    simplify::populateArithmeticPatterns(patterns);
    simplify::populateMovementPatterns(patterns);
    simplify::populateMatmulPatterns(patterns);
    int64_t before = countOps(getOperation());
    if (failed(applyAll(getOperation(), std::move(patterns))))
      return signalPassFailure();
    numRemoved += std::max<int64_t>(before - countOps(getOperation()), 0);
  }
};

class FoldScalesPass : public tenon::impl::FoldScalesPassBase<FoldScalesPass> {
public:
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    simplify::populateScalePatterns(patterns);
    // Joins the chains of scales and of biases that this leaves.
    simplify::populateArithmeticPatterns(patterns);
    int64_t before = countScales();
    if (failed(applyAll(getOperation(), std::move(patterns))))
      return signalPassFailure();
    numFolded += std::max<int64_t>(before - countScales(), 0);
  }

private:
  int64_t countScales() {
    int64_t count = 0;
    getOperation().walk([&](graph::MulOp) { ++count; });
    return count;
  }
};
} // namespace
