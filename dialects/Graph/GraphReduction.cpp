//===- GraphReduction.cpp - many elements in, one out ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file implements reductions, and the two normalisations that decompose
// into them.
//===----------------------------------------------------------------------===//
#include "dialects/Graph/GraphDetail.h"
#include "mlir/IR/Builders.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::graph;
using namespace tenon::graph::detail;

static RankedTensorType typeOf(Value value) {
  return cast<RankedTensorType>(value.getType());
}

//===-- reduce_*, arg_* ---------------------------------------------------===//

static LogicalResult checkAxes(Loc loc, ArrayRef<int64_t> axes, int64_t rank) {
  int64_t previous = -1;
  for (int64_t axis : axes) {
    if (axis <= previous || axis >= rank)
      return refuse(loc, "axes must be sorted, distinct and below rank " +
                             Twine(rank));
    previous = axis;
  }
  return success();
}

LogicalResult graph::detail::inferReduce(Loc loc, Value input,
                                         ArrayRef<int64_t> axes, bool keepDims,
                                         Type element, Types &results) {
  auto type = typeOf(input);
  if (failed(checkAxes(loc, axes, type.getRank())))
    return failure();
  Dims dims;
  for (auto [index, dim] : llvm::enumerate(dimsOf(type))) {
    if (!llvm::is_contained(axes, static_cast<int64_t>(index)))
      dims.push_back(dim);
    else if (keepDims)
      dims.push_back(sizeDim(type.getContext(), 1));
  }
  results.push_back(
      typeFromDims(dims, element ? element : type.getElementType()));
  return success();
}

IterationDomain graph::detail::reduceDomain(Value input,
                                            ArrayRef<int64_t> axes) {
  IterationDomain domain;
  Dims dims = dimsOf(input);
  for (auto [index, dim] : llvm::enumerate(dims))
    if (!llvm::is_contained(axes, static_cast<int64_t>(index)))
      domain.dims.push_back({dim});
  for (int64_t axis : axes)
    domain.dims.push_back({dims[axis], DimKind::Reduction});
  return domain;
}

SmallVector<Access> graph::detail::reduceAccesses(Value input,
                                                  ArrayRef<int64_t> axes,
                                                  bool keepDims) {
  int64_t rank = typeOf(input).getRank();
  AccessMaker maker(input.getContext(), rank);
  unsigned parallel = 0, reduced = rank - axes.size();
  SmallVector<AffineExpr> read, write;
  for (int64_t index = 0; index < rank; ++index) {
    if (llvm::is_contained(axes, index)) {
      read.push_back(maker.dim(reduced++));
      if (keepDims)
        write.push_back(maker.constant(0));
      continue;
    }
    read.push_back(maker.dim(parallel));
    write.push_back(maker.dim(parallel++));
  }
  return {maker.read(0, read), maker.write(0, write)};
}

//===-- softmax -----------------------------------------------------------===//

static LogicalResult checkAxis(Loc loc, int64_t axis, int64_t rank) {
  if (axis >= 0 && axis < rank)
    return success();
  return refuse(loc,
                "axis " + Twine(axis) + " is outside of rank " + Twine(rank));
}

LogicalResult SoftmaxOp::inferReturnTypes(MLIRContext *, Loc loc,
                                          ValueRange operands,
                                          DictionaryAttr attributes,
                                          OpaqueProperties properties,
                                          RegionRange regions, Types &results) {
  Adaptor op(operands, attributes, properties, regions);
  auto type = typeOf(operands[0]);
  results.push_back(type);
  return checkAxis(loc, op.getAxis(), type.getRank());
}

/// Each result element reads whole dimensions [first, last] of operand 0.
static Access readRow(const AccessMaker &maker, int64_t rank, int64_t first,
                      int64_t last) {
  SmallVector<AffineExpr> exprs = maker.dims(0, rank);
  for (int64_t index = first; index <= last; ++index)
    exprs[index] = maker.any(index);
  return maker.read(0, exprs);
}

IterationDomain SoftmaxOp::getIterationDomain() {
  return parallelDomain(getType());
}

SmallVector<Access> SoftmaxOp::getAccesses() {
  int64_t rank = getType().getRank(), axis = getAxis();
  AccessMaker maker(getContext(), rank);
  return {readRow(maker, rank, axis, axis), maker.writeIdentity(0, rank)};
}

Cost SoftmaxOp::getCost() { return domainCost(getOperation(), 5); }

FailureOr<SmallVector<Value>> SoftmaxOp::decompose(OpBuilder &builder) {
  Location loc = getLoc();
  SmallVector<int64_t> axes = {static_cast<int64_t>(getAxis())};
  Value top = ReduceMaxOp::create(builder, loc, getInput(), axes, true);
  Value shifted = SubOp::create(builder, loc, getInput(), top);
  Value power = ExpOp::create(builder, loc, shifted);
  Value sum = ReduceSumOp::create(builder, loc, power, axes, true);
  // One division per row instead of one per element.
  Value scale = ReciprocalOp::create(builder, loc, sum);
  return SmallVector<Value>{MulOp::create(builder, loc, power, scale)};
}

//===-- top_k -------------------------------------------------------------===//

LogicalResult TopKOp::inferReturnTypes(MLIRContext *context, Loc loc,
                                       ValueRange operands,
                                       DictionaryAttr attributes,
                                       OpaqueProperties properties,
                                       RegionRange regions, Types &results) {
  Adaptor op(operands, attributes, properties, regions);
  auto type = typeOf(operands[0]);
  int64_t axis = op.getAxis(), k = op.getK();
  if (failed(checkAxis(loc, axis, type.getRank())))
    return failure();
  int64_t extent = type.getDimSize(axis);
  if (k < 0 || (!ShapedType::isDynamic(extent) && k > extent))
    return refuse(loc, "k = " + Twine(k) + " does not fit dimension " +
                           Twine(axis) + " of " + shapeText(type));
  Dims dims = dimsOf(type);
  dims[axis] = sizeDim(context, k);
  results.push_back(typeFromDims(dims, type.getElementType()));
  results.push_back(typeFromDims(dims, IntegerType::get(context, 64)));
  return success();
}

/// The points are those of the results; each takes a whole row.
IterationDomain TopKOp::getIterationDomain() {
  return parallelDomain(getValues().getType());
}

SmallVector<Access> TopKOp::getAccesses() {
  int64_t rank = getInput().getType().getRank(), axis = getAxis();
  AccessMaker maker(getContext(), rank);
  return {readRow(maker, rank, axis, axis), maker.writeIdentity(0, rank),
          maker.writeIdentity(1, rank)};
}

Cost TopKOp::getCost() {
  int64_t k = std::max<int64_t>(getK(), 1);
  Count points = parallelDomain(getInput().getType()).size();
  return streamCost(getOperation(), product(points, llvm::Log2_64_Ceil(k + 1)));
}

//===-- prefix ------------------------------------------------------------===//

LogicalResult PrefixOp::inferReturnTypes(MLIRContext *, Loc loc,
                                         ValueRange operands,
                                         DictionaryAttr attributes,
                                         OpaqueProperties properties,
                                         RegionRange regions, Types &results) {
  Adaptor op(operands, attributes, properties, regions);
  auto type = typeOf(operands[0]);
  results.push_back(type);
  return checkAxis(loc, op.getAxis(), type.getRank());
}

IterationDomain PrefixOp::getIterationDomain() {
  return parallelDomain(getType());
}

/// Of a row, only what stands on one side.
SmallVector<Access> PrefixOp::getAccesses() {
  int64_t rank = getType().getRank(), axis = getAxis();
  AccessMaker maker(getContext(), rank);
  SmallVector<AffineExpr> read = maker.dims(0, rank);
  read[axis] = maker.any(axis);
  return {maker.read(0, read, AccessKind::Over), maker.writeIdentity(0, rank)};
}

Cost PrefixOp::getCost() { return domainCost(getOperation(), 1); }

//===-- det ---------------------------------------------------------------===//

LogicalResult DetOp::inferReturnTypes(MLIRContext *, Loc loc,
                                      ValueRange operands, DictionaryAttr,
                                      OpaqueProperties, RegionRange,
                                      Types &results) {
  auto type = typeOf(operands[0]);
  Dims dims = dimsOf(type);
  if (dims.size() < 2 || dims[dims.size() - 1] != dims[dims.size() - 2])
    return refuse(loc, "needs square matrices, got " + shapeText(type));
  dims.pop_back_n(2);
  results.push_back(typeFromDims(dims, type.getElementType()));
  return success();
}

IterationDomain DetOp::getIterationDomain() {
  return parallelDomain(getType());
}

SmallVector<Access> DetOp::getAccesses() {
  int64_t rank = getType().getRank();
  AccessMaker maker(getContext(), rank);
  SmallVector<AffineExpr> read = maker.dims(0, rank);
  read.append({maker.any(rank), maker.any(rank + 1)});
  return {maker.read(0, read), maker.writeIdentity(0, rank)};
}

Cost DetOp::getCost() {
  int64_t n = getInput().getType().getShape().back();
  bool isKnown = !ShapedType::isDynamic(n);
  return domainCost(getOperation(),
                    isKnown ? Count(2 * n * n * n / 3) : std::nullopt);
}

//===-- layer_norm --------------------------------------------------------===//

LogicalResult LayerNormOp::inferReturnTypes(
    MLIRContext *, Loc loc, ValueRange operands, DictionaryAttr attributes,
    OpaqueProperties properties, RegionRange regions, Types &results) {
  Adaptor op(operands, attributes, properties, regions);
  auto type = typeOf(operands[0]);
  for (Value operand : operands.drop_front()) {
    if (typeOf(operand).getElementType() != type.getElementType())
      return refuse(loc, "element types of the operands differ");
    if (!broadcastsTo(typeOf(operand), type))
      return refuse(loc, "scale and bias must broadcast to the input: " +
                             shapeText(operand.getType()) + " and " +
                             shapeText(type));
  }
  results.push_back(type);
  return checkAxis(loc, op.getAxis(), type.getRank());
}

IterationDomain LayerNormOp::getIterationDomain() {
  return parallelDomain(getType());
}

SmallVector<Access> LayerNormOp::getAccesses() {
  int64_t rank = getType().getRank();
  AccessMaker maker(getContext(), rank);
  SmallVector<Access> accesses = {readRow(maker, rank, getAxis(), rank - 1)};
  for (unsigned number = 1; number < getOperation()->getNumOperands(); ++number)
    accesses.push_back(maker.readBroadcast(
        number, typeOf(getOperation()->getOperand(number)), getType()));
  accesses.push_back(maker.writeIdentity(0, rank));
  return accesses;
}

Cost LayerNormOp::getCost() { return domainCost(getOperation(), 8); }

FailureOr<SmallVector<Value>> LayerNormOp::decompose(OpBuilder &builder) {
  Location loc = getLoc();
  auto type = getType();
  auto axes = llvm::to_vector(llvm::seq<int64_t>(getAxis(), type.getRank()));
  Value mean = ReduceMeanOp::create(builder, loc, getInput(), axes, true);
  Value centred = SubOp::create(builder, loc, getInput(), mean);
  Value square = MulOp::create(builder, loc, centred, centred);
  Value variance = ReduceMeanOp::create(builder, loc, square, axes, true);
  auto scalar = RankedTensorType::get({}, type.getElementType());
  Attribute epsilon = builder.getFloatAttr(type.getElementType(),
                                           getEpsilon().convertToDouble());
  Value small = ConstantOp::create(builder, loc, scalar,
                                   DenseElementsAttr::get(scalar, epsilon));
  Value stable = AddOp::create(builder, loc, variance, small);
  Value factor = RsqrtOp::create(builder, loc, stable);
  Value result = MulOp::create(builder, loc, centred, factor);
  result = MulOp::create(builder, loc, result, getScale());
  if (getBias())
    result = AddOp::create(builder, loc, result, getBias());
  return SmallVector<Value>{result};
}
