//===- RequireSizes.cpp - refuse symbols that are left --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/Fuse/Passes.h"

#include "dialects/Graph/Constraints.h"
#include "dialects/Graph/Shapes.h"
#include "dialects/Graph/Symbols.h"
#include "dialects/Graph/TypicalAttr.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/SetVector.h"

namespace tenon::fuse {
#define GEN_PASS_DEF_REQUIRESIZESPASS
#include "passes/Fuse/Passes.h.inc"
} // namespace tenon::fuse

using namespace mlir;
using namespace tenon;

/// Of the first dimension of all inputs that have it, which is a batch mostly,
/// a few are typical.
static void nameTypicalSizes(func::FuncOp function,
                             graph::ConstraintStore &store) {
  constexpr int64_t typicalBatch = 4;
  llvm::SetVector<Attribute> leading, others;
  for (Type type : function.getArgumentTypes()) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    for (auto [i, dim] :
         llvm::enumerate(tensor ? graph::dimsOf(tensor) : graph::Dims()))
      if (isa_and_nonnull<StringAttr>(dim))
        (i == 0 && tensor.getRank() > 1 ? leading : others).insert(dim);
  }
  for (Attribute dim : leading) {
    StringRef name = cast<StringAttr>(dim).getValue();
    graph::SymbolRange range;
    range.typical = typicalBatch;
    // No number is excluded: that cannot fail.
    if (!others.contains(dim) && store.range(name).typical == 0)
      (void)store.constrain(name, range);
  }
}

namespace {
struct RequireSizes : fuse::impl::RequireSizesPassBase<RequireSizes> {
  void runOnOperation() override {
    auto store = graph::ConstraintStore::load(getOperation());
    if (failed(store))
      return signalPassFailure();
    for (auto function : getOperation().getOps<func::FuncOp>()) {
      if (failed(graph::requireDims(function)))
        return signalPassFailure();
      unsigned inputs = function.getNumArguments();
      graph::dropUnsizedInputs(function);
      numDropped += inputs - function.getNumArguments();
      if (!getOperation()->hasAttr(graph::typicalAttr))
        nameTypicalSizes(function, *store);
    }
    store->save(getOperation());
  }
};
} // namespace
