//===- Outline.cpp - a group of operations --------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dialects/Kernel/Outline.h"

#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace tenon;

kernel::GroupOp kernel::createGroup(OpBuilder &builder, Location loc,
                                    ArrayRef<Operation *> ops,
                                    ValueRange inputs, ValueRange operands,
                                    ValueRange results) {
  auto group = GroupOp::create(builder, loc, results.getTypes(), operands);
  OpBuilder::InsertionGuard guard(builder);
  Block *body = &group.getBody().emplaceBlock();
  builder.setInsertionPointToEnd(body);
  IRMapping mapping;
  for (Value input : inputs)
    mapping.map(input, body->addArgument(input.getType(), input.getLoc()));
  for (Operation *op : ops)
    builder.clone(*op, mapping);
  SmallVector<Value> yields;
  for (Value result : results)
    yields.push_back(mapping.lookup(result));
  YieldOp::create(builder, loc, yields);
  return group;
}
