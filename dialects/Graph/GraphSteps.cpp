//===- GraphSteps.cpp - loops of the host ---------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dialects/Graph/GraphSteps.h"
#include "dialects/Graph/GraphDetail.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace tenon::graph;
using namespace tenon::graph::detail;

#define GET_OP_CLASSES
#include "dialects/Graph/GraphSteps.cpp.inc"

static constexpr llvm::StringLiteral bodyAttr = "graph.steps_body";

void tenon::graph::markStepsBody(func::FuncOp function) {
  function->setAttr(bodyAttr, UnitAttr::get(function.getContext()));
}

bool tenon::graph::isStepsBody(func::FuncOp function) {
  return function->hasAttr(bodyAttr);
}

func::FuncOp tenon::graph::bodyOf(StepsOp steps) {
  return SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(
      steps, steps.getBodyAttr());
}

//===-- Checks ------------------------------------------------------------===//

static RankedTensorType typeOf(Value value) {
  return cast<RankedTensorType>(value.getType());
}

/// Of a slice along the first dimension.
static RankedTensorType sliceType(RankedTensorType type) {
  return RankedTensorType::get(type.getShape().drop_front(),
                               type.getElementType());
}

LogicalResult StepsOp::verify() {
  if (getScans() + getNext().size() > getInputs().size())
    return emitOpError("has fewer operands than it slices and carries");
  if (getStacked().size() != getNumResults())
    return emitOpError("needs to know of each result whether it is stacked");
  for (Type type : getOperation()->getOperandTypes())
    if (!cast<RankedTensorType>(type).hasStaticShape())
      return emitOpError("has an operand of unknown size");
  for (Value scan : getInputs().take_front(getScans()))
    if (typeOf(scan).getRank() == 0 ||
        typeOf(scan).getDimSize(0) < int64_t(getCount()))
      return emitOpError("slices a tensor that is shorter than its ")
             << getCount() << " steps";
  for (auto [result, stacked] : llvm::zip(getResults(), getStacked()))
    if (stacked && (typeOf(result).getRank() == 0 ||
                    typeOf(result).getDimSize(0) != int64_t(getCount())))
      return emitOpError("stacks a result that is not as long as its ")
             << getCount() << " steps";
  for (int64_t next : getNext())
    if (next < 0 || next >= int64_t(getNumResults()))
      return emitOpError("carries on result ") << next << ", which is none";
  return success();
}

/// What a body takes or gives in place of a value.
static RankedTensorType perStep(Value value, bool isSliced) {
  return isSliced ? sliceType(typeOf(value)) : typeOf(value);
}

LogicalResult StepsOp::verifySymbolUses(SymbolTableCollection &table) {
  auto body = table.lookupNearestSymbolFrom<func::FuncOp>(*this, getBodyAttr());
  if (!body)
    return emitOpError("there is no function ") << getBodyAttr();
  auto parent = getOperation()->getParentOfType<func::FuncOp>();
  if (!isStepsBody(body) ||
      (parent && isStepsBody(parent) && !parent->isBeforeInBlock(body)))
    return emitOpError("needs a body with '")
           << bodyAttr << "' behind the body that it is in";
  SmallVector<Type> takes, gives;
  for (auto [index, input] : llvm::enumerate(getInputs()))
    takes.push_back(perStep(input, isScan(unsigned(index))));
  for (auto [result, stacked] : llvm::zip(getResults(), getStacked()))
    gives.push_back(perStep(result, stacked));
  // With buffers in place of tensors it says no more what it takes.
  if (!body->hasAttr("memory.inputs") &&
      (body.getArgumentTypes() != ArrayRef(takes) ||
       body.getResultTypes() != ArrayRef(gives)))
    return emitOpError("does not fit its body ") << getBodyAttr();
  for (auto [index, next] : llvm::enumerate(getNext()))
    if (takes[getScans() + index] != gives[next])
      return emitOpError("carries on result ")
             << next << ", which is not what step 0 finds";
  return success();
}

//===-- Mathematics -------------------------------------------------------===//

/// The steps follow each other; what is in one is its body's business.
IterationDomain StepsOp::getIterationDomain() {
  IterationDomain domain;
  domain.dims.push_back(
      {sizeDim(getContext(), int64_t(getCount())), DimKind::Sequential});
  return domain;
}

SmallVector<Access> StepsOp::getAccesses() {
  AccessMaker maker(getContext(), 1);
  auto all = [&](Value value, bool isSliced) {
    SmallVector<AffineExpr> exprs;
    for (int64_t dim = 0; dim < typeOf(value).getRank(); ++dim)
      exprs.push_back(isSliced && dim == 0 ? maker.dim(0) : maker.any(dim));
    return exprs;
  };
  SmallVector<Access> accesses;
  for (auto [index, input] : llvm::enumerate(getInputs()))
    accesses.push_back(maker.read(unsigned(index),
                                  all(input, isScan(unsigned(index))),
                                  AccessKind::Over));
  for (auto [index, result] : llvm::enumerate(getResults()))
    accesses.push_back(
        maker.write(unsigned(index), all(result, getStacked()[index])));
  return accesses;
}

Cost StepsOp::getCost() {
  Count flops = 0;
  if (func::FuncOp body = bodyOf(*this))
    body.walk(
        [&](TensorOpInterface op) { flops = sum(flops, op.getCost().flops); });
  return streamCost(getOperation(), product(flops, int64_t(getCount())));
}
