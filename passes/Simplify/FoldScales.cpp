//===- FoldScales.cpp - multiply constant weights by scales ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file implements tenon-fold-scales on top of ScalePatterns.cpp.
//===----------------------------------------------------------------------===//
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "passes/Simplify/Passes.h"

namespace tenon {
#define GEN_PASS_DEF_FOLDSCALESPASS
#include "passes/Simplify/Passes.h.inc"
} // namespace tenon

using namespace mlir;
using namespace tenon;

namespace {
class FoldScalesPass : public tenon::impl::FoldScalesPassBase<FoldScalesPass> {
public:
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    simplify::populateScalePatterns(patterns);
    // Joins the chains of scales and of biases that this leaves.
    simplify::populateArithmeticPatterns(patterns);
    simplify::populateRoundingPatterns(patterns);
    int64_t before = countScales();
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
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
