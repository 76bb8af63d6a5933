//===- Table.cpp - sequences, optionals, strings --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dialects/Control/Control.h"
#include "passes/Normalize/Control/Control.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::normalize;

SmallVector<Value> normalize::callPrimitive(NormalizeContext &ctx,
                                            const Node &node, StringRef name,
                                            ValueRange operands,
                                            TypeRange types,
                                            ArrayRef<int64_t> integers) {
  OpBuilder &builder = ctx.builder();
  auto call = control::CallOp::create(
      builder, node.operation()->getLoc(), types, builder.getStringAttr(name),
      operands, builder.getDenseI64ArrayAttr(integers));
  return llvm::to_vector(ValueRange(call.getResults()));
}

static Lowered lowerIdentity(NormalizeContext &, const Node &node) {
  return node.operand(0);
}

void normalize::populateControlLowerings(LoweringTable &table) {
  table.addForAll("Identity", lowerIdentity);
}
