//===- GraphElementwise.cpp - one element in, one out ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file implements what all element-wise operations share, and the cast,
// the only one whose result type does not follow from its operands.
//===----------------------------------------------------------------------===//
#include "dialects/Graph/GraphDetail.h"

#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::graph;
using namespace tenon::graph::detail;

static Type elementOf(Value value) {
  return getElementTypeOrSelf(value.getType());
}

/// One result of the broadcast shape of `operands`.
static LogicalResult inferBroadcast(Loc loc, ValueRange operands, Type element,
                                    Types &results) {
  SmallVector<RankedTensorType> types;
  for (Value operand : operands)
    types.push_back(cast<RankedTensorType>(operand.getType()));
  auto result = broadcastTypes(types, element);
  if (succeeded(result)) {
    results.push_back(*result);
    return success();
  }
  std::string text = "shapes do not broadcast: ";
  llvm::interleave(
      types, [&](Type type) { text += shapeText(type); },
      [&] { text += " and "; });
  return refuse(loc, text);
}

static LogicalResult sameElements(Loc loc, ValueRange operands) {
  for (Value operand : operands.drop_front())
    if (elementOf(operand) != elementOf(operands[0]))
      return emitOptionalError(loc,
                               "element types differ: ", elementOf(operands[0]),
                               " and ", elementOf(operand));
  return success();
}

LogicalResult graph::detail::inferFirstElement(Loc loc, ValueRange operands,
                                               Types &results) {
  return inferBroadcast(loc, operands, elementOf(operands[0]), results);
}

LogicalResult graph::detail::inferSameElement(Loc loc, ValueRange operands,
                                              Types &results) {
  if (failed(sameElements(loc, operands)))
    return failure();
  return inferFirstElement(loc, operands, results);
}

LogicalResult graph::detail::inferPredicate(Loc loc, ValueRange operands,
                                            Types &results) {
  if (failed(sameElements(loc, operands)))
    return failure();
  auto i1 = IntegerType::get(operands[0].getContext(), 1);
  return inferBroadcast(loc, operands, i1, results);
}

LogicalResult graph::detail::inferSelect(Loc loc, ValueRange operands,
                                         Types &results) {
  if (failed(sameElements(loc, operands.drop_front())))
    return failure();
  return inferBroadcast(loc, operands, elementOf(operands[1]), results);
}

SmallVector<Access> graph::detail::elementwiseAccesses(Operation *op) {
  auto result = cast<RankedTensorType>(op->getResult(0).getType());
  AccessMaker maker(op->getContext(), result.getRank());
  SmallVector<Access> accesses;
  for (auto [number, type] : llvm::enumerate(op->getOperandTypes()))
    accesses.push_back(
        maker.readBroadcast(number, cast<RankedTensorType>(type), result));
  accesses.push_back(maker.writeIdentity(0, result.getRank()));
  return accesses;
}

Cost graph::detail::elementwiseCost(Operation *op) { return domainCost(op, 1); }

//===-- cast --------------------------------------------------------------===//

LogicalResult CastOp::verify() {
  if (dimsOf(getInput()) == dimsOf(getResult()))
    return success();
  return emitOpError("changes the shape from ")
         << shapeText(getInput().getType()) << " to " << shapeText(getType());
}

IterationDomain CastOp::getIterationDomain() {
  return parallelDomain(getType());
}

SmallVector<Access> CastOp::getAccesses() {
  return elementwiseAccesses(getOperation());
}

Cost CastOp::getCost() { return streamCost(getOperation(), 0); }
