//===- SizedGroup.cpp - a group as it is for typical sizes ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/CodegenCpu/SizedGroup.h"

#include "dialects/Graph/Instances.h"
#include "dialects/Graph/Shapes.h"
#include "dialects/Graph/Symbols.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::codegen;

bool codegen::hasSymbols(kernel::GroupOp group) {
  if (graph::lacksSize(group))
    return true;
  auto isSymbolic = [](NamedAttribute attribute) {
    auto dims = dyn_cast<graph::DimsAttr>(attribute.getValue());
    return dims && llvm::any_of(dims.getDims(), graph::isSymbolic);
  };
  return group
      .walk([&](Operation *op) {
        return graph::lacksSize(op) || llvm::any_of(op->getAttrs(), isSymbolic)
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

SizedGroup::SizedGroup(kernel::GroupOp group)
    : SizedGroup(group, group.getEach()) {}

SizedGroup::SizedGroup(kernel::GroupOp group, bool ofOneIndex)
    : sized(group) {
  if (!hasSymbols(group))
    return;
  typical = graph::TypicalSizes::in(group->getParentOfType<ModuleOp>());
  auto values = [&](StringAttr symbol) {
    return ofOneIndex ? graph::sizeDim(symbol.getContext(), 1)
                      : typical.ofSymbol(symbol);
  };
  OpBuilder b(group->getContext());
  b.setInsertionPointAfter(group);
  sized = cast<kernel::GroupOp>(b.clone(*group));
  isCopy = true;
  graph::substitute(sized, values);
  b.setInsertionPoint(sized);
  for (OpOperand &operand : sized->getOpOperands()) {
    Type type = graph::substitute(operand.get().getType(), values);
    if (type == operand.get().getType())
      continue;
    auto cast = UnrealizedConversionCastOp::create(b, sized.getLoc(), type,
                                                   operand.get());
    operand.set(cast.getResult(0));
    casts.push_back(cast);
  }
}

SizedGroup::~SizedGroup() {
  if (isCopy)
    sized.erase();
  for (Operation *cast : casts)
    cast->erase();
}
