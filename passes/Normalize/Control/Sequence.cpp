//===- Sequence.cpp - lists of tensors ------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file lowers what makes, changes and reads sequences. Where all elements
// are known one by one there is no sequence: they are read as they are.
//===----------------------------------------------------------------------===//
#include "dialects/Control/Control.h"
#include "dialects/Control/ElementCode.h"
#include "dialects/Onnx/Onnx.h"
#include "passes/Normalize/Control/Control.h"
#include "passes/Normalize/Control/Types.h"
#include "passes/Normalize/Shapes.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::normalize;

/// The elements of a sequence that is made here; nothing for others.
static std::optional<SmallVector<Value>> elementsOf(Value sequence) {
  auto call = sequence.getDefiningOp<control::CallOp>();
  if (!call || call.getPrimitive() != "sequence_construct")
    return std::nullopt;
  return SmallVector<Value>(call.getArguments());
}

static Type elementType(Value sequence) {
  return cast<control::SequenceType>(sequence.getType()).getElement();
}

/// A sequence of `elements`, of tensors like `type` where there are none.
static Lowered construct(NormalizeContext &ctx, ArrayRef<Value> elements,
                         Type type) {
  for (auto [index, element] : llvm::enumerate(elements)) {
    type = index ? joinTypes(type, element.getType()) : element.getType();
    if (!type)
      return ctx.unsupported("its elements differ in type");
  }
  auto code = control::elementCode(cast<TensorType>(type).getElementType());
  if (!code)
    return ctx.unsupported("it has no sequences of such elements");
  return ctx.call("sequence_construct", elements, {code->code, code->bits},
                  control::SequenceType::get(type.getContext(), type));
}

static Lowered lowerEmpty(NormalizeContext &ctx, const Node &node) {
  Type element = onnx::elementType(node.integer("dtype", 1), node.context());
  if (!element)
    return ctx.unsupported("'dtype' is unknown");
  return construct(ctx, {}, UnrankedTensorType::get(element));
}

static Lowered lowerConstruct(NormalizeContext &ctx, const Node &node) {
  return construct(ctx, node.allOperands(), {});
}

/// A known place among `count`; nothing for others, and outside of it.
static std::optional<int64_t> placeOf(NormalizeContext &ctx, Value position,
                                      int64_t count, int64_t absent) {
  if (!position)
    return absent >= 0 && absent <= count ? std::optional(absent)
                                          : std::nullopt;
  auto known = ctx.constantInts(position);
  if (!known || known->size() != 1)
    return std::nullopt;
  int64_t place = known->front() + (known->front() < 0 ? count : 0);
  return place >= 0 && place <= count ? std::optional(place) : std::nullopt;
}

static SmallVector<Value> present(ArrayRef<Value> operands) {
  SmallVector<Value> result;
  for (Value operand : operands)
    if (operand)
      result.push_back(operand);
  return result;
}

static Lowered lowerInsert(NormalizeContext &ctx, const Node &node) {
  Value sequence = node.operand(0), tensor = node.operand(1);
  auto elements = elementsOf(sequence);
  int64_t count = elements ? elements->size() : 0;
  auto place = placeOf(ctx, node.operand(2), count, count);
  if (elements && place) {
    elements->insert(elements->begin() + *place, tensor);
    return construct(ctx, *elements, {});
  }
  Type type = isEmptySequence(sequence)
                  ? tensor.getType()
                  : joinTypes(elementType(sequence), tensor.getType());
  if (!type)
    return ctx.unsupported("the sequence has elements of another type");
  return ctx.call("sequence_insert", present(node.allOperands()), {},
                  control::SequenceType::get(node.context(), type));
}

static Lowered lowerErase(NormalizeContext &ctx, const Node &node) {
  Value sequence = node.operand(0);
  auto elements = elementsOf(sequence);
  int64_t count = elements ? elements->size() : 0;
  auto place = placeOf(ctx, node.operand(1), count, count - 1);
  if (elements && place && *place < count) {
    elements->erase(elements->begin() + *place);
    return construct(ctx, *elements, elementType(sequence));
  }
  return ctx.call("sequence_erase", present(node.allOperands()), {},
                  sequence.getType());
}

/// An element as a tensor: of the rank that the model says, where the sequence
/// does not.
static RankedTensorType rankedElement(NormalizeContext &ctx, const Node &node) {
  Type element = elementType(node.operand(0));
  if (!isa<RankedTensorType>(element))
    element = withoutSymbols(node.operation()->getResult(0).getType());
  auto type = dyn_cast<RankedTensorType>(element);
  if (!type)
    (void)ctx.unsupported("the rank of the sequence's elements is not known");
  return type;
}

static Lowered lowerAt(NormalizeContext &ctx, const Node &node) {
  Value sequence = node.operand(0);
  auto elements = elementsOf(sequence);
  int64_t count = elements ? elements->size() : 0;
  auto place = placeOf(ctx, node.operand(1), count, -1);
  if (elements && place && *place < count)
    return (*elements)[*place];
  RankedTensorType type = rankedElement(ctx, node);
  if (!type)
    return failure();
  return ctx.call("sequence_at", {sequence, node.operand(1)}, {},
                  withNames(ctx, 0, type));
}

static Lowered lowerLength(NormalizeContext &ctx, const Node &node) {
  auto scalar = RankedTensorType::get({}, IntegerType::get(node.context(), 64));
  if (auto elements = elementsOf(node.operand(0)))
    return ctx.constant(
        DenseElementsAttr::get(scalar, int64_t(elements->size())));
  return ctx.call("sequence_length", node.operand(0), {}, scalar);
}

/// The same tensor with one more dimension.
static Value unsqueeze(NormalizeContext &ctx, Value tensor, int64_t axis) {
  auto type = cast<RankedTensorType>(tensor.getType());
  Dims dims = graph::dimsOf(type);
  dims.insert(dims.begin() + axis, graph::sizeDim(type.getContext(), 1));
  return ctx.reshapeTo(tensor,
                       graph::typeFromDims(dims, type.getElementType()));
}

static Lowered lowerConcat(NormalizeContext &ctx, const Node &node) {
  RankedTensorType type = {};
  auto elements = elementsOf(node.operand(0));
  if (elements && !elements->empty())
    type = cast<RankedTensorType>(elements->front().getType());
  else if (auto known =
               dyn_cast<RankedTensorType>(elementType(node.operand(0))))
    type = known;
  else
    return ctx.unsupported("the rank of the sequence's elements is not known");
  bool isNew = node.flag("new_axis", false);
  auto axis = ctx.axis(node.integer("axis", 0), type.getRank() + isNew);
  if (!axis)
    return failure();
  if (elements && !elements->empty()) {
    if (isNew)
      for (Value &element : *elements)
        element = unsqueeze(ctx, element, *axis);
    return elements->size() == 1
               ? Lowered(elements->front())
               : Lowered(ctx.create<graph::ConcatOp>(*elements, *axis));
  }
  Dims dims = graph::dimsOf(type);
  if (isNew)
    dims.insert(dims.begin() + *axis, Attribute());
  dims[*axis] = {};
  return ctx.call(
      "sequence_concat", node.operand(0), {*axis, isNew},
      withNames(ctx, 0, graph::typeFromDims(dims, type.getElementType())));
}

void normalize::populateSequenceLowerings(LoweringTable &table) {
  table.addForAll("SequenceEmpty", lowerEmpty);
  table.addForAll("SequenceConstruct", lowerConstruct);
  table.addForAll("SequenceInsert", lowerInsert);
  table.addForAll("SequenceErase", lowerErase);
  table.addForAll("SequenceAt", lowerAt);
  table.addForAll("SequenceLength", lowerLength);
  table.addForAll("ConcatFromSequence", lowerConcat);
  table.addForAll("SplitToSequence", lowerSplitToSequence);
}

Lowered normalize::constructSequence(NormalizeContext &ctx,
                                     ArrayRef<Value> elements) {
  return construct(ctx, elements, {});
}
