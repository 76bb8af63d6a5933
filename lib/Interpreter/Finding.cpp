//===- Finding.cpp - elements that meet a condition -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file says what the primitives nonzero, compress and unique do.
//===----------------------------------------------------------------------===//
#include "lib/Interpreter/Primitive.h"

#include <algorithm>
#include <numeric>

using namespace mlir;
using namespace tenon::interp;

/// Which elements are not zero.
static std::vector<int64_t> nonzeroPositions(const Tensor &tensor) {
  std::vector<int64_t> positions;
  withNumbersOf(tensor.getElementType(), [&](auto kind) {
    using W = decltype(kind);
    for (auto [position, number] : llvm::enumerate(loadAll<W>(tensor)))
      if (number != 0)
        positions.push_back(position);
  });
  return positions;
}

static LogicalResult nonzero(PrimitiveCall &call) {
  const Tensor *tensor = call.tensor(0);
  if (!tensor)
    return failure();
  std::vector<int64_t> positions = nonzeroPositions(*tensor), indices;
  Shape shape = tensor->getShape();
  for (auto [stride, extent] : llvm::zip(stridesOf(shape), shape))
    for (int64_t position : positions)
      indices.push_back(position / stride % extent);
  return call.give(numbersOf(
      call.context(), {tensor->getRank(), int64_t(positions.size())}, indices));
}

//===-- Along an axis -----------------------------------------------------===//

/// The integers `has_axis axis`: the axis that the operand is cut along; one
/// that has none becomes a vector first.
static LogicalResult chooseAxis(PrimitiveCall &call, Datum &array,
                                int64_t &axis) {
  const Datum *operand = call.array(0);
  if (!operand)
    return failure();
  array = *operand;
  axis = 0;
  if (!call.integers[0]) {
    array = reshaped(array, {countOf(array)});
    return success();
  }
  std::optional<int64_t> wanted =
      axisOf(call.integers[1], array.getShape().size());
  if (!wanted)
    return call.fail("has no axis " + Twine(call.integers[1]) + " in " +
                     array.describe());
  axis = *wanted;
  return success();
}

static LogicalResult compress(PrimitiveCall &call) {
  Datum array;
  int64_t axis;
  const Tensor *condition = call.tensor(1);
  if (!condition || failed(chooseAxis(call, array, axis)))
    return failure();
  if (condition->getRank() != 1)
    return call.fail("wants a vector as the condition");
  std::vector<int64_t> chosen = nonzeroPositions(*condition);
  int64_t extent = array.getShape()[axis];
  if (!chosen.empty() && chosen.back() >= extent)
    return call.fail("chooses slice " + Twine(chosen.back()) + " of " +
                     Twine(extent));
  return call.give(pickSlices(array, axis, chosen));
}

//===-- unique ------------------------------------------------------------===//

/// -1, 0, 1; NaN equals NaN and is larger than any number.
template <typename T> static int compareElements(const T &a, const T &b) {
  if constexpr (std::is_same_v<T, double>)
    if (a != a || b != b)
      return int(a != a) - int(b != b);
  return a < b ? -1 : int(b < a);
}

namespace {
/// What `unique` finds of slices.
struct Classes {
  std::vector<int64_t> first;   ///< the first slice of each class
  std::vector<int64_t> classOf; ///< of each slice
  std::vector<int64_t> sizes;
};
} // namespace

/// Classes of equal slices, by their first slices or by their order. A slice is
/// `size` elements in a row.
template <typename T>
static Classes classify(const std::vector<T> &elements, int64_t count,
                        int64_t size, bool isSorted) {
  auto compare = [&](int64_t a, int64_t b) {
    for (int64_t i = 0; i < size; ++i)
      if (int order = compareElements<T>(elements[a * size + i],
                                         elements[b * size + i]))
        return order;
    return 0;
  };
  std::vector<int64_t> order(count);
  std::iota(order.begin(), order.end(), 0);
  llvm::stable_sort(order,
                    [&](int64_t a, int64_t b) { return compare(a, b) < 0; });
  Classes classes;
  classes.classOf.resize(count);
  for (int64_t slice : order) {
    if (classes.first.empty() || compare(classes.first.back(), slice) != 0) {
      classes.first.push_back(slice);
      classes.sizes.push_back(0);
    }
    classes.classOf[slice] = classes.first.size() - 1;
    ++classes.sizes.back();
  }
  if (isSorted)
    return classes;
  std::vector<int64_t> byFirst(classes.first.size());
  std::iota(byFirst.begin(), byFirst.end(), 0);
  llvm::sort(byFirst, [&](int64_t a, int64_t b) {
    return classes.first[a] < classes.first[b];
  });
  Classes renumbered = classes;
  for (auto [place, old] : llvm::enumerate(byFirst)) {
    renumbered.first[place] = classes.first[old];
    renumbered.sizes[place] = classes.sizes[old];
    for (int64_t slice = 0; slice < count; ++slice)
      if (classes.classOf[slice] == old)
        renumbered.classOf[slice] = place;
  }
  return renumbered;
}

/// Slices along `axis`, one behind the other.
static Datum slicesInRows(const Datum &array, int64_t axis) {
  SmallVector<int64_t> shape(array.getShape());
  std::vector<int64_t> positions(countOf(array));
  std::iota(positions.begin(), positions.end(), 0);
  SmallVector<int64_t> order = {axis};
  for (int64_t dim = 0; dim < int64_t(shape.size()); ++dim)
    if (dim != axis)
      order.push_back(dim);
  return pick(array, {countOf(array)}, permute(positions, shape, order));
}

static Classes classesOf(const Datum &array, int64_t axis, bool isSorted) {
  int64_t count = array.getShape()[axis];
  Datum rows = slicesInRows(array, axis);
  int64_t size = count ? countOf(array) / count : 0;
  if (rows.strings())
    return classify(rows.strings()->elements().vec(), count, size, isSorted);
  return withNumbersOf(rows.arrayType().getElementType(), [&](auto kind) {
    return classify(loadAll<decltype(kind)>(*rows.tensor()), count, size,
                    isSorted);
  });
}

static LogicalResult unique(PrimitiveCall &call) {
  Datum array;
  int64_t axis;
  if (failed(chooseAxis(call, array, axis)))
    return failure();
  Classes classes = classesOf(array, axis, call.integers[2] != 0);
  if (failed(call.give(pickSlices(array, axis, classes.first))))
    return failure();
  for (const std::vector<int64_t> *numbers :
       {&classes.first, &classes.classOf, &classes.sizes})
    if (failed(call.give(
            numbersOf(call.context(), {int64_t(numbers->size())}, *numbers))))
      return failure();
  return success();
}

static const PrimitiveEntry kEntries[] = {
    {"nonzero", nonzero},
    {"compress", compress},
    {"unique", unique},
};

ArrayRef<PrimitiveEntry> tenon::interp::findingPrimitives() { return kEntries; }
