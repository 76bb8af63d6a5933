//===- Context.cpp - what a lowering builds with --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file creates, verifies and evaluates single graph operations. Nothing
// an input model holds may abort here: types are inferred before an operation
// exists, and an operation that does not verify is erased again.
//===----------------------------------------------------------------------===//
#include "passes/Normalize/Context.h"
#include "dialects/Control/Control.h"
#include "dialects/Graph/Bounds.h"
#include "lib/Interpreter/Indices.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Verifier.h"
#include "passes/Normalize/Contents.h"
#include "passes/Normalize/Shapes.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::normalize;

/// Integer tensors up to this size are evaluated as soon as they are built:
/// they are shapes, indices and masks that later nodes may need.
static constexpr int64_t kMaxIntegers = 4096;
/// Float tensors likewise: scales of a Resize, bounds of a Range.
static constexpr int64_t kMaxFloats = 64;
/// Constants above this size are never read element by element.
static constexpr int64_t kMaxRead = 65536;

void NormalizeContext::begin(Operation *op) {
  where = op->getLoc();
  why.clear();
  ops.setInsertionPoint(op);
}

LogicalResult NormalizeContext::unsupported(const Twine &reason) {
  if (why.empty())
    why = reason.str();
  return failure();
}

std::optional<int64_t> NormalizeContext::axis(int64_t axis, int64_t rank,
                                              bool end) {
  int64_t result = axis < 0 ? axis + rank : axis;
  if (result >= 0 && result < rank + (end ? 1 : 0))
    return result;
  (void)unsupported("axis " + Twine(axis) + " is outside of rank " +
                    Twine(rank));
  return std::nullopt;
}

bool NormalizeContext::isStatic(Value value) {
  if (!value)
    return false;
  if (llvm::cast<RankedTensorType>(value.getType()).hasStaticShape())
    return true;
  (void)unsupported(kUnknownShape);
  return false;
}

bool NormalizeContext::hasDims(Value value) {
  if (!value)
    return false;
  if (!llvm::is_contained(graph::dimsOf(value), Attribute()))
    return true;
  (void)unsupported(kUnknownShape);
  return false;
}

//===-- Creating ------------------------------------------------------------//

SmallVector<Value> NormalizeContext::infer(OperationState &state,
                                           InferFn shapeFunction,
                                           unsigned results) {
  ScopedDiagnosticHandler handler(ops.getContext(),
                                  [&](Diagnostic &diagnostic) {
                                    (void)unsupported(diagnostic.str());
                                    return success();
                                  });
  DictionaryAttr attributes = state.attributes.getDictionary(ops.getContext());
  if (failed(shapeFunction(ops.getContext(), where, state.operands, attributes,
                           state.getRawProperties(), {}, state.types))) {
    (void)unsupported(state.name.getStringRef() + " does not fit its operands");
    return SmallVector<Value>(results);
  }
  return finish(state, results);
}

/// What is wrong with the constants that `op` reads; empty: nothing is.
static std::string objection(Operation *op) {
  std::optional<interp::Picks> picks = interp::picksOf(op);
  if (!picks || !picks->rows)
    return {};
  auto indices =
      op->getOperand(picks->operand).getDefiningOp<graph::ConstantOp>();
  return indices ? interp::findOutside(indices.getValue(), *picks->rows)
                 : std::string();
}

SmallVector<Value> NormalizeContext::finish(OperationState &state,
                                            unsigned results) {
  Operation *op = ops.create(state);
  ScopedDiagnosticHandler handler(ops.getContext(),
                                  [&](Diagnostic &diagnostic) {
                                    (void)unsupported(diagnostic.str());
                                    return success();
                                  });
  if (op->getNumResults() != results || failed(verify(op))) {
    (void)unsupported(state.name.getStringRef() + " does not verify");
    op->erase();
    return SmallVector<Value>(results);
  }
  if (std::string why = objection(op); !why.empty()) {
    (void)unsupported(why);
    op->erase();
    return SmallVector<Value>(results);
  }
  if (auto values = evaluate(op)) {
    op->erase();
    return *values;
  }
  if (auto values = evaluateSizes(op)) {
    op->erase();
    return *values;
  }
  return llvm::to_vector(ValueRange(op->getResults()));
}

SmallVector<Value> NormalizeContext::callAll(StringRef primitive,
                                             ArrayRef<Value> operands,
                                             ArrayRef<int64_t> integers,
                                             TypeRange types) {
  if (llvm::is_contained(operands, Value()))
    return SmallVector<Value>(types.size());
  OperationState state(where, control::CallOp::getOperationName());
  control::CallOp::build(ops, state, types, ops.getStringAttr(primitive),
                         ValueRange(operands), integers);
  return finish(state, types.size());
}

Value NormalizeContext::call(StringRef primitive, ArrayRef<Value> operands,
                             ArrayRef<int64_t> integers, Type type) {
  return first(callAll(primitive, operands, integers, type));
}

static bool isSmall(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor || !tensor.hasStaticShape())
    return false;
  bool isInteger = isa<IntegerType>(tensor.getElementType());
  return tensor.getNumElements() <= (isInteger ? kMaxIntegers : kMaxFloats);
}

std::optional<SmallVector<Value>> NormalizeContext::evaluate(Operation *op) {
  if (isa<graph::ConstantOp>(op) ||
      !llvm::all_of(op->getResultTypes(), isSmall))
    return std::nullopt;
  SmallVector<ElementsAttr> operands;
  for (Value operand : op->getOperands()) {
    operands.push_back(constantOf(operand));
    if (!operands.back() || !isSmall(operand.getType()))
      return std::nullopt;
  }
  FailureOr<SmallVector<ElementsAttr>> values = interp::evaluate(op, operands);
  if (failed(values) || values->size() != op->getNumResults())
    return std::nullopt;
  SmallVector<Value> results;
  for (auto [value, type] : llvm::zip(*values, op->getResultTypes())) {
    if (!value || value.getType() != type)
      return std::nullopt;
    results.push_back(constant(value));
  }
  ++evaluated;
  return results;
}

std::optional<SmallVector<Value>>
NormalizeContext::evaluateSizes(Operation *op) {
  auto readsSizes = [](Value operand) {
    return bool(operand.getDefiningOp<graph::SizesOp>());
  };
  if (op->getNumResults() != 1 || !isSmall(op->getResult(0).getType()) ||
      llvm::none_of(op->getOperands(), readsSizes))
    return std::nullopt;
  SmallVector<Dims> operands;
  for (Value operand : op->getOperands()) {
    auto known = isSmall(operand.getType()) ? contents(operand) : std::nullopt;
    if (!known)
      return std::nullopt;
    operands.push_back(std::move(*known));
  }
  auto dims = evaluateContents(op, operands, constraints);
  if (!dims)
    return std::nullopt;
  ++evaluated;
  auto type = llvm::cast<RankedTensorType>(op->getResult(0).getType());
  return SmallVector<Value>{sizes(*dims, type)};
}

//===-- Constants -----------------------------------------------------------//

Value NormalizeContext::sizes(ArrayRef<Attribute> dims, RankedTensorType type) {
  if (llvm::is_contained(dims, Attribute())) {
    (void)unsupported(kUnknownShape);
    return {};
  }
  if (llvm::any_of(dims, graph::isSymbolic))
    return createTyped<graph::SizesOp>(type,
                                       graph::dimsAttr(ops.getContext(), dims));
  SmallVector<APInt> numbers;
  for (Attribute dim : dims)
    numbers.push_back(APInt(type.getElementTypeBitWidth(),
                            uint64_t(sizeOf(dim)), /*isSigned=*/true,
                            /*implicitTrunc=*/true));
  return constant(DenseElementsAttr::get(type, numbers));
}

Value NormalizeContext::sizes(ArrayRef<Attribute> dims) {
  return sizes(dims,
               RankedTensorType::get({int64_t(dims.size())}, ops.getI64Type()));
}

Value NormalizeContext::constant(ElementsAttr value) {
  return createTyped<graph::ConstantOp>(value.getType(), value);
}

Value NormalizeContext::splat(double value, RankedTensorType type) {
  Type element = type.getElementType();
  if (!type.hasStaticShape())
    return broadcastTo(scalar(value, element), type);
  if (auto floating = dyn_cast<FloatType>(element)) {
    bool loses = false;
    APFloat rounded(value);
    rounded.convert(floating.getFloatSemantics(), APFloat::rmNearestTiesToEven,
                    &loses);
    return constant(DenseElementsAttr::get(type, rounded));
  }
  APInt integer(element.getIntOrFloatBitWidth(), uint64_t(int64_t(value)),
                /*isSigned=*/true, /*implicitTrunc=*/true);
  return constant(DenseElementsAttr::get(type, integer));
}

Value NormalizeContext::scalar(double value, Type element) {
  return splat(value, RankedTensorType::get({}, element));
}

Value NormalizeContext::scalarLike(double value, Value like) {
  return like ? scalar(value, getElementTypeOrSelf(like)) : Value();
}

Value NormalizeContext::vector(ArrayRef<int64_t> values) {
  auto type = RankedTensorType::get({int64_t(values.size())}, ops.getI64Type());
  return constant(DenseElementsAttr::get(type, values));
}

Value NormalizeContext::indices(ArrayRef<int64_t> shape, int64_t axis) {
  return indices(llvm::map_to_vector(shape,
                                     [&](int64_t size) {
                                       return graph::sizeDim(ops.getContext(),
                                                             size);
                                     }),
                 axis);
}

Value NormalizeContext::indices(ArrayRef<Attribute> dims, int64_t axis) {
  if (llvm::is_contained(dims, Attribute())) {
    (void)unsupported(kUnknownShape);
    return {};
  }
  return createTyped<graph::IotaOp>(graph::typeFromDims(dims, ops.getI64Type()),
                                    axis, APFloat(0.0), APFloat(1.0));
}

/// What has no elements is known, whoever says it.
static bool isEmptyList(Value value) {
  auto type = value ? dyn_cast<RankedTensorType>(value.getType()) : nullptr;
  return type && type.getElementType().isInteger() && type.hasStaticShape() &&
         type.getNumElements() == 0;
}

static std::optional<DenseElementsAttr> toDense(ElementsAttr value) {
  if (!value || value.getNumElements() > kMaxRead)
    return std::nullopt;
  if (auto dense = dyn_cast<DenseElementsAttr>(value))
    return dense;
  auto tensor = interp::Tensor::fromElements(value);
  if (failed(tensor))
    return std::nullopt;
  ArrayRef<char> bytes = tensor->bytes();
  ShapedType type = value.getShapedType();
  if (type.getElementType().isInteger(1)) { // one byte per element in a blob
    SmallVector<bool> bits;
    for (char byte : bytes)
      bits.push_back(byte != 0);
    return DenseElementsAttr::get(type, bits);
  }
  return DenseElementsAttr::getFromRawBuffer(type, bytes);
}

ElementsAttr NormalizeContext::constantOf(Value value) const {
  auto constant = value ? value.getDefiningOp<graph::ConstantOp>() : nullptr;
  return constant ? constant.getValue() : ElementsAttr();
}

std::optional<SmallVector<int64_t>>
NormalizeContext::constantInts(Value value) const {
  if (isEmptyList(value))
    return SmallVector<int64_t>();
  auto dense = toDense(constantOf(value));
  auto element =
      dense ? dyn_cast<IntegerType>(dense->getElementType()) : nullptr;
  if (!element)
    return std::nullopt;
  bool isUnsigned = element.isUnsigned() || element.getWidth() == 1;
  SmallVector<int64_t> result;
  for (const APInt &item : dense->getValues<APInt>())
    result.push_back(isUnsigned ? int64_t(item.getZExtValue())
                                : item.getSExtValue());
  return result;
}

std::optional<SmallVector<double>>
NormalizeContext::constantReals(Value value) const {
  SmallVector<double> result;
  if (auto integers = constantInts(value)) {
    result.assign(integers->begin(), integers->end());
    return result;
  }
  auto dense = toDense(constantOf(value));
  if (!dense || !isa<FloatType>(dense->getElementType()))
    return std::nullopt;
  for (APFloat item : dense->getValues<APFloat>()) {
    bool loses = false;
    item.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &loses);
    result.push_back(item.convertToDouble());
  }
  return result;
}

std::optional<Dims> NormalizeContext::contents(Value value) const {
  Dims dims;
  if (auto sizes = value ? value.getDefiningOp<graph::SizesOp>() : nullptr) {
    llvm::append_range(dims, sizes.getDims().getDims());
    return dims;
  }
  auto numbers = constantInts(value);
  if (!numbers)
    return std::nullopt;
  for (int64_t number : *numbers)
    dims.push_back(
        IntegerAttr::get(IntegerType::get(value.getContext(), 64), number));
  return dims;
}

//===-- Symbols -------------------------------------------------------------//

bool NormalizeContext::isAtLeast(Attribute a, Attribute b) const {
  return graph::isAtLeast(a, b, constraints);
}

LogicalResult NormalizeContext::demandAtLeast(Attribute a, Attribute b) {
  if (a && b &&
      succeeded(
          graph::demandNotNegative(graph::subtractDims(a, b), constraints)))
    return success();
  return unsupported("it is not known whether " + graph::dimText(a) +
                     " is at least " + graph::dimText(b));
}

//===-- Frequent operations -------------------------------------------------//

Value NormalizeContext::reshapeTo(Value input, RankedTensorType type) {
  if (!input || input.getType() == type)
    return input;
  return createTyped<graph::ReshapeOp>(type, input);
}

Value NormalizeContext::reshape(Value input, ArrayRef<int64_t> shape) {
  if (!input)
    return {};
  return reshapeTo(input,
                   RankedTensorType::get(shape, getElementTypeOrSelf(input)));
}

Value NormalizeContext::broadcast(Value input, ArrayRef<int64_t> shape) {
  if (!input)
    return {};
  auto type = RankedTensorType::get(shape, getElementTypeOrSelf(input));
  if (input.getType() == type)
    return input;
  return createTyped<graph::BroadcastOp>(type, input);
}

Value NormalizeContext::broadcastTo(Value input, RankedTensorType type) {
  if (!input || input.getType() == type)
    return input;
  return createTyped<graph::BroadcastOp>(type, input);
}

Value NormalizeContext::repeatTo(Value input, ArrayRef<Attribute> dims) {
  if (!input)
    return {};
  graph::Dims own = graph::dimsOf(input);
  if (own.size() > dims.size())
    return input;
  for (auto [dim, wanted] : llvm::zip_equal(own, dims.take_back(own.size())))
    if (dim && wanted && graph::isSymbolic(dim) && graph::sizeOf(wanted) != 1)
      dim = wanted;
  return broadcastTo(input,
                     graph::typeFromDims(own, getElementTypeOrSelf(input)));
}

Value NormalizeContext::transpose(Value input, ArrayRef<int64_t> permutation) {
  if (llvm::is_sorted(permutation))
    return input;
  return create<graph::TransposeOp>(input, permutation);
}

Value NormalizeContext::cast(Value input, Type element) {
  if (!input)
    return {};
  auto type = llvm::cast<RankedTensorType>(input.getType());
  if (type.getElementType() == element)
    return input;
  return createTyped<graph::CastOp>(type.clone(element), input);
}

Value NormalizeContext::slice(Value input, int64_t axis, int64_t start,
                              int64_t size) {
  return slice(input, axis, graph::sizeDim(ops.getContext(), start),
               graph::sizeDim(ops.getContext(), size));
}

Value NormalizeContext::slice(Value input, int64_t axis, Attribute start,
                              Attribute size) {
  if (!input)
    return {};
  Dims sizes = graph::dimsOf(input);
  Dims starts(sizes.size(), graph::sizeDim(ops.getContext(), 0));
  starts[axis] = start;
  sizes[axis] = size;
  return slice(input, starts, sizes, SmallVector<int64_t>(sizes.size(), 1));
}

Value NormalizeContext::slice(Value input, ArrayRef<Attribute> starts,
                              ArrayRef<Attribute> sizes,
                              ArrayRef<int64_t> steps) {
  if (!input)
    return {};
  Dims whole = graph::dimsOf(input);
  auto isForward = [](int64_t step) { return step > 0; };
  if (llvm::equal(sizes, whole) && !llvm::is_contained(whole, Attribute()) &&
      llvm::all_of(steps, isForward))
    return input;
  graph::SplitDims first = graph::splitDims(ops.getContext(), starts);
  graph::SplitDims extent = graph::splitDims(ops.getContext(), sizes);
  bool isWhole = llvm::all_of(llvm::zip(sizes, whole), [](auto pair) {
    return !graph::isSymbolic(std::get<0>(pair)) ||
           std::get<0>(pair) == std::get<1>(pair);
  });
  return create<graph::SliceOp>(input, first.numbers, extent.numbers, steps,
                                first.dims,
                                isWhole ? graph::DimsAttr() : extent.dims);
}

Value NormalizeContext::perChannel(Value vector, Value image) {
  if (!vector || !image)
    return {};
  graph::Dims channels = graph::dimsOf(vector), dims = graph::dimsOf(image);
  if (channels.size() != 1) {
    (void)unsupported("there is no vector with a number for each channel");
    return {};
  }
  graph::Dims shape(std::max<size_t>(dims.size(), 1),
                    graph::sizeDim(ops.getContext(), 1));
  shape[dims.size() > 1 ? 1 : 0] = channels.front();
  Type element = getElementTypeOrSelf(vector);
  return repeatTo(reshapeTo(vector, graph::typeFromDims(shape, element)), dims);
}

mlir::Type normalize::computeType(mlir::Type element) {
  return element.getIntOrFloatBitWidth() < 32
             ? mlir::Float32Type::get(element.getContext())
             : element;
}
