//===- SymbolsAside.cpp - decisions on an example -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file replaces symbols by primes and puts them back.
//===----------------------------------------------------------------------===//
#include "passes/Fuse/SymbolsAside.h"

#include "dialects/Graph/Instances.h"
#include "dialects/Graph/Shapes.h"
#include "dialects/Graph/Symbols.h"
#include "dialects/Kernel/Kernel.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::fuse;

/// The number of an operation among those that are saved.
static constexpr llvm::StringLiteral kNumber = "fuse.number";

SymbolsAside::SymbolsAside(func::FuncOp function)
    : function(function), type(function.getFunctionType()) {
  function.walk([&](Operation *op) {
    isSymbolic |= op != function && graph::lacksSize(op);
    for (Type result : op->getResultTypes())
      if (auto tensor = dyn_cast<RankedTensorType>(result))
        taken.insert_range(tensor.getShape());
  });
  if (!isSymbolic)
    return;
  for (Operation &op : function.getBody().front())
    save(&op);
  auto prime = [&](StringAttr symbol) { return primeOf(symbol); };
  graph::substitute(function.getOperation(), prime);
}

void SymbolsAside::save(Operation *op) {
  Saved had{op->getAttrDictionary(), llvm::to_vector(op->getResultTypes())};
  op->setAttr(kNumber, Builder(op->getContext()).getIndexAttr(saved.size()));
  saved.push_back(std::move(had));
}

static bool isPrime(int64_t number) {
  for (int64_t divisor = 2; divisor * divisor <= number; ++divisor)
    if (number % divisor == 0)
      return false;
  return true;
}

Attribute SymbolsAside::primeOf(StringAttr symbol) {
  Attribute &prime = primes[symbol];
  if (prime)
    return prime;
  do
    ++last;
  while (taken.contains(last) || !isPrime(last));
  return prime = graph::sizeDim(symbol.getContext(), last);
}

/// A group and its block follow from what was moved into it.
void SymbolsAside::restore(Operation *op) {
  for (Region &region : op->getRegions())
    for (Block &block : region) {
      for (BlockArgument argument : block.getArguments())
        argument.setType(op->getOperand(argument.getArgNumber()).getType());
      for (Operation &inner : block)
        restore(&inner);
    }
  if (auto group = dyn_cast<kernel::GroupOp>(op)) {
    Operation *yield = group.getBlock().getTerminator();
    for (auto [result, yielded] :
         llvm::zip(op->getResults(), yield->getOperands()))
      result.setType(yielded.getType());
  }
  auto number = op->getAttrOfType<IntegerAttr>(kNumber);
  if (!number)
    return;
  const Saved &had = saved[number.getInt()];
  op->removeAttr(kNumber);
  op->setAttrs(had.attributes);
  for (auto [result, type] : llvm::zip(op->getResults(), had.types))
    result.setType(type);
}

SymbolsAside::~SymbolsAside() {
  if (!isSymbolic)
    return;
  function.setType(type);
  Block &block = function.getBody().front();
  for (auto [argument, saved] :
       llvm::zip(block.getArguments(), type.getInputs()))
    argument.setType(saved);
  for (Operation &op : block)
    restore(&op);
}
