//===- DecomposeComposites.cpp - primitives only --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file implements tenon-decompose-composites on top of the operations'
// own decompositions.
//===----------------------------------------------------------------------===//
#include "passes/Simplify/Passes.h"

namespace tenon {
#define GEN_PASS_DEF_DECOMPOSECOMPOSITESPASS
#include "passes/Simplify/Passes.h.inc"
} // namespace tenon

using namespace mlir;
using namespace tenon;
using namespace tenon::graph;

namespace {
class DecomposeCompositesPass
    : public tenon::impl::DecomposeCompositesPassBase<DecomposeCompositesPass> {
public:
  void runOnOperation() override {
    SmallVector<TensorOpInterface> ops;
    // The window kernels compute local response normalisation as it is.
    getOperation().walk([&](TensorOpInterface op) {
      if (!isa<LrnOp>(op))
        ops.push_back(op);
    });
    for (TensorOpInterface op : ops) {
      OpBuilder builder(op);
      auto values = op.decompose(builder);
      if (failed(values))
        continue;
      op->replaceAllUsesWith(*values);
      op->erase();
      ++numDecomposed;
    }
  }
};
} // namespace
