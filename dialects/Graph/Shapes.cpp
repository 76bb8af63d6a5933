//===- Shapes.cpp - dimensions, static and symbolic -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file converts between types and dimension lists, broadcasts, and counts
// bytes.
//===----------------------------------------------------------------------===//
#include "dialects/Graph/Shapes.h"

#include "dialects/Graph/DerivedDims.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::graph;

//===-- Dimension lists ---------------------------------------------------===//

Attribute graph::sizeDim(MLIRContext *context, int64_t size) {
  if (ShapedType::isDynamic(size))
    return {};
  return IntegerAttr::get(IntegerType::get(context, 64), size);
}

bool graph::isSymbolic(Attribute dim) {
  return isa_and_nonnull<StringAttr, DimExprAttr>(dim);
}

int64_t graph::sizeOf(Attribute dim) {
  auto size = dyn_cast_or_null<IntegerAttr>(dim);
  return size ? size.getInt() : ShapedType::kDynamic;
}

/// An entry of #graph.dims, which has the unit attribute for null.
static Attribute knownDim(Attribute entry) {
  return isa<UnitAttr>(entry) ? Attribute() : entry;
}

Dims graph::dimsOf(RankedTensorType type) {
  auto symbols = dyn_cast_or_null<DimsAttr>(type.getEncoding());
  Dims dims;
  for (auto [index, size] : llvm::enumerate(type.getShape())) {
    if (ShapedType::isDynamic(size) && symbols)
      dims.push_back(knownDim(symbols.getDims()[index]));
    else
      dims.push_back(sizeDim(type.getContext(), size));
  }
  return dims;
}

Dims graph::dimsOf(Value value) {
  return dimsOf(cast<RankedTensorType>(value.getType()));
}

RankedTensorType graph::typeFromDims(ArrayRef<Attribute> dims, Type element) {
  auto shape = llvm::map_to_vector(dims, sizeOf);
  if (!llvm::any_of(dims, isSymbolic))
    return RankedTensorType::get(shape, element);
  return RankedTensorType::get(shape, element,
                               dimsAttr(element.getContext(), dims));
}

DimsAttr graph::dimsAttr(MLIRContext *context, ArrayRef<Attribute> dims) {
  auto entries = llvm::map_to_vector(
      dims, [&](Attribute dim) { return dim ? dim : UnitAttr::get(context); });
  return DimsAttr::get(context, ArrayAttr::get(context, entries));
}

SplitDims graph::splitDims(MLIRContext *context, ArrayRef<Attribute> dims) {
  SplitDims split;
  split.numbers = llvm::map_to_vector(dims, sizeOf);
  if (llvm::any_of(dims, isSymbolic))
    split.dims = dimsAttr(context, dims);
  return split;
}

bool graph::mayBeEqual(Attribute a, Attribute b) {
  if (a == b || !a || !b)
    return true;
  int64_t difference = sizeOf(subtractDims(a, b));
  return ShapedType::isDynamic(difference) || difference == 0;
}

Attribute graph::unify(Attribute a, Attribute b) {
  if (isa_and_nonnull<IntegerAttr>(a) || !b)
    return a;
  return isa<IntegerAttr>(b) || !a ? b : a;
}

unsigned graph::countUnknown(RankedTensorType type) {
  return llvm::count(dimsOf(type), Attribute());
}

RankedTensorType graph::permuted(RankedTensorType type,
                                 ArrayRef<int64_t> permutation) {
  Dims dims = dimsOf(type);
  auto moved = llvm::map_to_vector(permutation,
                                   [&](int64_t from) { return dims[from]; });
  return typeFromDims(moved, type.getElementType());
}

RankedTensorType graph::withShape(RankedTensorType type,
                                  ArrayRef<int64_t> shape) {
  return RankedTensorType::get(shape, type.getElementType());
}

int64_t graph::channelDim(Layout layout, int64_t rank) {
  return layout == Layout::NCHW ? 1 : rank - 1;
}

//===-- Reshapes ----------------------------------------------------------===//

/// The number 1, of two shapes that are not both empty.
static Attribute one(const Dims &from, const Dims &to) {
  for (const Dims *dims : {&from, &to})
    for (Attribute dim : *dims)
      if (dim)
        return sizeDim(dim.getContext(), 1);
  return {};
}

/// Whether `left` is `right` or is to be multiplied to become it; nothing if
/// that cannot be said for all values of their symbols.
static std::optional<bool> precedes(Attribute left, Attribute right) {
  if (left == right)
    return true;
  if (!left || !right)
    return std::nullopt;
  int64_t a = sizeOf(left), b = sizeOf(right);
  if (!ShapedType::isDynamic(a) && !ShapedType::isDynamic(b))
    return a <= b;
  if (a == 0 || b == 0)
    return std::nullopt;
  if (divideDims(right, left))
    return true;
  if (divideDims(left, right))
    return false;
  return std::nullopt;
}

bool ReshapeRuns::next() {
  fromBegin = fromEnd;
  toBegin = toEnd;
  if (fromEnd == from.size() && toEnd == to.size())
    return false;
  if (fromEnd < from.size() && toEnd < to.size() &&
      from[fromEnd] == to[toEnd] && from[fromEnd]) {
    ++fromEnd, ++toEnd;
    return true;
  }
  Attribute left = one(from, to), right = left;
  auto take = [](const Dims &dims, unsigned &end, Attribute &product) {
    if (end == dims.size() || !dims[end])
      return false;
    product = multiplyDims(product, dims[end++]);
    return true;
  };
  // Where no run ends is no end of both.
  auto stay = [&] {
    fromEnd = fromBegin;
    toEnd = toBegin;
    return false;
  };
  do {
    auto isLess = precedes(left, right);
    if (!isLess)
      return stay();
    bool moved = *isLess && fromEnd < from.size() ? take(from, fromEnd, left)
                                                  : take(to, toEnd, right);
    if (!moved && !(*isLess && take(to, toEnd, right)) &&
        !(!*isLess && take(from, fromEnd, left)))
      return stay();
  } while (left != right);
  return true;
}

//===-- Broadcasting ------------------------------------------------------===//

/// The dimension that `a` and `b` broadcast to; failure if they do not.
static FailureOr<Attribute> broadcastDim(Attribute a, Attribute b) {
  int64_t sizeA = sizeOf(a), sizeB = sizeOf(b);
  if (sizeA == 1 || a == b)
    return b;
  if (sizeB == 1)
    return a;
  bool staticA = !ShapedType::isDynamic(sizeA);
  bool staticB = !ShapedType::isDynamic(sizeB);
  if (staticA && staticB)
    return failure();
  // A symbol beside a size above one is either that size or 1.
  if (staticA || staticB || !a || !b)
    return staticA ? a : staticB ? b : Attribute();
  return broadcastSymbols(a, b);
}

FailureOr<RankedTensorType>
graph::broadcastTypes(ArrayRef<RankedTensorType> types, Type elementType) {
  int64_t rank = 0;
  for (RankedTensorType type : types)
    rank = std::max(rank, type.getRank());
  Dims result(rank, sizeDim(elementType.getContext(), 1));
  for (RankedTensorType type : types) {
    int64_t offset = rank - type.getRank();
    for (auto [index, dim] : llvm::enumerate(dimsOf(type))) {
      auto joined = broadcastDim(result[offset + index], dim);
      if (failed(joined))
        return failure();
      result[offset + index] = *joined;
    }
  }
  return typeFromDims(result, elementType);
}

bool graph::broadcastsTo(RankedTensorType type, RankedTensorType result) {
  if (type.getRank() > result.getRank())
    return false;
  Dims to = dimsOf(result);
  int64_t offset = result.getRank() - type.getRank();
  for (auto [index, dim] : llvm::enumerate(dimsOf(type)))
    if (sizeOf(dim) != 1 && !mayBeEqual(dim, to[offset + index]))
      return false;
  return true;
}

//===-- Sizes -------------------------------------------------------------===//

int64_t graph::elementBytes(Type elementType) {
  // Arguments of a function may have types that no operation takes.
  if (!elementType.isIntOrFloat())
    return 8;
  return (elementType.getIntOrFloatBitWidth() + 7) / 8;
}

std::optional<int64_t> graph::tensorBytes(Type type) {
  auto tensor = cast<RankedTensorType>(type);
  if (!tensor.hasStaticShape())
    return std::nullopt;
  return elementBytes(tensor.getElementType()) * tensor.getNumElements();
}

bool graph::isEmpty(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && tensor.hasStaticShape() && tensor.getNumElements() == 0;
}

//===-- #graph.dims -------------------------------------------------------===//

LogicalResult DimsAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                               ArrayAttr dims) {
  for (Attribute dim : dims) {
    auto size = dyn_cast<IntegerAttr>(dim);
    bool isNumber = size && size.getType().isInteger(64);
    if (!isNumber && !isSymbolic(dim) && !isa<UnitAttr>(dim))
      return emitError() << dim << " is no dimension";
  }
  return success();
}

LogicalResult
DimsAttr::verifyEncoding(ArrayRef<int64_t> shape, Type elementType,
                         function_ref<InFlightDiagnostic()> emitError) const {
  if (shape.size() != getDims().size())
    return emitError() << "the encoding has " << getDims().size()
                       << " dimensions, the type " << shape.size();
  for (auto [size, dim] : llvm::zip(shape, getDims())) {
    if (auto number = dyn_cast<IntegerAttr>(dim); number && number.getInt() < 0)
      return emitError() << "a size is an i64 of at least 0, not "
                         << number.getInt();
    if (sizeOf(dim) != size)
      return emitError() << "dimension " << dimText(knownDim(dim))
                         << " of the encoding disagrees with the type";
  }
  return success();
}
