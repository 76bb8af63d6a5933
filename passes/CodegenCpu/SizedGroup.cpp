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
    : sized(group), isOneIndex(ofOneIndex) {
  if (!hasSymbols(group))
    return;
  typical = graph::TypicalSizes::in(group->getParentOfType<ModuleOp>());
  auto map = [&](Attribute dim) { return sizeOf(dim); };
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

/// The leading dimension is the only one that is no number (EachIndex.h).
Attribute SizedGroup::sizeOf(Attribute dim) const {
  int64_t size = !graph::isSymbolic(dim) ? graph::sizeOf(dim)
                 : isOneIndex            ? 1
                                         : typical.of(dim);
  return graph::sizeDim(dim.getContext(), size);
}

int64_t SizedGroup::sizeOf(const graph::Size &size) const {
  return size.isFixed() ? size.fixed() : graph::sizeOf(sizeOf(size.symbolic()));
}

SizedGroup::~SizedGroup() {
  if (isCopy)
    sized.erase();
  for (Operation *cast : casts)
    cast->erase();
}
