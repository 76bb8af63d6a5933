//===- MoveGroup.cpp - operations that stand alone ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/Codegen/Groups/MoveGroup.h"

#include "dialects/Graph/Graph.h"
#include "dialects/Kernel/LoopDomain.h"
#include "passes/Codegen/Groups/ContractionGroup.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::codegen;

std::optional<MoveKind> codegen::moveKind(Operation *op) {
  using namespace tenon::graph;
  return llvm::TypeSwitch<Operation *, std::optional<MoveKind>>(op)
      .Case<ConcatOp, ReshapeOp, PadOp, GatherOp, GatherElementsOp, IotaOp,
            SizesOp>([](Operation *) { return MoveKind::Copy; })
      .Case([](ResizeOp) { return MoveKind::Resize; })
      .Case([](ConvTransposeOp) { return MoveKind::ConvTranspose; })
      .Case<ArgMaxOp, ArgMinOp>([](Operation *) { return MoveKind::Arg; })
      .Case([](TopKOp) { return MoveKind::TopK; })
      .Case([](PrefixOp) { return MoveKind::Prefix; })
      .Case([](ScatterOp) { return MoveKind::Scatter; })
      .Case([](DetOp) { return MoveKind::Det; })
      .Default([](Operation *) { return std::nullopt; });
}

std::optional<MoveKind> codegen::moveKind(kernel::GroupOp group) {
  Operation *op = &group.getBlock().front();
  bool isAlone = op->getNextNode() == group.getBlock().getTerminator();
  if (!isAlone || isProduct(group) || kernel::canExpressLoops({op}))
    return std::nullopt;
  return moveKind(op);
}

bool codegen::isNest(kernel::GroupOp group) {
  return !group.isStaged() && !group.getAnchor() && !moveKind(group);
}

//===-- Tables ------------------------------------------------------------===//

std::optional<TablePanels> codegen::panelsOf(DictionaryAttr pack) {
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

std::optional<unsigned> codegen::tableOf(kernel::GroupOp group) {
  auto gather = dyn_cast<graph::GatherOp>(group.getBlock().front());
  if (moveKind(group) != MoveKind::Copy || !gather || gather.getAxis() != 0)
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
