//===- Build.cpp - graph operations in few words --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/Differentiate/Build.h"

#include "mlir/IR/BuiltinAttributes.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::differentiate;

RankedTensorType differentiate::typeOf(Value value) {
  return cast<RankedTensorType>(value.getType());
}

ArrayRef<int64_t> differentiate::shapeOf(Value value) {
  return typeOf(value).getShape();
}

int64_t differentiate::rankOf(Value value) { return typeOf(value).getRank(); }

//===-- Constants ---------------------------------------------------------===//

Value Build::number(double value, Value like) {
  return filled(value,
                RankedTensorType::get({}, typeOf(like).getElementType()));
}

Value Build::filled(double value, RankedTensorType type) {
  TypedAttr element;
  if (isa<FloatType>(type.getElementType()))
    element = builder.getFloatAttr(type.getElementType(), value);
  else
    element = IntegerAttr::get(type.getElementType(), int64_t(value));
  return make<graph::ConstantOp>(
      type, DenseElementsAttr::get(type, Attribute(element)));
}

Value Build::numbers(ArrayRef<double> values, RankedTensorType type) {
  SmallVector<Attribute> elements;
  for (double value : values)
    elements.push_back(builder.getFloatAttr(type.getElementType(), value));
  return make<graph::ConstantOp>(type, DenseElementsAttr::get(type, elements));
}

Value Build::integers(ArrayRef<int64_t> values) {
  auto type =
      RankedTensorType::get({int64_t(values.size())}, builder.getI64Type());
  return make<graph::ConstantOp>(type, DenseElementsAttr::get(type, values));
}

Value Build::counter(int64_t rank, int64_t axis, int64_t extent) {
  Shape shape(rank, 1);
  shape[axis] = extent;
  return make<graph::IotaOp>(RankedTensorType::get(shape, builder.getI64Type()),
                             axis, APFloat(0.0), APFloat(1.0));
}

//===-- Sums and shapes ---------------------------------------------------===//

Value Build::castTo(Value a, Type element) {
  if (typeOf(a).getElementType() == element)
    return a;
  return make<graph::CastOp>(typeOf(a).clone(element), a);
}

Value Build::sum(Value a, ArrayRef<int64_t> axes) {
  return make<graph::ReduceSumOp>(a, axes, true);
}

Value Build::mean(Value a, ArrayRef<int64_t> axes) {
  return make<graph::ReduceMeanOp>(a, axes, true);
}

Value Build::reshape(Value a, ArrayRef<int64_t> shape) {
  if (shapeOf(a) == shape)
    return a;
  return make<graph::ReshapeOp>(
      RankedTensorType::get(shape, typeOf(a).getElementType()), a);
}

Value Build::broadcast(Value a, ArrayRef<int64_t> shape) {
  if (shapeOf(a) == shape)
    return a;
  return make<graph::BroadcastOp>(
      RankedTensorType::get(shape, typeOf(a).getElementType()), a);
}

Value Build::transpose(Value a, ArrayRef<int64_t> permutation) {
  if (llvm::is_sorted(permutation))
    return a;
  return make<graph::TransposeOp>(a, permutation);
}

Value Build::transposeBack(Value a, ArrayRef<int64_t> permutation) {
  Shape inverse(permutation.size());
  for (auto [to, from] : llvm::enumerate(permutation))
    inverse[from] = to;
  return transpose(a, inverse);
}

Value Build::slice(Value a, ArrayRef<int64_t> starts, ArrayRef<int64_t> sizes,
                   ArrayRef<int64_t> steps) {
  return make<graph::SliceOp>(a, starts, sizes, steps);
}

Value Build::part(Value a, int64_t axis, int64_t start, int64_t size) {
  Shape starts(rankOf(a), 0), sizes(shapeOf(a)), steps(rankOf(a), 1);
  starts[axis] = start;
  sizes[axis] = size;
  return slice(a, starts, sizes, steps);
}

Value Build::reverse(Value a, int64_t axis) {
  Shape starts(rankOf(a), 0), steps(rankOf(a), 1);
  starts[axis] = shapeOf(a)[axis] - 1;
  steps[axis] = -1;
  return slice(a, starts, shapeOf(a), steps);
}

Value Build::pad(Value a, ArrayRef<int64_t> low, ArrayRef<int64_t> high) {
  auto isZero = [](int64_t width) { return width == 0; };
  if (llvm::all_of(low, isZero) && llvm::all_of(high, isZero))
    return a;
  return make<graph::PadOp>(a, number(0, a), low, high);
}

Value Build::sumTo(Value a, ArrayRef<int64_t> shape) {
  int64_t added = rankOf(a) - int64_t(shape.size());
  Shape axes;
  for (auto [dim, extent] : llvm::enumerate(shapeOf(a))) {
    int64_t at = int64_t(dim) - added;
    if (at < 0 || (shape[at] == 1 && extent != 1))
      axes.push_back(dim);
  }
  if (!axes.empty())
    a = make<graph::ReduceSumOp>(a, axes, false);
  return reshape(a, shape);
}

Value Build::spread(Value a, ArrayRef<int64_t> steps) {
  Shape apart, wide, low, high;
  for (auto [extent, step] : llvm::zip(shapeOf(a), steps)) {
    apart.append({extent, 1});
    wide.push_back(extent * step);
    low.append({0, 0});
    high.append({0, step - 1});
  }
  if (llvm::all_of(steps, [](int64_t step) { return step == 1; }))
    return a;
  return reshape(pad(reshape(a, apart), low, high), wide);
}

Value Build::place(Value a, ArrayRef<int64_t> starts, ArrayRef<int64_t> steps,
                   ArrayRef<int64_t> shape) {
  Shape low(starts), strides(steps), high;
  for (auto [dim, step] : llvm::enumerate(steps)) {
    if (step > 0)
      continue;
    a = reverse(a, dim);
    low[dim] += (shapeOf(a)[dim] - 1) * step;
    strides[dim] = -step;
  }
  a = spread(a, strides);
  for (auto [dim, extent] : llvm::enumerate(shape))
    high.push_back(extent - low[dim] - shapeOf(a)[dim]);
  return pad(a, low, high);
}

Value Build::placePart(Value a, int64_t axis, int64_t start, int64_t extent) {
  Shape starts(rankOf(a), 0), steps(rankOf(a), 1), shape(shapeOf(a));
  starts[axis] = start;
  shape[axis] = extent;
  return place(a, starts, steps, shape);
}
