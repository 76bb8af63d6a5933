//===- CompactEvaluate.cpp - computing without repetitions ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file computes with compact constants: operations run in the interpreter
// on the elements that are there. Each result's shape is known before.
//===----------------------------------------------------------------------===//
#include "dialects/Graph/Shapes.h"
#include "passes/Simplify/CompactTensor.h"
#include "passes/Simplify/Constants.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::graph;
using interp::Tensor;
using simplify::CompactTensor;

using Operands = ArrayRef<CompactTensor>;
using Shape = SmallVector<int64_t>;

static RankedTensorType resultType(Operation *op) {
  return cast<RankedTensorType>(op->getResult(0).getType());
}

static bool isElementwise(Operation *op) {
  return op->hasTrait<Elementwise>() || isa<BitcastOp>(op);
}

//===-- Shapes ------------------------------------------------------------===//

/// Operands broadcast to each other, and to `rank`.
static Shape joinedShape(Operands operands, int64_t rank) {
  Shape joined(rank, 1);
  for (const CompactTensor &operand : operands) {
    int64_t lead = rank - operand.elements.getRank();
    for (auto [dim, extent] : llvm::enumerate(operand.elements.getShape()))
      if (extent != 1)
        joined[lead + dim] = extent;
  }
  return joined;
}

/// Runs of dimensions must repeat as a whole or not at all.
static std::optional<Shape> reshapedShape(ReshapeOp op,
                                          const CompactTensor &input) {
  Shape shape(op.getType().getShape());
  ReshapeRuns runs(dimsOf(input.type), dimsOf(op.getType()));
  while (runs.next()) {
    bool some = false, all = true;
    for (unsigned dim = runs.fromBegin; dim < runs.fromEnd; ++dim) {
      some |= input.isRepeatedAlong(dim);
      all &= input.isRepeatedAlong(dim) || input.type.getDimSize(dim) == 1;
    }
    if (some && !all)
      return std::nullopt;
    for (unsigned dim = runs.toBegin; some && dim < runs.toEnd; ++dim)
      shape[dim] = 1;
  }
  return runs.atEnd() ? std::optional(shape) : std::nullopt;
}

static Shape slicedShape(SliceOp op, const CompactTensor &input) {
  Shape shape(op.getSizes());
  for (int64_t dim = 0; dim < input.type.getRank(); ++dim)
    if (input.isRepeatedAlong(dim))
      shape[dim] = 1;
  return shape;
}

template <typename OpTy>
static Shape reducedShape(OpTy op, const CompactTensor &input) {
  Shape shape;
  for (auto [dim, extent] : llvm::enumerate(input.elements.getShape()))
    if (!llvm::is_contained(op.getAxes(), int64_t(dim)))
      shape.push_back(extent);
    else if (op.getKeepDims())
      shape.push_back(1);
  return shape;
}

static std::optional<Shape> anyReducedShape(Operation *op,
                                            const CompactTensor &input) {
  return TypeSwitch<Operation *, std::optional<Shape>>(op)
      .Case<ReduceSumOp, ReduceMeanOp, ReduceMaxOp, ReduceMinOp, ReduceProdOp>(
          [&](auto op) { return reducedShape(op, input); })
      .Default([](Operation *) { return std::nullopt; });
}

/// Rows are there as often as indices are, once where all rows are equal.
static Shape gatheredShape(GatherOp op, Operands operands) {
  ArrayRef<int64_t> input = operands[0].elements.getShape();
  ArrayRef<int64_t> indices = operands[1].elements.getShape();
  size_t axis = op.getAxis();
  Shape shape(input.take_front(axis));
  for (int64_t extent : indices)
    shape.push_back(operands[0].isRepeatedAlong(axis) ? 1 : extent);
  llvm::append_range(shape, input.drop_front(axis + 1));
  return shape;
}

/// Whether a movement has only one number to move.
static bool movesOneNumber(Operation *op, Operands operands) {
  if (isa<GatherElementsOp>(op))
    return operands[0].isUniform();
  auto isSame = [&](const CompactTensor &operand) {
    return operand.isUniform() &&
           operand.elements.bytes() == operands[0].elements.bytes();
  };
  if (isa<ConcatOp>(op))
    return llvm::all_of(operands, isSame);
  auto pad = dyn_cast<PadOp>(op);
  if (!pad || !operands[0].isUniform())
    return false;
  if (pad.getMode() != PadMode::Constant)
    return true;
  auto isZero = [](char byte) { return byte == 0; };
  return pad.getValue() ? isSame(operands[1])
                        : llvm::all_of(operands[0].elements.bytes(), isZero);
}

static bool hasElements(Type type) {
  auto tensor = cast<RankedTensorType>(type);
  return tensor.hasStaticShape() && !isEmpty(tensor);
}

std::optional<Shape> simplify::compactShape(Operation *op, Operands operands) {
  auto sliced = dyn_cast<SliceOp>(op);
  if (op->getNumResults() != 1 || operands.empty() ||
      (sliced && !isFixed(sliced)) ||
      !llvm::all_of(op->getOperandTypes(), hasElements) ||
      !llvm::all_of(op->getResultTypes(), hasElements))
    return std::nullopt;
  int64_t rank = resultType(op).getRank();
  if (isElementwise(op) || isa<BroadcastOp>(op))
    return joinedShape(operands, rank);
  if (auto reshape = dyn_cast<ReshapeOp>(op))
    return reshapedShape(reshape, operands[0]);
  if (sliced)
    return slicedShape(sliced, operands[0]);
  if (auto transpose = dyn_cast<TransposeOp>(op))
    return Shape(llvm::map_range(transpose.getPermutation(), [&](int64_t dim) {
      return operands[0].elements.getShape()[dim];
    }));
  if (auto gather = dyn_cast<GatherOp>(op))
    return gatheredShape(gather, operands);
  if (movesOneNumber(op, operands))
    return Shape(rank, 1);
  return anyReducedShape(op, operands[0]);
}

//===-- Elements ----------------------------------------------------------===//

/// The operation itself on the elements that are there.
static Tensor mapElements(Operation *op, Operands operands,
                          RankedTensorType type) {
  SmallVector<Tensor> tensors;
  for (const CompactTensor &operand : operands)
    tensors.push_back(operand.elements);
  return simplify::runOn(tensors, [&](OpBuilder &, ValueRange values) {
    Operation *twin = op->clone();
    twin->setOperands(values);
    twin->getResult(0).setType(type);
    return twin;
  });
}

/// A slice of what is there.
static Tensor sliceElements(SliceOp op, const CompactTensor &input,
                            ArrayRef<int64_t> sizes) {
  Shape starts(op.getStarts()), steps(op.getSteps());
  for (int64_t dim = 0; dim < input.type.getRank(); ++dim)
    if (input.isRepeatedAlong(dim))
      starts[dim] = 0, steps[dim] = 1;
  return simplify::runOn(input.elements, [&](OpBuilder &b, ValueRange values) {
    return SliceOp::create(b, op.getLoc(), values.front(), starts, sizes,
                           steps);
  });
}

template <typename OpTy>
static Tensor combine(const Tensor &a, const Tensor &b) {
  return simplify::runOn({a, b}, [&](OpBuilder &builder, ValueRange values) {
    return OpTy::create(builder, builder.getUnknownLoc(), a.getType(), values);
  });
}

/// `count` times `tensor` under an associative operation, by doubling.
template <typename OpTy>
static Tensor repeat(const Tensor &tensor, int64_t count) {
  Tensor result, power = tensor;
  for (; power && count > 0; count /= 2) {
    if (count % 2)
      result = result ? combine<OpTy>(result, power) : power;
    power = combine<OpTy>(power, power);
  }
  return result;
}

static Tensor castTo(Type element, const Tensor &tensor) {
  return simplify::runOn(tensor, [&](OpBuilder &b, ValueRange values) {
    return CastOp::create(b, b.getUnknownLoc(),
                          TypeRange(tensor.getType().clone(element)), values);
  });
}

/// Sums and products of reals are made in f64 and rounded once.
template <typename OpTy, typename Combine>
static Tensor reduceRepeated(OpTy op, const CompactTensor &input,
                             RankedTensorType type, int64_t count) {
  Type element = type.getElementType();
  bool isReal = isa<FloatType>(element);
  Type wide = isReal ? Float64Type::get(element.getContext()) : element;
  Tensor elements = isReal ? castTo(wide, input.elements) : input.elements;
  Tensor reduced = mapElements(op, CompactTensor{elements, elements.getType()},
                               type.clone(wide));
  Tensor result = repeat<Combine>(reduced, count);
  return isReal ? castTo(element, result) : result;
}

template <typename OpTy>
static Tensor reduceElements(OpTy op, const CompactTensor &input,
                             RankedTensorType type) {
  int64_t count = 1;
  for (int64_t axis : op.getAxes())
    if (input.isRepeatedAlong(axis))
      count *= input.type.getDimSize(axis);
  if (count != 1 && std::is_same_v<OpTy, ReduceSumOp>)
    return reduceRepeated<OpTy, AddOp>(op, input, type, count);
  if (count != 1 && std::is_same_v<OpTy, ReduceProdOp>)
    return reduceRepeated<OpTy, MulOp>(op, input, type, count);
  return mapElements(op, input, type);
}

static Tensor compactElements(Operation *op, Operands operands,
                              RankedTensorType type) {
  if (auto slice = dyn_cast<SliceOp>(op))
    return sliceElements(slice, operands[0], type.getShape());
  auto gather = dyn_cast<GatherOp>(op);
  bool gathersRows = gather && !operands[0].isRepeatedAlong(gather.getAxis());
  if (isElementwise(op) || isa<TransposeOp>(op) || gathersRows)
    return mapElements(op, operands, type);
  return TypeSwitch<Operation *, Tensor>(op)
      .Case<ReduceSumOp, ReduceMeanOp, ReduceMaxOp, ReduceMinOp, ReduceProdOp>(
          [&](auto op) { return reduceElements(op, operands[0], type); })
      // The same elements, of other dimensions.
      .Default(
          [&](Operation *) { return operands[0].elements.withType(type); });
}

/// An operation that needs all elements of its operands.
static FailureOr<SmallVector<CompactTensor>>
evaluateExpanded(Operation *op, Operands operands) {
  int64_t bytes = 0;
  for (const CompactTensor &operand : operands)
    if (operand.elements.getType() != operand.type)
      bytes += *tensorBytes(operand.type);
  if (bytes > simplify::maxExpandedBytes)
    return failure();
  SmallVector<Tensor> tensors;
  for (const CompactTensor &operand : operands)
    if (!tensors.emplace_back(simplify::expand(operand)))
      return failure();
  auto tensorsOf = interp::evaluate(op, tensors);
  if (failed(tensorsOf))
    return failure();
  return llvm::map_to_vector(*tensorsOf, [](const Tensor &tensor) {
    return CompactTensor::of(tensor, tensor.getType());
  });
}

FailureOr<SmallVector<CompactTensor>> simplify::evaluate(Operation *op,
                                                         Operands operands) {
  std::optional<Shape> shape = compactShape(op, operands);
  if (!shape)
    return evaluateExpanded(op, operands);
  RankedTensorType type = resultType(op);
  Tensor elements = compactElements(
      op, operands, RankedTensorType::get(*shape, type.getElementType()));
  if (!elements)
    return failure();
  return SmallVector<CompactTensor>{CompactTensor::of(elements, type)};
}
