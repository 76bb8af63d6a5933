//===- Typical.cpp - the sizes that plans are made for --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Compiler/Typical.h"

#include "dialects/Graph/Constraints.h"
#include "dialects/Graph/Shapes.h"
#include "dialects/Graph/TypicalAttr.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;
using namespace tenon;

static bool parseSize(StringRef text, int64_t &size) {
  constexpr int64_t most = int64_t(1) << 31;
  return !text.getAsInteger(10, size) && size >= 1 && size <= most;
}

bool tenon::addTypical(StringRef text, GivenTypical &typical,
                       std::string &error) {
  // Names may contain a '='.
  auto [name, value] =
      text.contains('=') ? text.rsplit('=') : std::pair(StringRef(), text);
  SmallVector<StringRef> parts;
  value.split(parts, ',');
  std::vector<int64_t> sizes;
  for (StringRef part : parts)
    if (!parseSize(part, sizes.emplace_back())) {
      error = ("'" + part + "' is not a size in '" + text + "'").str();
      return false;
    }
  if (name.empty()) {
    typical.others = std::move(sizes);
    return true;
  }
  if (sizes.size() > 1) {
    error = ("one size is typical, got '" + text + "'").str();
    return false;
  }
  typical.sizes.emplace_back(name.str(), sizes.front());
  return true;
}

static bool hasDim(ModuleOp module, StringRef name) {
  auto symbol = StringAttr::get(module.getContext(), name);
  return llvm::any_of(module.getOps<func::FuncOp>(), [&](func::FuncOp main) {
    return llvm::any_of(main.getArgumentTypes(), [&](Type type) {
      auto tensor = dyn_cast<RankedTensorType>(type);
      return tensor && llvm::is_contained(graph::dimsOf(tensor), symbol);
    });
  });
}

LogicalResult tenon::stateTypical(ModuleOp module,
                                  const GivenTypical &typical) {
  Builder b(module.getContext());
  if (!typical.others.empty())
    module->setAttr(graph::typicalAttr, b.getDenseI64ArrayAttr(typical.others));
  if (typical.sizes.empty())
    return success();
  auto store = graph::ConstraintStore::load(module);
  if (failed(store))
    return failure();
  for (const auto &[name, size] : typical.sizes) {
    if (!hasDim(module, name))
      return module.emitError("--typical: no input has an open dimension '")
             << name << "'";
    graph::SymbolRange range;
    range.typical = size;
    // No number is excluded: that cannot fail.
    (void)store->constrain(name, range);
  }
  store->save(module);
  return success();
}
