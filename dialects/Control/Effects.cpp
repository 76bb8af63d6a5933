//===- Effects.cpp - what must not be erased ------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file keeps operations whose results have sizes that are used, though the
// results themselves are not.
//===----------------------------------------------------------------------===//
#include "dialects/Control/Control.h"
#include "dialects/Graph/Instances.h"
#include "dialects/Graph/Shapes.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::control;

using Effects = SmallVectorImpl<MemoryEffects::EffectInstance>;

static llvm::DenseSet<Attribute> symbolsIn(TypeRange types) {
  llvm::DenseSet<Attribute> symbols;
  AttrTypeWalker walker;
  walker.addWalk([&](graph::DimsAttr dims) {
    for (Attribute dim : dims.getDims().getValue())
      symbols.insert_range(graph::symbolsOf(dim));
  });
  for (Type type : types)
    walker.walk(type);
  return symbols;
}

/// Whoever gives a symbol its value writes it.
static void addEffects(Operation *op, Effects &effects) {
  llvm::DenseSet<Attribute> known = symbolsIn(op->getOperandTypes());
  if (llvm::any_of(symbolsIn(op->getResultTypes()),
                   [&](Attribute symbol) { return !known.contains(symbol); }))
    effects.emplace_back(MemoryEffects::Write::get());
}

void CallOp::getEffects(Effects &effects) { addEffects(*this, effects); }

void IfOp::getEffects(Effects &effects) { addEffects(*this, effects); }

void LoopOp::getEffects(Effects &effects) { addEffects(*this, effects); }
