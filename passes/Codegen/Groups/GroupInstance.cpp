//===- GroupInstance.cpp - a group with numbers for symbols ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/Codegen/Groups/GroupInstance.h"

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

GroupInstance::GroupInstance(kernel::GroupOp group, graph::DimMap map)
    : sized(group) {
  if (!hasSymbols(group))
    return;
  OpBuilder b(group->getContext());
  b.setInsertionPointAfter(group);
  sized = cast<kernel::GroupOp>(b.clone(*group));
  isCopy = true;
  graph::mapDims(sized, map);
  b.setInsertionPoint(sized);
  for (OpOperand &operand : sized->getOpOperands()) {
    Type type = graph::mapDims(operand.get().getType(), map);
    if (type == operand.get().getType())
      continue;
    auto cast = UnrealizedConversionCastOp::create(b, sized.getLoc(), type,
                                                   operand.get());
    operand.set(cast.getResult(0));
    casts.push_back(cast);
  }
}

GroupInstance::~GroupInstance() {
  if (isCopy)
    sized.erase();
  for (Operation *cast : casts)
    cast->erase();
}
