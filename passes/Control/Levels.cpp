//===- Levels.cpp - which segment an operation belongs to -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/Control/Levels.h"

#include "dialects/Control/Control.h"
#include "dialects/Graph/DerivedDims.h"
#include "dialects/Graph/Instances.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::ctrl;

bool ctrl::isControl(Operation *op) {
  return isa<control::ControlDialect>(op->getDialect());
}

bool ctrl::isCopied(Operation *op) {
  return isa<graph::ConstantOp, graph::SizesOp>(op);
}

static void collect(Attribute dim, llvm::SetVector<StringAttr> &symbols) {
  for (StringAttr symbol : graph::symbolsOf(dim)) {
    auto derived = graph::derivationOf(symbol);
    if (!derived) {
      symbols.insert(symbol);
      continue;
    }
    for (Attribute operand : derived->operands)
      collect(operand, symbols);
  }
}

llvm::SetVector<StringAttr> ctrl::symbolsOf(Attribute dim) {
  llvm::SetVector<StringAttr> symbols;
  collect(dim, symbols);
  return symbols;
}

llvm::SetVector<StringAttr> ctrl::symbolsOf(Operation *op) {
  llvm::SetVector<StringAttr> symbols;
  auto visit = [&](graph::DimsAttr dims) {
    for (Attribute dim : dims.getDims())
      collect(dim, symbols);
  };
  op->getAttrDictionary().walk(visit);
  for (Type type : op->getOperandTypes())
    type.walk(visit);
  for (Type type : op->getResultTypes())
    type.walk(visit);
  return symbols;
}

/// Makes the names that stand alone in the extents of a value known from a
/// level on.
void Levels::define(Value value, unsigned level) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (!type)
    return;
  for (Attribute dim : graph::dimsOf(type))
    if (isa_and_nonnull<StringAttr>(dim) &&
        carriers.try_emplace(dim, value).second)
      symbolLevels[dim] = level;
}

/// Where an operand is known: behind control, the next segment begins.
unsigned Levels::levelAt(Value operand, bool byControl) const {
  Operation *producer = operand.getDefiningOp();
  if (!producer || isa<graph::ConstantOp>(producer))
    return 0;
  if (isa<graph::SizesOp>(producer) && !byControl)
    return earliest(producer);
  return levels.lookup(producer) + (isControl(producer) && !byControl ? 1 : 0);
}

unsigned Levels::earliest(Operation *op) const {
  unsigned level = 0;
  for (Value operand : op->getOperands())
    level = std::max(level, levelAt(operand, isControl(op)));
  if (isControl(op))
    return level;
  for (StringAttr symbol : symbolsOf(op))
    level = std::max(level, symbolLevels.lookup(symbol));
  return level;
}

Levels::Levels(func::FuncOp function) {
  for (BlockArgument argument : function.getArguments())
    define(argument, 0);
  for (Operation &op : function.front().without_terminator()) {
    unsigned level = levels[&op] = earliest(&op);
    numLevels = std::max(numLevels, level + 1);
    if (isControl(&op))
      for (Value result : op.getResults())
        define(result, level + 1);
  }
}
