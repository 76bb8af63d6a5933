//===- KernelDialect.cpp - the kernel dialect -----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dialects/Kernel/Kernel.h"

#include "dialects/Graph/Graph.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tenon::kernel;

#include "dialects/Kernel/KernelDialect.cpp.inc"
#define GET_ATTRDEF_CLASSES
#include "dialects/Kernel/KernelAttrs.cpp.inc"
#define GET_OP_CLASSES
#include "dialects/Kernel/KernelOps.cpp.inc"

void KernelDialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "dialects/Kernel/KernelAttrs.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "dialects/Kernel/KernelOps.cpp.inc"
      >();
}

int64_t PlanAttr::getInt(StringRef name, int64_t otherwise) const {
  auto attr = getParams().getAs<IntegerAttr>(name);
  return attr ? attr.getInt() : otherwise;
}

LogicalResult GroupOp::verify() {
  Block &block = getBlock();
  if (block.getArgumentTypes() != getOperands_().getTypes())
    return emitOpError("block arguments differ from the operands");
  auto yield = dyn_cast<YieldOp>(block.getTerminator());
  if (!yield || yield.getValues().getTypes() != getResults_().getTypes())
    return emitOpError("yielded values differ from the results");
  if (auto buffers = getBuffers())
    if (buffers->size() != getNumOperands() + getNumResults())
      return emitOpError("needs one buffer type per operand and result");
  return success();
}

Operation *GroupOp::getAnchor() {
  if (getKind() == "loops")
    return nullptr;
  for (Operation &op : getBlock().without_terminator())
    if (!op.hasTrait<graph::Elementwise>() && !isa<graph::ConstantOp>(op))
      return &op;
  return nullptr;
}
