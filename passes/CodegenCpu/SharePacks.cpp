//===- SharePacks.cpp - tables read as products read them -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file lets gathers read a table from the panels that a product with the
// same table reads, so that it is stored once: embeddings tied to the last
// layer's weights.
//===----------------------------------------------------------------------===//
#include "passes/CodegenCpu/Move/Ops.h"
#include "passes/CodegenCpu/Passes.h"
#include "passes/CodegenCpu/Planning.h"
#include "passes/CodegenCpu/Strategies.h"

#include "dialects/Graph/Graph.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tenon::codegen {
#define GEN_PASS_DEF_SHAREPACKSPASS
#include "passes/CodegenCpu/Passes.h.inc"
} // namespace tenon::codegen

using namespace mlir;
using namespace tenon;
using namespace tenon::codegen;

/// The panels that a pack makes of a matrix's rows, if it does no more.
static std::optional<TablePanels> panelsOf(DictionaryAttr pack) {
  auto is = [&](StringRef name, ArrayRef<int64_t> dims) {
    auto list = pack.getAs<DenseI64ArrayAttr>(name);
    return list && list.asArrayRef() == dims;
  };
  bool isPlain = llvm::none_of(pack, [](NamedAttribute entry) {
    return !llvm::is_contained(
        {"batch_dims", "fold", "k_dims", "n_dims", "panel"},
        entry.getName().getValue());
  });
  if (!isPlain || !is("batch_dims", {}) || !is("k_dims", {1}) ||
      !is("n_dims", {0}))
    return std::nullopt;
  auto steps = pack.getAs<IntegerAttr>("fold");
  int64_t fold = steps ? steps.getInt() : 1;
  int64_t panel = pack.getAs<IntegerAttr>("panel").getInt();
  if (panel % fold)
    return std::nullopt;
  return TablePanels{panel / fold, fold};
}

/// The group's operand that its gather takes rows of, if it takes rows.
static std::optional<unsigned> tableOf(kernel::GroupOp group) {
  auto gather = dyn_cast<graph::GatherOp>(group.getBlock().front());
  if (standsAlone(group) != &copyStrategy || !gather || gather.getAxis() != 0)
    return std::nullopt;
  auto table = dyn_cast<BlockArgument>(gather.getInput());
  if (!table || !table.hasOneUse())
    return std::nullopt;
  return table.getArgNumber();
}

std::optional<TablePanels> codegen::panelsOfTable(kernel::GroupOp group) {
  std::optional<unsigned> table = tableOf(group);
  DictionaryAttr pack = table ? group.getPack(*table) : DictionaryAttr();
  return pack ? panelsOf(pack) : std::nullopt;
}

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
