//===- Optional.cpp - values that may be missing --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file lowers optionals. A value that is there for sure is read as it is.
//===----------------------------------------------------------------------===//
#include "dialects/Control/Control.h"
#include "passes/Normalize/Control/Control.h"
#include "passes/Normalize/Control/Types.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::normalize;

/// The call that made an optional here.
static control::CallOp makerOf(Value optional) {
  auto call = optional.getDefiningOp<control::CallOp>();
  return call && call.getPrimitive() == "optional" ? call : control::CallOp();
}

static Lowered lowerOptional(NormalizeContext &ctx, const Node &node) {
  if (Value value = node.operand(0))
    return ctx.call(
        "optional", value, {},
        control::OptionalType::get(node.context(), value.getType()));
  auto type = node.operation()->getAttrOfType<TypeAttr>("type");
  if (!type)
    return ctx.unsupported("it has neither a value nor 'type'");
  return ctx.call("optional", {}, {},
                  control::OptionalType::get(node.context(),
                                             withoutSymbols(type.getValue())));
}

static Lowered lowerHasElement(NormalizeContext &ctx, const Node &node) {
  auto scalar = RankedTensorType::get({}, IntegerType::get(node.context(), 1));
  Value value = node.operand(0);
  control::CallOp maker = value ? makerOf(value) : control::CallOp();
  if (!value || maker || !isa<control::OptionalType>(value.getType()))
    return ctx.constant(DenseElementsAttr::get(
        scalar, value && (!maker || !maker.getArguments().empty())));
  return ctx.call("optional_has", value, {}, scalar);
}

static Lowered lowerGetElement(NormalizeContext &ctx, const Node &node) {
  Value value = node.operand(0);
  auto optional = dyn_cast<control::OptionalType>(value.getType());
  if (!optional)
    return value;
  control::CallOp maker = makerOf(value);
  if (maker && !maker.getArguments().empty())
    return maker.getArguments().front();
  Type type = optional.getElement();
  if (isa<UnrankedTensorType>(type))
    type = withoutSymbols(node.operation()->getResult(0).getType());
  if (isa<UnrankedTensorType>(type))
    return ctx.unsupported("the rank of its element is not known");
  if (auto tensor = dyn_cast<RankedTensorType>(type))
    type = withNames(ctx, 0, tensor);
  return ctx.call("optional_get", value, {}, type);
}

void normalize::populateOptionalLowerings(LoweringTable &table) {
  table.addForAll("Optional", lowerOptional);
  table.addForAll("OptionalHasElement", lowerHasElement);
  table.addForAll("OptionalGetElement", lowerGetElement);
}
