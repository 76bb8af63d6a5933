//===- Arrays.cpp - tensors of numbers and of strings alike ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Interpreter/Arrays.h"

#include <cstring>
#include <numeric>

using namespace mlir;
using namespace tenon::interp;

int64_t tenon::interp::countOf(const Datum &array) {
  return product(array.getShape());
}

std::optional<int64_t> tenon::interp::oneNumber(const Datum &datum) {
  const Tensor *tensor = datum.tensor();
  if (!tensor || tensor->size() != 1 || isReal(tensor->getElementType()))
    return std::nullopt;
  return loadAll<int64_t>(*tensor).front();
}

Tensor tenon::interp::numbersOf(MLIRContext *context, Shape shape,
                                const std::vector<int64_t> &numbers) {
  Tensor tensor = Tensor::allocate(
      RankedTensorType::get(shape, IntegerType::get(context, 64)));
  if (tensor)
    storeAll(tensor, numbers);
  return tensor;
}

Tensor tenon::interp::numberOf(MLIRContext *context, int64_t number) {
  return numbersOf(context, {}, {number});
}

Tensor tenon::interp::truthOf(MLIRContext *context, bool truth) {
  Tensor tensor =
      Tensor::allocate(RankedTensorType::get({}, IntegerType::get(context, 1)));
  if (tensor)
    tensor.mutableBytes().front() = truth;
  return tensor;
}

Datum tenon::interp::emptyArray(RankedTensorType type) {
  if (elementSize(type.getElementType()))
    return Tensor::allocate(type);
  return Strings(type, {});
}

static RankedTensorType typeOf(const Datum &array, Shape shape) {
  return RankedTensorType::get(shape, array.arrayType().getElementType());
}

Datum tenon::interp::reshaped(const Datum &array, Shape shape) {
  RankedTensorType type = typeOf(array, shape);
  if (array.tensor())
    return array.tensor()->withType(type);
  return array.strings()->withType(type);
}

Datum tenon::interp::pick(const Datum &from, Shape shape,
                          const std::vector<int64_t> &positions) {
  RankedTensorType type = typeOf(from, shape);
  if (from.strings()) {
    std::vector<std::string> elements;
    for (int64_t position : positions)
      elements.push_back(from.strings()->elements()[position]);
    return Strings(type, std::move(elements));
  }
  Tensor picked = Tensor::allocate(type);
  if (!picked)
    return Datum();
  size_t size = *elementSize(type.getElementType());
  for (auto [index, position] : llvm::enumerate(positions))
    std::memcpy(picked.mutableBytes().data() + index * size,
                from.tensor()->bytes().data() + position * size, size);
  return picked;
}

Datum tenon::interp::pickSlices(const Datum &from, int64_t axis,
                                ArrayRef<int64_t> indices) {
  Shape shape = from.getShape();
  int64_t outer = product(shape.take_front(axis));
  int64_t inner = product(shape.drop_front(axis + 1));
  std::vector<int64_t> positions;
  for (int64_t row = 0; row < outer; ++row)
    for (int64_t index : indices)
      for (int64_t i = 0; i < inner; ++i)
        positions.push_back((row * shape[axis] + index) * inner + i);
  SmallVector<int64_t> picked(shape);
  picked[axis] = indices.size();
  return pick(from, picked, positions);
}

//===-- Joining -----------------------------------------------------------===//

/// The elements of all arrays, one array behind the other; of rank 1.
static Datum chain(ArrayRef<Datum> arrays) {
  int64_t count = 0;
  for (const Datum &array : arrays)
    count += countOf(array);
  RankedTensorType type = typeOf(arrays.front(), {count});
  if (arrays.front().strings()) {
    std::vector<std::string> elements;
    for (const Datum &array : arrays)
      llvm::append_range(elements, array.strings()->elements());
    return Strings(type, std::move(elements));
  }
  Tensor chained = Tensor::allocate(type);
  if (!chained)
    return Datum();
  char *to = chained.mutableBytes().data();
  for (const Datum &array : arrays)
    to = llvm::copy(array.tensor()->bytes(), to);
  return chained;
}

/// For each element of the arrays side by side along `axis`, in the order of
/// the outcome, where it is in their chain.
static std::vector<int64_t> joinedPositions(ArrayRef<Datum> arrays,
                                            int64_t axis) {
  std::vector<int64_t> positions;
  int64_t outer = product(arrays.front().getShape().take_front(axis));
  for (int64_t row = 0; row < outer; ++row) {
    int64_t begin = 0;
    for (const Datum &array : arrays) {
      int64_t slab = product(array.getShape().drop_front(axis));
      for (int64_t i = 0; i < slab; ++i)
        positions.push_back(begin + row * slab + i);
      begin += countOf(array);
    }
  }
  return positions;
}

/// Whether arrays are equal in all but the extent along `axis`.
static bool fitTogether(const Datum &a, const Datum &b, int64_t axis) {
  if (!a.arrayType() || !b.arrayType() ||
      a.arrayType().getElementType() != b.arrayType().getElementType() ||
      a.getShape().size() != b.getShape().size())
    return false;
  for (auto [dim, extents] :
       llvm::enumerate(llvm::zip(a.getShape(), b.getShape())))
    if (int64_t(dim) != axis && std::get<0>(extents) != std::get<1>(extents))
      return false;
  return true;
}

Datum tenon::interp::join(ArrayRef<Datum> arrays, int64_t axis, bool isNewAxis,
                          std::string &reason) {
  for (const Datum &array : arrays.drop_front())
    if (!fitTogether(arrays.front(), array, isNewAxis ? -1 : axis)) {
      reason = "do not fit together: " + arrays.front().describe() + " and " +
               array.describe();
      return Datum();
    }
  Data widened;
  int64_t extent = 0;
  for (const Datum &array : arrays) {
    SmallVector<int64_t> shape(array.getShape());
    if (isNewAxis)
      shape.insert(shape.begin() + axis, 1);
    extent += shape[axis];
    widened.push_back(reshaped(array, shape));
  }
  SmallVector<int64_t> shape(widened.front().getShape());
  shape[axis] = extent;
  Datum chained = chain(widened);
  Datum joined =
      chained ? pick(chained, shape, joinedPositions(widened, axis)) : Datum();
  if (!joined)
    reason = "are too large";
  return joined;
}
