//===- Typical.cpp - the sizes that plans are made for --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Compiler/Typical.h"

#include "dialects/Graph/Constraints.h"
#include "dialects/Graph/Shapes.h"
#include "dialects/Graph/TypicalAttr.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

#include <numeric>

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
  for (const auto &[other, unused] : typical.sizes)
    if (other == name) {
      error = ("'" + name + "' has sizes already; several are one list, '" +
               name + "=16,384'")
                  .str();
      return false;
    }
  constexpr size_t most = 16;
  if (sizes.size() > most) {
    error = ("at most " + Twine(most) + " sizes, got " + Twine(sizes.size()) +
             " of '" + name + "'")
                .str();
    return false;
  }
  typical.sizes.emplace_back(name.str(), std::move(sizes));
  return true;
}

static bool anyInput(ModuleOp module,
                     llvm::function_ref<bool(RankedTensorType)> isSuch) {
  return llvm::any_of(module.getOps<func::FuncOp>(), [&](func::FuncOp main) {
    return llvm::any_of(main.getArgumentTypes(), [&](Type type) {
      auto tensor = dyn_cast<RankedTensorType>(type);
      return tensor && isSuch(tensor);
    });
  });
}

static bool hasDim(ModuleOp module, StringRef name) {
  auto symbol = StringAttr::get(module.getContext(), name);
  return anyInput(module, [&](RankedTensorType tensor) {
    return llvm::is_contained(graph::dimsOf(tensor), symbol);
  });
}

static bool hasOpenSizes(ModuleOp module) {
  return anyInput(
      module, [](RankedTensorType tensor) { return !tensor.hasStaticShape(); });
}

/// How many sizes symbols have that have several; failure with a diagnostic
/// where these are different numbers.
static FailureOr<size_t> countOf(ModuleOp module, const GivenTypical &typical) {
  size_t count = 1;
  StringRef first;
  for (const auto &[name, sizes] : typical.sizes) {
    if (sizes.size() == 1)
      continue;
    if (count > 1 && sizes.size() != count)
      return module.emitError("--typical: '")
             << first << "' has " << count << " sizes and '" << name << "' "
             << sizes.size();
    count = sizes.size();
    first = name;
  }
  return count;
}

/// The sizes that a symbol has in each of `count` runs.
static int64_t sizeAt(const std::vector<int64_t> &sizes, size_t number) {
  return sizes[sizes.size() == 1 ? 0 : number];
}

/// The numbers of the runs, the largest first. Failure with a diagnostic where
/// two of them are the same run.
static FailureOr<std::vector<size_t>>
orderOf(ModuleOp module, const GivenTypical &typical, size_t count) {
  std::vector<std::vector<int64_t>> runs(count);
  std::vector<double> products(count, 1);
  for (size_t i = 0; i < count; ++i)
    for (const auto &[name, sizes] : typical.sizes) {
      runs[i].push_back(sizeAt(sizes, i));
      products[i] *= double(runs[i].back());
    }
  std::vector<size_t> order(count);
  std::iota(order.begin(), order.end(), 0);
  llvm::stable_sort(
      order, [&](size_t a, size_t b) { return products[a] > products[b]; });
  for (size_t i = 0; i < count; ++i)
    if (llvm::is_contained(ArrayRef(runs).drop_front(i + 1), runs[i])) {
      module.emitError("--typical: the same sizes are given twice");
      return failure();
    }
  return order;
}

/// Notes the runs behind the largest one.
static void stateFurther(ModuleOp module, const GivenTypical &typical,
                         ArrayRef<size_t> order) {
  Builder b(module.getContext());
  SmallVector<Attribute> further;
  for (size_t number : order.drop_front()) {
    NamedAttrList run;
    for (const auto &[name, sizes] : typical.sizes)
      run.set(name, b.getI64IntegerAttr(sizeAt(sizes, number)));
    further.push_back(run.getDictionary(module.getContext()));
  }
  if (!further.empty())
    module->setAttr(graph::furtherAttr, b.getArrayAttr(further));
}

LogicalResult tenon::stateTypical(ModuleOp module,
                                  const GivenTypical &typical) {
  /// Down to a sixteenth of what is usual.
  constexpr int64_t usualDivisions = 8;
  Builder b(module.getContext());
  if (!typical.others.empty())
    module->setAttr(graph::typicalAttr, b.getDenseI64ArrayAttr(typical.others));
  if (typical.sizes.empty()) {
    if (typical.others.empty() && typical.mayHaveFurther &&
        hasOpenSizes(module))
      module->setAttr(graph::furtherAttr, b.getI64IntegerAttr(usualDivisions));
    return success();
  }
  auto store = graph::ConstraintStore::load(module);
  auto count = countOf(module, typical);
  if (failed(store) || failed(count))
    return failure();
  auto order = orderOf(module, typical, *count);
  if (failed(order))
    return failure();
  for (const auto &[name, sizes] : typical.sizes) {
    if (!hasDim(module, name))
      return module.emitError("--typical: no input has an open dimension '")
             << name << "'";
    graph::SymbolRange range;
    range.typical = sizeAt(sizes, order->front());
    // No number is excluded: that cannot fail.
    (void)store->constrain(name, range);
  }
  store->save(module);
  if (typical.mayHaveFurther)
    stateFurther(module, typical, *order);
  return success();
}
