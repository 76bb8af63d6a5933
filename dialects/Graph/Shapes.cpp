//===- Shapes.cpp - dimensions, static and symbolic -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file converts between types and dimension lists, broadcasts, and counts
// bytes.
//===----------------------------------------------------------------------===//
#include "dialects/Graph/Shapes.h"

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

int64_t graph::sizeOf(Attribute dim) {
  auto size = dyn_cast_or_null<IntegerAttr>(dim);
  return size ? size.getInt() : ShapedType::kDynamic;
}

Dims graph::dimsOf(RankedTensorType type) {
  auto symbols = dyn_cast_or_null<DimsAttr>(type.getEncoding());
  Dims dims;
  for (auto [index, size] : llvm::enumerate(type.getShape())) {
    if (ShapedType::isDynamic(size) && symbols)
      dims.push_back(symbols.getDims()[index]);
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
  bool hasSymbol = llvm::any_of(
      dims, [](Attribute dim) { return isa_and_nonnull<StringAttr>(dim); });
  if (!hasSymbol || llvm::is_contained(dims, Attribute()))
    return RankedTensorType::get(shape, element);
  MLIRContext *context = element.getContext();
  auto encoding = DimsAttr::get(context, ArrayAttr::get(context, dims));
  return RankedTensorType::get(shape, element, encoding);
}

bool graph::mayBeEqual(Attribute a, Attribute b) {
  return sizeOf(a) == sizeOf(b) || ShapedType::isDynamic(sizeOf(a)) ||
         ShapedType::isDynamic(sizeOf(b));
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
  int64_t left = 1, right = 1;
  auto take = [](const Dims &dims, unsigned &end, int64_t &product) {
    if (end == dims.size() || ShapedType::isDynamic(sizeOf(dims[end])))
      return false;
    product *= sizeOf(dims[end++]);
    return true;
  };
  do {
    bool moved = left <= right && fromEnd < from.size()
                     ? take(from, fromEnd, left)
                     : take(to, toEnd, right);
    if (!moved && !(left <= right && take(to, toEnd, right)) &&
        !(left > right && take(from, fromEnd, left)))
      return false;
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
  return staticA ? a : staticB ? b : Attribute();
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

int64_t graph::tensorBytes(Type type) {
  auto tensor = cast<RankedTensorType>(type);
  int64_t bytes = elementBytes(tensor.getElementType());
  for (int64_t size : tensor.getShape())
    bytes *= ShapedType::isDynamic(size) ? 1 : size;
  return bytes;
}

bool graph::isEmpty(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && tensor.hasStaticShape() && tensor.getNumElements() == 0;
}

//===-- #graph.dims -------------------------------------------------------===//

LogicalResult DimsAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                               ArrayAttr dims) {
  for (Attribute dim : dims) {
    auto name = dyn_cast<StringAttr>(dim);
    auto size = dyn_cast<IntegerAttr>(dim);
    if (name && name.empty())
      return emitError() << "a symbol needs a name";
    if (size && (!size.getType().isInteger(64) || size.getInt() < 0))
      return emitError() << "a size is an i64 of at least 0, not " << dim;
    if (!name && !size)
      return emitError() << "a dimension is a size or a name, not " << dim;
  }
  return success();
}

LogicalResult
DimsAttr::verifyEncoding(ArrayRef<int64_t> shape, Type elementType,
                         function_ref<InFlightDiagnostic()> emitError) const {
  if (shape.size() != getDims().size())
    return emitError() << "the encoding has " << getDims().size()
                       << " dimensions, the type " << shape.size();
  for (auto [size, dim] : llvm::zip(shape, getDims()))
    if (sizeOf(dim) != size)
      return emitError() << "dimension " << dim
                         << " of the encoding disagrees with the type";
  return success();
}
