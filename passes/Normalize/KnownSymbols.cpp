//===- KnownSymbols.cpp - symbols that can be one number only -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/Normalize/KnownSymbols.h"

#include "dialects/Graph/DerivedDims.h"
#include "dialects/Graph/Instances.h"
#include "dialects/Graph/Requirements.h"
#include "dialects/Graph/Shapes.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::normalize;

namespace {
class KnownSymbols {
public:
  KnownSymbols(func::FuncOp program, graph::ConstraintStore &store);

  /// Notes what the operations ask for; an error where that contradicts.
  LogicalResult readDemands();
  bool hasAny() const;
  /// Replaces them.
  void replace();

private:
  LogicalResult readDemands(Operation *op);
  LogicalResult fix(Attribute dim, Attribute to);
  Attribute valueOf(StringAttr symbol) const;

  func::FuncOp program;
  graph::ConstraintStore &store;
  /// Others, sizes that data have, are nothing that a caller can choose.
  llvm::SetVector<StringAttr> inputs;
};
} // namespace

KnownSymbols::KnownSymbols(func::FuncOp program, graph::ConstraintStore &store)
    : program(program), store(store) {
  for (Type type : program.getArgumentTypes())
    if (auto tensor = dyn_cast<RankedTensorType>(type))
      for (Attribute dim : graph::dimsOf(tensor))
        inputs.insert_range(graph::symbolsOf(dim));
}

/// Where `to` is a number, so is the one symbol of which `dim` is a multiple.
/// Fails where it cannot be.
LogicalResult KnownSymbols::fix(Attribute dim, Attribute to) {
  int64_t size = graph::sizeOf(to);
  if (!graph::isSymbolic(dim) || ShapedType::isDynamic(size))
    return success();
  graph::DimContent content = graph::contentOf(dim);
  auto symbol = dyn_cast_or_null<StringAttr>(content.rest);
  if (!symbol || !inputs.contains(symbol))
    return success();
  graph::SymbolRange range;
  range.min = range.max = size / content.factor;
  return success(size % content.factor == 0 &&
                 succeeded(store.constrain(symbol.getValue(), range)));
}

LogicalResult KnownSymbols::readDemands(Operation *op) {
  for (const graph::DimRequirement &demand : graph::requirementsOf(op)) {
    if (demand.relation != graph::DimRelation::Equal ||
        (succeeded(fix(demand.a, demand.b)) &&
         succeeded(fix(demand.b, demand.a))))
      continue;
    return op->emitError("needs ")
           << graph::dimText(demand.a) << " to be " << graph::dimText(demand.b)
           << ", which something else excludes";
  }
  return success();
}

LogicalResult KnownSymbols::readDemands() {
  for (Operation &op : program.front())
    if (failed(readDemands(&op)))
      return failure();
  return success();
}

/// Itself where more than one number fits.
Attribute KnownSymbols::valueOf(StringAttr symbol) const {
  auto value = [&](StringAttr other) { return valueOf(other); };
  if (auto derived = graph::derivationOf(symbol))
    return graph::deriveAgain(*derived,
                              graph::substitute(derived->operands[0], value),
                              graph::substitute(derived->operands[1], value));
  graph::SymbolRange range = store.range(symbol.getValue());
  if (range.min != range.max || !inputs.contains(symbol))
    return symbol;
  return graph::sizeDim(symbol.getContext(), range.min);
}

bool KnownSymbols::hasAny() const {
  return llvm::any_of(inputs, [&](StringAttr symbol) {
    return isa<IntegerAttr>(valueOf(symbol));
  });
}

void KnownSymbols::replace() {
  graph::substitute(program,
                    [&](StringAttr symbol) { return valueOf(symbol); });
}

/// A number may fix others: where 2 * m must be n, and n is 8, m is 4.
LogicalResult normalize::settleKnownSymbols(func::FuncOp program,
                                            graph::ConstraintStore &store) {
  for (;;) {
    KnownSymbols symbols(program, store);
    if (failed(symbols.readDemands()))
      return failure();
    if (!symbols.hasAny())
      return success();
    symbols.replace();
  }
}
