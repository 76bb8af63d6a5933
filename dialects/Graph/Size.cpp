//===- Size.cpp - numbers that are known when a program runs --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dialects/Graph/Size.h"

#include "dialects/Graph/DerivedDims.h"
#include "dialects/Graph/Shapes.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::graph;

Size::Size(Attribute dim) {
  if (auto integer = dyn_cast<IntegerAttr>(dim))
    number = integer.getInt();
  else
    expr = dim;
}

int64_t Size::fixed() const {
  assert(isFixed() && "a size that depends on symbols");
  return number;
}

Attribute Size::dim(MLIRContext *context) const {
  return expr ? expr : sizeDim(context, number);
}

bool Size::isMultipleOf(int64_t divisor) const {
  if (isFixed())
    return number % divisor == 0;
  return contentOf(expr).factor % divisor == 0;
}

Size Size::floorDiv(int64_t divisor) const {
  if (isFixed())
    return number / divisor - (number % divisor < 0);
  return Size(floorDivDim(expr, divisor));
}

Size Size::ceilDiv(int64_t divisor) const {
  return (*this + (divisor - 1)).floorDiv(divisor);
}

static MLIRContext *contextOf(const Size &a, const Size &b) {
  return (a.isFixed() ? b : a).symbolic().getContext();
}

Size graph::operator+(const Size &a, const Size &b) {
  if (a.isFixed() && b.isFixed())
    return a.number + b.number;
  MLIRContext *context = contextOf(a, b);
  return Size(addDims(a.dim(context), b.dim(context)));
}

Size graph::operator-(const Size &a, const Size &b) {
  if (a.isFixed() && b.isFixed())
    return a.number - b.number;
  MLIRContext *context = contextOf(a, b);
  return Size(subtractDims(a.dim(context), b.dim(context)));
}

Size graph::operator*(const Size &a, const Size &b) {
  if (a.isFixed() && b.isFixed())
    return a.number * b.number;
  MLIRContext *context = contextOf(a, b);
  return Size(multiplyDims(a.dim(context), b.dim(context)));
}

std::optional<Size> graph::quotientOf(const Size &size, const Size &divisor) {
  if (size.isFixed() && divisor.isFixed()) {
    bool divides = divisor.fixed() != 0 && size.fixed() % divisor.fixed() == 0;
    return divides ? std::optional(Size(size.fixed() / divisor.fixed()))
                   : std::nullopt;
  }
  MLIRContext *context = contextOf(size, divisor);
  Attribute quotient = divideDims(size.dim(context), divisor.dim(context));
  return quotient ? std::optional(Size(quotient)) : std::nullopt;
}

Size graph::productOf(ArrayRef<Size> sizes) {
  Size product = 1;
  for (const Size &size : sizes)
    product *= size;
  return product;
}

Sizes graph::sizesOf(Type tensor) {
  Sizes sizes;
  for (Attribute dim : dimsOf(cast<RankedTensorType>(tensor)))
    sizes.push_back(Size(dim));
  return sizes;
}

Sizes graph::denseStrides(ArrayRef<Size> shape) {
  Sizes strides(shape.size(), 1);
  for (size_t i = shape.size(); i-- > 1;)
    strides[i - 1] = strides[i] * shape[i];
  return strides;
}

Size graph::broadcastStride(const Size &size, const Size &extent,
                            const Size &stride) {
  if (size.is(1))
    return 0;
  if (size.isFixed() || size == extent)
    return stride;
  MLIRContext *context = size.symbolic().getContext();
  Attribute one = sizeDim(context, 1);
  return Size(minDims(subtractDims(size.symbolic(), one), one)) * stride;
}
