//===- RequireSizes.cpp - refuse symbols that are left --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/Fuse/Passes.h"

#include "dialects/Graph/Symbols.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tenon::fuse {
#define GEN_PASS_DEF_REQUIRESIZESPASS
#include "passes/Fuse/Passes.h.inc"
} // namespace tenon::fuse

using namespace mlir;
using namespace tenon;

namespace {
struct RequireSizes : fuse::impl::RequireSizesPassBase<RequireSizes> {
  void runOnOperation() override {
    for (auto function : getOperation().getOps<func::FuncOp>()) {
      if (failed(graph::requireDims(function)))
        return signalPassFailure();
      unsigned inputs = function.getNumArguments();
      graph::dropUnsizedInputs(function);
      numDropped += inputs - function.getNumArguments();
    }
  }
};
} // namespace
