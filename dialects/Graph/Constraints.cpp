//===- Constraints.cpp - what is known about symbols ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file implements classes of equal symbols with their ranges, and their
// attribute.
//===----------------------------------------------------------------------===//
#include "dialects/Graph/Constraints.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/Diagnostics.h"
#include <numeric>

using namespace mlir;
using namespace tenon::graph;

static constexpr llvm::StringLiteral kAttribute = "graph.symbols";

//===-- Ranges ------------------------------------------------------------===//

bool SymbolRange::isPossible() const {
  if (multipleOf < 1 || min < 0 || max < min)
    return false;
  // The largest multiple within the range.
  return max / multipleOf * multipleOf >= min;
}

SymbolRange SymbolRange::intersect(const SymbolRange &other) const {
  SymbolRange both{std::max(min, other.min), std::min(max, other.max), 1,
                   typical ? typical : other.typical};
  int64_t step = other.multipleOf / std::gcd(multipleOf, other.multipleOf);
  if (llvm::MulOverflow(multipleOf, step, both.multipleOf))
    both.multipleOf = 0;
  return both;
}

//===-- Classes -----------------------------------------------------------===//

std::string ConstraintStore::leader(llvm::StringRef symbol) const {
  std::string name = symbol.str();
  for (auto at = parent.find(name); at != parent.end(); at = parent.find(name))
    name = at->second;
  return name;
}

SymbolRange ConstraintStore::range(llvm::StringRef symbol) const {
  auto found = ranges.find(leader(symbol));
  return found == ranges.end() ? SymbolRange() : found->second;
}

bool ConstraintStore::equal(llvm::StringRef a, llvm::StringRef b) const {
  return leader(a) == leader(b);
}

LogicalResult ConstraintStore::constrain(llvm::StringRef symbol,
                                         SymbolRange range) {
  if (range.multipleOf < 1)
    return failure();
  SymbolRange narrowed = this->range(symbol).intersect(range);
  if (!narrowed.isPossible())
    return failure();
  ranges[leader(symbol)] = narrowed;
  return success();
}

LogicalResult ConstraintStore::setEqual(llvm::StringRef a, llvm::StringRef b) {
  std::string first = leader(a), second = leader(b);
  if (first == second)
    return success();
  SymbolRange both = range(first).intersect(range(second));
  if (!both.isPossible())
    return failure();
  if (second < first)
    std::swap(first, second);
  parent[second] = first;
  ranges.erase(second);
  ranges[first] = both;
  return success();
}

//===-- Attribute ---------------------------------------------------------===//

/// Reads one entry into `range` or `equal`.
static LogicalResult readFact(NamedAttribute fact, SymbolRange &range,
                              llvm::StringRef &equal) {
  llvm::StringRef name = fact.getName();
  if (auto other = dyn_cast<StringAttr>(fact.getValue())) {
    equal = other.getValue();
    return success(name == "equal");
  }
  auto number = dyn_cast<IntegerAttr>(fact.getValue());
  if (!number || !number.getType().isInteger(64))
    return failure();
  int64_t *field = name == "min"           ? &range.min
                   : name == "max"         ? &range.max
                   : name == "multiple_of" ? &range.multipleOf
                   : name == "typical"     ? &range.typical
                                           : nullptr;
  if (!field)
    return failure();
  *field = number.getInt();
  return success();
}

FailureOr<ConstraintStore>
ConstraintStore::parse(DictionaryAttr symbols,
                       function_ref<InFlightDiagnostic()> emitError) {
  ConstraintStore store;
  for (NamedAttribute symbol : symbols) {
    llvm::StringRef name = symbol.getName(), equal;
    auto facts = dyn_cast<DictionaryAttr>(symbol.getValue());
    if (!facts)
      return emitError() << "symbol '" << name << "' needs a dictionary";
    SymbolRange range;
    for (NamedAttribute fact : facts)
      if (failed(readFact(fact, range, equal)))
        return emitError() << "symbol '" << name << "' has no fact '"
                           << fact.getName().getValue() << " = "
                           << fact.getValue() << "'";
    bool holds = succeeded(store.constrain(name, range)) &&
                 (equal.empty() || succeeded(store.setEqual(name, equal)));
    if (!holds)
      return emitError() << "symbol '" << name
                         << "' has no value that satisfies its constraints";
  }
  return store;
}

FailureOr<ConstraintStore> ConstraintStore::load(ModuleOp module) {
  auto symbols = module->getAttrOfType<DictionaryAttr>(kAttribute);
  if (!symbols)
    return ConstraintStore();
  return parse(symbols, [&] { return module.emitError(); });
}

DictionaryAttr ConstraintStore::toAttr(MLIRContext *context) const {
  Builder builder(context);
  std::map<std::string, SmallVector<NamedAttribute>> facts;
  const SymbolRange any;
  for (const auto &[name, range] : ranges) {
    if (range == any)
      continue;
    auto add = [&, &name = name](llvm::StringRef key, int64_t value) {
      facts[name].push_back(
          builder.getNamedAttr(key, builder.getI64IntegerAttr(value)));
    };
    if (range.max != any.max)
      add("max", range.max);
    add("min", range.min);
    add("multiple_of", range.multipleOf);
    if (range.typical != 0)
      add("typical", range.typical);
  }
  for (const auto &[name, ignored] : parent)
    facts[name].push_back(
        builder.getNamedAttr("equal", builder.getStringAttr(leader(name))));
  SmallVector<NamedAttribute> symbols;
  for (auto &[name, entries] : facts)
    symbols.push_back(
        builder.getNamedAttr(name, builder.getDictionaryAttr(entries)));
  return builder.getDictionaryAttr(symbols);
}

void ConstraintStore::save(ModuleOp module) const {
  DictionaryAttr symbols = toAttr(module.getContext());
  if (symbols.empty())
    module->removeAttr(kAttribute);
  else
    module->setAttr(kAttribute, symbols);
}
