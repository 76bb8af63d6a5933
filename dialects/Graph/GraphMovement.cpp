//===- GraphMovement.cpp - constants, views and data movement -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file implements shape functions, verifiers, domains and accesses of
// operations that compute nothing.
//===----------------------------------------------------------------------===//
#include "dialects/Graph/GraphDetail.h"

using namespace mlir;
using namespace tenon::graph;
using namespace tenon::graph::detail;

static RankedTensorType typeOf(Value value) {
  return cast<RankedTensorType>(value.getType());
}

/// What all operations of this file have in common but the accesses.
#define TENON_MOVES_DATA(OP)                                                   \
  IterationDomain OP::getIterationDomain() {                                   \
    return parallelDomain(getType());                                          \
  }                                                                            \
  Cost OP::getCost() { return streamCost(getOperation(), 0); }

TENON_MOVES_DATA(ConstantOp)
TENON_MOVES_DATA(IotaOp)
TENON_MOVES_DATA(SizesOp)
TENON_MOVES_DATA(ReshapeOp)
TENON_MOVES_DATA(BitcastOp)
TENON_MOVES_DATA(BroadcastOp)
TENON_MOVES_DATA(TransposeOp)
TENON_MOVES_DATA(SliceOp)
TENON_MOVES_DATA(ConcatOp)
TENON_MOVES_DATA(PadOp)

#undef TENON_MOVES_DATA

/// Entry `index` of a list, null for `?`.
static Attribute dimAt(DimsAttr dims, size_t index) {
  Attribute dim = dims.getDims()[index];
  return isa<UnitAttr>(dim) ? Attribute() : dim;
}

/// A number of an array, or what stands beside it where it has none.
static Attribute entryOf(int64_t number, std::optional<DimsAttr> beside,
                         size_t index, MLIRContext *context) {
  if (!ShapedType::isDynamic(number))
    return sizeDim(context, number);
  return beside ? dimAt(*beside, index) : Attribute();
}

static Dims entriesOf(ArrayRef<int64_t> numbers, std::optional<DimsAttr> beside,
                      MLIRContext *context) {
  Dims dims;
  for (auto [index, number] : llvm::enumerate(numbers))
    dims.push_back(entryOf(number, beside, index, context));
  return dims;
}

//===-- constant, iota ----------------------------------------------------===//

LogicalResult ConstantOp::verify() {
  if (getValue().getShapedType() == getType())
    return success();
  return emitOpError("has a value of type ")
         << getValue().getShapedType() << ", not of its result's";
}

SmallVector<Access> ConstantOp::getAccesses() {
  unsigned rank = getType().getRank();
  return {AccessMaker(getContext(), rank).writeIdentity(0, rank)};
}

SmallVector<Access> IotaOp::getAccesses() {
  unsigned rank = getType().getRank();
  return {AccessMaker(getContext(), rank).writeIdentity(0, rank)};
}

LogicalResult SizesOp::verify() {
  ArrayAttr dims = getDims().getDims();
  if (!getType().hasStaticShape() ||
      getType().getNumElements() != int64_t(dims.size()))
    return emitOpError("has ") << dims.size() << " numbers for a result of "
                               << shapeText(getType());
  if (llvm::any_of(dims, llvm::IsaPred<UnitAttr>))
    return emitOpError("has a number that is not known");
  return success();
}

SmallVector<Access> SizesOp::getAccesses() {
  unsigned rank = getType().getRank();
  return {AccessMaker(getContext(), rank).writeIdentity(0, rank)};
}

//===-- reshape -----------------------------------------------------------===//

LogicalResult ReshapeOp::verify() {
  auto from = getInput().getType(), to = getType();
  if (from.getElementType() != to.getElementType())
    return emitOpError("changes the element type");
  if (from.hasStaticShape() && to.hasStaticShape() &&
      from.getNumElements() != to.getNumElements())
    return emitOpError("changes the number of elements from ")
           << from.getNumElements() << " to " << to.getNumElements();
  return success();
}

LogicalResult BitcastOp::verify() {
  Type from = getInput().getType().getElementType();
  Type to = getType().getElementType();
  if (dimsOf(getInput()) != dimsOf(getResult()))
    return emitOpError("changes the shape from ")
           << shapeText(getInput().getType()) << " to " << shapeText(getType());
  if (from.getIntOrFloatBitWidth() != to.getIntOrFloatBitWidth())
    return emitOpError("changes the width of ") << from << " to that of " << to;
  return success();
}

SmallVector<Access> BitcastOp::getAccesses() {
  unsigned rank = getType().getRank();
  AccessMaker maker(getContext(), rank);
  return {maker.readIdentity(0, rank), maker.writeIdentity(0, rank)};
}

SmallVector<Access> ReshapeOp::getAccesses() {
  auto input = getInput().getType();
  unsigned rank = getType().getRank();
  AccessMaker maker(getContext(), rank);
  SmallVector<AffineExpr> read;
  for (int64_t dim = 0; dim < input.getRank(); ++dim)
    read.push_back(maker.any(dim));
  ReshapeRuns runs(dimsOf(input), dimsOf(getType()));
  AccessKind kind = AccessKind::Exact;
  while (runs.next()) {
    if (runs.fromEnd - runs.fromBegin == 1 && runs.toEnd - runs.toBegin == 1) {
      read[runs.fromBegin] = maker.dim(runs.toBegin);
      continue;
    }
    auto isOpen = [](Attribute dim) { return isSymbolic(dim); };
    if (std::any_of(runs.from.begin() + runs.fromBegin,
                    runs.from.begin() + runs.fromEnd, isOpen) ||
        std::any_of(runs.to.begin() + runs.toBegin,
                    runs.to.begin() + runs.toEnd, isOpen)) {
      kind = AccessKind::Over;
      continue;
    }
    AffineExpr linear = maker.constant(0);
    for (unsigned dim = runs.toBegin; dim < runs.toEnd; ++dim)
      linear = linear * sizeOf(runs.to[dim]) + maker.dim(dim);
    for (unsigned dim = runs.fromEnd; dim-- > runs.fromBegin;) {
      int64_t size = std::max<int64_t>(sizeOf(runs.from[dim]), 1);
      bool outermost = dim == runs.fromBegin;
      read[dim] = size == 1   ? maker.constant(0)
                  : outermost ? linear
                              : linear % size;
      linear = linear.floorDiv(size);
    }
  }
  if (!runs.atEnd())
    kind = AccessKind::Over;
  return {maker.read(0, read, kind), maker.writeIdentity(0, rank)};
}

//===-- broadcast, transpose ----------------------------------------------===//

LogicalResult BroadcastOp::verify() {
  if (getInput().getType().getElementType() != getType().getElementType())
    return emitOpError("changes the element type");
  if (!broadcastsTo(getInput().getType(), getType()))
    return emitOpError("cannot broadcast ")
           << shapeText(getInput().getType()) << " to " << shapeText(getType());
  return success();
}

SmallVector<Access> BroadcastOp::getAccesses() {
  AccessMaker maker(getContext(), getType().getRank());
  return {maker.readBroadcast(0, getInput().getType(), getType()),
          maker.writeIdentity(0, getType().getRank())};
}

LogicalResult TransposeOp::inferReturnTypes(
    MLIRContext *, Loc loc, ValueRange operands, DictionaryAttr attributes,
    OpaqueProperties properties, RegionRange regions, Types &results) {
  Adaptor op(operands, attributes, properties, regions);
  auto type = typeOf(operands[0]);
  SmallVector<int64_t> sorted(op.getPermutation());
  llvm::sort(sorted);
  if (!llvm::equal(sorted, llvm::seq<int64_t>(0, type.getRank())))
    return refuse(loc, "permutation must name each of the " +
                           Twine(type.getRank()) + " dimensions once");
  results.push_back(permuted(type, op.getPermutation()));
  return success();
}

SmallVector<Access> TransposeOp::getAccesses() {
  unsigned rank = getType().getRank();
  AccessMaker maker(getContext(), rank);
  SmallVector<AffineExpr> read(rank);
  for (auto [to, from] : llvm::enumerate(getPermutation()))
    read[from] = maker.dim(to);
  return {maker.read(0, read), maker.writeIdentity(0, rank)};
}

//===-- slice -------------------------------------------------------------===//

LogicalResult SliceOp::inferReturnTypes(MLIRContext *context, Loc loc,
                                        ValueRange operands,
                                        DictionaryAttr attributes,
                                        OpaqueProperties properties,
                                        RegionRange regions, Types &results) {
  Adaptor op(operands, attributes, properties, regions);
  auto type = typeOf(operands[0]);
  size_t rank = type.getRank();
  if (op.getStarts().size() != rank || op.getSizes().size() != rank ||
      op.getSteps().size() != rank)
    return refuse(loc,
                  "starts, sizes and steps need " + Twine(rank) + " entries");
  for (std::optional<DimsAttr> given : {op.getStartDims(), op.getSizeDims()})
    if (given && given->getDims().size() != rank)
      return refuse(loc, "start_dims and size_dims need " + Twine(rank) +
                             " entries");
  Dims in = dimsOf(type), dims;
  for (size_t index = 0; index < rank; ++index) {
    int64_t size = op.getSizes()[index];
    // The size of a symbolic dimension that is kept whole is kDynamic.
    if (size < 0 && !ShapedType::isDynamic(size))
      return refuse(loc, "sizes must not be negative");
    Attribute dim = sizeDim(context, size);
    if (!dim && op.getSizeDims())
      dim = dimAt(*op.getSizeDims(), index);
    dims.push_back(dim ? dim : in[index]);
  }
  results.push_back(typeFromDims(dims, type.getElementType()));
  return success();
}

LogicalResult SliceOp::verify() {
  auto shape = getInput().getType().getShape();
  for (auto [index, extent] : llvm::enumerate(shape)) {
    int64_t start = getStarts()[index], size = getSizes()[index];
    int64_t step = getSteps()[index];
    if (step == 0)
      return emitOpError("has a step of zero");
    if (size < 0 && !ShapedType::isDynamic(size))
      return emitOpError("has a negative size");
    if (ShapedType::isDynamic(start) && !getStartDims())
      return emitOpError("has a start that is not known");
    if (ShapedType::isDynamic(extent) || ShapedType::isDynamic(size) ||
        ShapedType::isDynamic(start) || size == 0)
      continue;
    int64_t last = start + (size - 1) * step;
    if (std::min(start, last) < 0 || std::max(start, last) >= extent)
      return emitOpError("reads outside of dimension ")
             << index << ": from " << start << " to " << last << " of "
             << extent;
  }
  return success();
}

SmallVector<Access> SliceOp::getAccesses() {
  unsigned rank = getType().getRank();
  AccessMaker maker(getContext(), rank);
  SmallVector<AffineExpr> read;
  AccessKind kind = AccessKind::Exact;
  for (unsigned index = 0; index < rank; ++index) {
    int64_t start = getStarts()[index];
    bool known = !ShapedType::isDynamic(start);
    read.push_back(known ? maker.dim(index) * getSteps()[index] + start
                         : maker.any(index));
    kind = known ? kind : AccessKind::Over;
  }
  return {maker.read(0, read, kind), maker.writeIdentity(0, rank)};
}

Dims SliceOp::startDims() {
  return entriesOf(getStarts(), getStartDims(), getContext());
}

Dims SliceOp::sizeDims() {
  Dims sizes = entriesOf(getSizes(), getSizeDims(), getContext());
  for (auto [size, whole] : llvm::zip(sizes, dimsOf(getInput())))
    size = size ? size : whole;
  return sizes;
}

//===-- concat ------------------------------------------------------------===//

LogicalResult ConcatOp::inferReturnTypes(MLIRContext *context, Loc loc,
                                         ValueRange operands,
                                         DictionaryAttr attributes,
                                         OpaqueProperties properties,
                                         RegionRange regions, Types &results) {
  Adaptor op(operands, attributes, properties, regions);
  if (operands.empty())
    return refuse(loc, "needs an operand");
  auto first = typeOf(operands[0]);
  size_t axis = op.getAxis();
  if (axis >= static_cast<size_t>(first.getRank()))
    return refuse(loc, "axis " + Twine(static_cast<int64_t>(axis)) +
                           " is outside of rank " + Twine(first.getRank()));
  Dims dims = dimsOf(first);
  Attribute extent = sizeDim(context, 0);
  for (Value operand : operands) {
    auto type = typeOf(operand);
    if (type.getRank() != first.getRank() ||
        type.getElementType() != first.getElementType())
      return refuse(loc, "operands differ in rank or element type");
    for (auto [index, dim] : llvm::enumerate(dimsOf(type))) {
      if (index != axis && !mayBeEqual(dims[index], dim))
        return refuse(loc, "operands differ in dimension " +
                               Twine(static_cast<unsigned>(index)) + ": " +
                               shapeText(first) + " and " + shapeText(type));
      dims[index] = unify(dims[index], dim);
    }
    extent = addDims(extent, dimsOf(type)[axis]);
  }
  dims[axis] = extent;
  results.push_back(typeFromDims(dims, first.getElementType()));
  return success();
}

SmallVector<Access> ConcatOp::getAccesses() {
  unsigned rank = getType().getRank(), axis = getAxis();
  AccessMaker maker(getContext(), rank);
  SmallVector<Access> accesses;
  std::optional<Outside> outside;
  if (getInputs().size() > 1)
    outside = Outside::Nothing;
  int64_t offset = 0;
  for (auto [number, operand] : llvm::enumerate(getInputs())) {
    SmallVector<AffineExpr> read = maker.dims(0, rank);
    bool known = !ShapedType::isDynamic(offset);
    read[axis] = known ? read[axis] - offset : maker.any(axis);
    accesses.push_back(maker.read(number, read,
                                  known ? AccessKind::Exact : AccessKind::Over,
                                  known ? outside : std::nullopt));
    int64_t size = typeOf(operand).getDimSize(axis);
    offset = known && !ShapedType::isDynamic(size) ? offset + size
                                                   : ShapedType::kDynamic;
  }
  accesses.push_back(maker.writeIdentity(0, rank));
  return accesses;
}

//===-- pad ---------------------------------------------------------------===//

LogicalResult PadOp::inferReturnTypes(MLIRContext *context, Loc loc,
                                      ValueRange operands,
                                      DictionaryAttr attributes,
                                      OpaqueProperties properties,
                                      RegionRange regions, Types &results) {
  Adaptor op(operands, attributes, properties, regions);
  auto type = typeOf(operands[0]);
  size_t rank = type.getRank();
  if (op.getLow().size() != rank || op.getHigh().size() != rank)
    return refuse(loc, "low and high need " + Twine(rank) + " entries");
  if (operands.size() > 1 &&
      (typeOf(operands[1]).getRank() != 0 ||
       typeOf(operands[1]).getElementType() != type.getElementType()))
    return refuse(loc, "value must be a scalar of the input's element type");
  for (std::optional<DimsAttr> given : {op.getLowDims(), op.getHighDims()})
    if (given && given->getDims().size() != rank)
      return refuse(loc,
                    "low_dims and high_dims need " + Twine(rank) + " entries");
  Dims dims = dimsOf(type);
  for (size_t index = 0; index < rank; ++index) {
    int64_t low = op.getLow()[index], high = op.getHigh()[index];
    if (ShapedType::isDynamic(low) || ShapedType::isDynamic(high)) {
      dims[index] =
          addDims(dims[index],
                  addDims(entryOf(low, op.getLowDims(), index, context),
                          entryOf(high, op.getHighDims(), index, context)));
      continue;
    }
    int64_t width = low + high, size = sizeOf(dims[index]);
    if (width == 0)
      continue;
    if (!ShapedType::isDynamic(size) && size + width < 0)
      return refuse(loc, "crops more than dimension " +
                             Twine(static_cast<unsigned>(index)) + " has");
    if (size == 0 && op.getMode() != PadMode::Constant)
      return refuse(loc, "has nothing to repeat in dimension " +
                             Twine(static_cast<unsigned>(index)));
    dims[index] = affineDim(dims[index], 1, width);
  }
  results.push_back(typeFromDims(dims, type.getElementType()));
  return success();
}

static Outside outsideOf(PadOp op) {
  switch (op.getMode()) {
  case PadMode::Constant:
    return op.getValue() ? Outside::Value : Outside::Zero;
  case PadMode::Reflect:
    return Outside::Reflect;
  case PadMode::Edge:
    return Outside::Edge;
  case PadMode::Wrap:
    break;
  }
  return Outside::Wrap;
}

SmallVector<Access> PadOp::getAccesses() {
  unsigned rank = getType().getRank();
  AccessMaker maker(getContext(), rank);
  SmallVector<AffineExpr> read;
  AccessKind kind = AccessKind::Exact;
  for (unsigned index = 0; index < rank; ++index) {
    bool known = !ShapedType::isDynamic(getLow()[index]);
    read.push_back(known ? maker.dim(index) - getLow()[index]
                         : maker.any(index));
    kind = known ? kind : AccessKind::Over;
  }
  auto isBorder = [](int64_t width) {
    return width > 0 || ShapedType::isDynamic(width);
  };
  bool grows =
      llvm::any_of(getLow(), isBorder) || llvm::any_of(getHigh(), isBorder);
  SmallVector<Access> accesses = {maker.read(
      0, read, kind, grows ? std::optional(outsideOf(*this)) : std::nullopt)};
  // Only the border is made of it.
  if (getValue())
    accesses.push_back(maker.read(1, {}, AccessKind::Over));
  accesses.push_back(maker.writeIdentity(0, rank));
  return accesses;
}

Dims PadOp::lowDims() {
  return entriesOf(getLow(), getLowDims(), getContext());
}

Dims PadOp::highDims() {
  return entriesOf(getHigh(), getHighDims(), getContext());
}
