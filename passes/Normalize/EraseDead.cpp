//===- EraseDead.cpp - operations that nothing needs ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file walks backwards, from what needs values and symbols to what makes
// them.
//===----------------------------------------------------------------------===//
#include "passes/Normalize/EraseDead.h"

#include "dialects/Control/Control.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "passes/Normalize/Shapes.h"

using namespace mlir;
using namespace tenon;

namespace {
/// The symbols that operations need, which stand behind the one in hand.
class NeededSymbols {
public:
  void add(Operation *op);
  bool hasAnyOf(TypeRange types) const;

private:
  llvm::DenseSet<StringAttr> names;
};
} // namespace

void NeededSymbols::add(Operation *op) {
  for (Type type : op->getOperandTypes())
    names.insert_range(normalize::symbolsIn(type));
  // A control operation gives its results the symbols that they have.
  if (!isa_and_nonnull<control::ControlDialect>(op->getDialect()))
    for (Type type : op->getResultTypes())
      names.insert_range(normalize::symbolsIn(type));
  op->getAttrDictionary().walk([&](graph::DimsAttr dims) {
    names.insert_range(normalize::symbolsIn(dims.getDims().getValue()));
  });
}

bool NeededSymbols::hasAnyOf(TypeRange types) const {
  return llvm::any_of(types, [&](Type type) {
    return llvm::any_of(normalize::symbolsIn(type), [&](StringAttr symbol) {
      return names.contains(symbol);
    });
  });
}

void normalize::eraseDead(func::FuncOp function) {
  NeededSymbols needed;
  for (Operation &op :
       llvm::make_early_inc_range(llvm::reverse(function.front()))) {
    bool isControl = isa_and_nonnull<control::ControlDialect>(op.getDialect());
    bool isDead = isControl
                      ? op.use_empty() && !needed.hasAnyOf(op.getResultTypes())
                      : isOpTriviallyDead(&op);
    if (isDead)
      op.erase();
    else
      needed.add(&op);
  }
}
