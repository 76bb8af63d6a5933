//===- SharePacks.cpp - tables read as products read them -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file lets gathers read a table from the panels that a product with the
// same table reads, so that it is stored once: embeddings tied to the last
// layer's weights.
//===----------------------------------------------------------------------===//
#include "passes/Codegen/Groups/MoveGroup.h"
#include "passes/Codegen/Passes.h"
#include "passes/Codegen/Planning.h"

#include "dialects/Graph/Graph.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tenon::codegen {
#define GEN_PASS_DEF_SHAREPACKSPASS
#include "passes/Codegen/Passes.h.inc"
} // namespace tenon::codegen

using namespace mlir;
using namespace tenon;
using namespace tenon::codegen;

namespace {
struct SharePacks : codegen::impl::SharePacksPassBase<SharePacks> {
  void runOnOperation() override {
    for (auto function : getOperation().getOps<func::FuncOp>()) {
      packs.clear();
      for (auto group : function.getOps<kernel::GroupOp>())
        collect(group);
      for (auto group : function.getOps<kernel::GroupOp>())
        share(group);
    }
  }

private:
  static ElementsAttr constantAt(kernel::GroupOp group, unsigned index) {
    auto constant =
        group.getOperands_()[index].getDefiningOp<graph::ConstantOp>();
    return constant ? constant.getValue() : ElementsAttr();
  }

  /// The first pack of a constant that rows can be read from.
  void collect(kernel::GroupOp group) {
    for (unsigned i = 0; i < group.getOperands_().size(); ++i) {
      DictionaryAttr pack = group.getPack(i);
      ElementsAttr value = constantAt(group, i);
      if (pack && value && panelsOf(pack))
        packs.try_emplace(value, pack);
    }
  }

  void share(kernel::GroupOp group) {
    std::optional<unsigned> table = tableOf(group);
    DictionaryAttr pack;
    if (table)
      pack = packs.lookup(constantAt(group, *table));
    if (!pack)
      return;
    ArrayAttr all = group.getPacksAttr();
    if (!all)
      return;
    SmallVector<Attribute> wanted(all.begin(), all.end());
    wanted[*table] = pack;
    group.setPacksAttr(ArrayAttr::get(&getContext(), wanted));
    ++numShared;
  }

  llvm::DenseMap<Attribute, DictionaryAttr> packs;
};
} // namespace
