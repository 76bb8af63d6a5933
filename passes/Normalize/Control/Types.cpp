//===- Types.cpp - types of values that the host holds --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/Normalize/Control/Types.h"
#include "dialects/Control/Control.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "passes/Normalize/Extents.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::normalize;

/// On an argument, while types are sought.
static constexpr llvm::StringLiteral kEmpty = "onnx.empty";

bool normalize::isEmptySequence(Value value) {
  if (!isa<control::SequenceType>(value.getType()))
    return false;
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    auto function = dyn_cast<func::FuncOp>(argument.getOwner()->getParentOp());
    return function && function.getArgAttr(argument.getArgNumber(), kEmpty);
  }
  auto call = value.getDefiningOp<control::CallOp>();
  return call && call.getPrimitive() == "sequence_construct" &&
         call.getArguments().empty();
}

void normalize::markEmpty(BlockArgument argument, bool isEmpty) {
  auto function = cast<func::FuncOp>(argument.getOwner()->getParentOp());
  if (isEmpty)
    function.setArgAttr(argument.getArgNumber(), kEmpty,
                        UnitAttr::get(function.getContext()));
  else
    function.removeArgAttr(argument.getArgNumber(), kEmpty);
}

static Type joinTensors(TensorType a, TensorType b) {
  if (a.getElementType() != b.getElementType())
    return {};
  auto first = dyn_cast<RankedTensorType>(a);
  auto second = dyn_cast<RankedTensorType>(b);
  if (!first || !second || first.getRank() != second.getRank())
    return UnrankedTensorType::get(a.getElementType());
  graph::Dims dims = graph::dimsOf(first);
  for (auto [dim, other] : llvm::zip(dims, graph::dimsOf(second)))
    if (dim != other)
      dim = {};
  return graph::typeFromDims(dims, a.getElementType());
}

Type normalize::joinTypes(Type a, Type b) {
  if (a == b)
    return a;
  MLIRContext *context = a.getContext();
  if (isa<TensorType>(a) && isa<TensorType>(b))
    return joinTensors(cast<TensorType>(a), cast<TensorType>(b));
  if (isa<control::SequenceType>(a) && isa<control::SequenceType>(b)) {
    Type element = joinTypes(cast<control::SequenceType>(a).getElement(),
                             cast<control::SequenceType>(b).getElement());
    return element ? control::SequenceType::get(context, element) : Type();
  }
  if (isa<control::OptionalType>(a) && isa<control::OptionalType>(b)) {
    Type element = joinTypes(cast<control::OptionalType>(a).getElement(),
                             cast<control::OptionalType>(b).getElement());
    return element ? control::OptionalType::get(context, element) : Type();
  }
  return {};
}

Type normalize::withoutSymbols(Type type) {
  AttrTypeReplacer replacer;
  replacer.addReplacement([](RankedTensorType tensor) {
    return std::make_pair(
        Type(RankedTensorType::get(tensor.getShape(), tensor.getElementType())),
        WalkResult::skip());
  });
  return replacer.replace(type);
}

RankedTensorType normalize::withNames(NormalizeContext &ctx, unsigned result,
                                      RankedTensorType type) {
  Dims dims = graph::dimsOf(type);
  for (auto [index, dim] : llvm::enumerate(dims))
    if (!dim)
      dim = freshSymbol(ctx, "_" + Twine(result) + "_" + Twine(index));
  return graph::typeFromDims(dims, type.getElementType());
}
