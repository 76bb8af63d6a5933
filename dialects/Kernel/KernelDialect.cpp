//===- KernelDialect.cpp - the kernel dialect -----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dialects/Kernel/Kernel.h"

#include "dialects/Graph/Graph.h"
#include "dialects/Graph/Roles.h"
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
  return verifyAttributes();
}

static LogicalResult verifyInPlace(LaunchOp launch, int64_t read,
                                   int64_t write) {
  if (read < 0 || read >= int64_t(launch.getReads().size()) || write < 0 ||
      write >= int64_t(launch.getWrites().size()))
    return launch.emitOpError("has no read ")
           << read << " and write " << write << " that could be in place";
  Type from = launch.getReads()[read].getType();
  Type to = launch.getWrites()[write].getType();
  if (cast<tenon::memory::BufferType>(from).getBytes() !=
      cast<tenon::memory::BufferType>(to).getBytes())
    return launch.emitOpError("cannot write ") << to << " over " << from;
  return success();
}

LogicalResult LaunchOp::verify() {
  if (getSteps() < 1)
    return emitOpError("needs at least one step");
  if (failed(verifyCosts(*this, getCostsAttr())))
    return failure();
  ArrayRef<int64_t> pairs = getInPlace().value_or(ArrayRef<int64_t>());
  if (pairs.size() % 2)
    return emitOpError("needs pairs of a read and a write in 'in_place'");
  for (size_t i = 0; i < pairs.size(); i += 2)
    if (failed(verifyInPlace(*this, pairs[i], pairs[i + 1])))
      return failure();
  return success();
}

Operation *GroupOp::getAnchor() {
  for (Operation &op : getBlock().without_terminator())
    if (graph::isAnchor(graph::roleOf(&op)))
      return &op;
  return nullptr;
}
