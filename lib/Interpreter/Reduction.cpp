//===- Reduction.cpp - many elements in, one out --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file says what reductions and normalisations compute. Real sums and
// products are accumulated in double and rounded once.
//===----------------------------------------------------------------------===//
#include "lib/Interpreter/Call.h"

#include "dialects/Graph/Graph.h"

#include <algorithm>
#include <cmath>

using namespace mlir;
using namespace tenon;
using namespace tenon::interp;

/// How much of a tensor lies before, on and behind one dimension.
struct Split {
  int64_t outer, extent, inner;

  Split(Shape shape, int64_t axis)
      : outer(product(shape.take_front(axis))), extent(shape[axis]),
        inner(product(shape.drop_front(axis + 1))) {}
};

static bool isAxis(int64_t axis, int64_t rank) {
  return axis >= 0 && axis < rank;
}

//===-- reduce_* ----------------------------------------------------------===//

/// Folds every element into the element of the result it belongs to.
template <typename W, typename F>
static std::vector<W> reduce(Call &call, ArrayRef<int64_t> axes, W initial,
                             F combine) {
  const Tensor &input = call.operands[0];
  SmallVector<int64_t> kept(input.getShape());
  for (int64_t axis : axes)
    kept[axis] = 1;
  std::vector<W> result(call.result().size(), initial), numbers(kMaxRun);
  forEachRun(input.getShape(), broadcastStrides(kept, kept.size()),
             [&](const Run &run) {
               load<W>(input, run.first, 1, {numbers.data(), size_t(run.size)});
               for (int64_t i = 0; i < run.size; ++i) {
                 W &into = result[run.offsets[0] + i * run.strides[0]];
                 into = combine(into, numbers[i]);
               }
             });
  return result;
}

enum class Kind { Sum, Mean, Max, Min, Product };

template <Kind kind, typename W> static W combine(W a, W b) {
  constexpr bool kReal = std::is_same_v<W, double>;
  if constexpr (kind == Kind::Max)
    return a != a || a > b ? a : b;
  else if constexpr (kind == Kind::Min)
    return a != a || a < b ? a : b;
  else if constexpr (kind == Kind::Product)
    return kReal ? a * b : static_cast<W>(uint64_t(a) * uint64_t(b));
  else
    return kReal ? a + b : static_cast<W>(uint64_t(a) + uint64_t(b));
}

template <Kind kind, typename W> static W initialOf(Type type) {
  switch (kind) {
  case Kind::Max:
    return lowestOf<W>(type);
  case Kind::Min:
    return highestOf<W>(type);
  case Kind::Product:
    return 1;
  default:
    return 0;
  }
}

/// Number of elements per result; 0 / 0 stays NaN for reals.
template <typename W>
static void divideAll(std::vector<W> &numbers, int64_t count) {
  for (W &number : numbers)
    if (count != 0 || std::is_same_v<W, double>)
      number /= static_cast<W>(count);
}

template <typename Op, Kind kind> static LogicalResult reduceOp(Call &call) {
  auto op = cast<Op>(call.op);
  Shape shape = call.operands[0].getShape();
  int64_t count = 1;
  for (int64_t axis : op.getAxes()) {
    if (!isAxis(axis, shape.size()))
      return call.fail("has an axis outside of its operand");
    count *= shape[axis];
  }
  Type type = call.operands[0].getElementType();
  return withNumbersOf(type, [&](auto number) {
    using W = decltype(number);
    auto result = reduce<W>(call, op.getAxes(), initialOf<kind, W>(type),
                            combine<kind, W>);
    // The mean of nothing is 0 (docs/spec/onnx.md).
    if (kind == Kind::Mean)
      divideAll(result, std::max<int64_t>(count, 1));
    storeAll(call.result(), result);
    return success();
  });
}

//===-- arg_max, arg_min ----------------------------------------------------//

/// Whether `a` wins over the best so far; NaN wins over every number.
template <bool kMax, typename W> static bool wins(W a, W best, bool onEqual) {
  if (best != best)
    return a != a && onEqual;
  if (a != a || (kMax ? a > best : a < best))
    return true;
  return onEqual && a == best;
}

template <typename Op, bool kMax> static LogicalResult argOp(Call &call) {
  auto op = cast<Op>(call.op);
  const Tensor &input = call.operands[0];
  int64_t axis = op.getAxis();
  if (!isAxis(axis, input.getRank()))
    return call.fail("has an axis outside of its operand");
  Split split(input.getShape(), axis);
  if (split.extent == 0 && call.result().size() != 0)
    return call.fail("has no element to choose");
  return withNumbersOf(input.getElementType(), [&](auto number) {
    using W = decltype(number);
    std::vector<W> numbers = loadAll<W>(input);
    std::vector<int64_t> result(call.result().size());
    for (int64_t i = 0; i < split.outer * split.inner; ++i) {
      const W *first = numbers.data() +
                       i / split.inner * split.extent * split.inner +
                       i % split.inner;
      for (int64_t k = 1; k < split.extent; ++k)
        if (wins<kMax>(first[k * split.inner], first[result[i] * split.inner],
                       op.getSelectLastIndex()))
          result[i] = k;
    }
    storeAll(call.result(), result);
    return success();
  });
}

//===-- det -----------------------------------------------------------------//

/// Eliminates column by column, the largest element of each first.
static double determinant(double *matrix, int64_t extent) {
  double result = 1;
  auto row = [&](int64_t i) { return matrix + i * extent; };
  for (int64_t k = 0; k < extent; ++k) {
    int64_t pivot = k;
    for (int64_t i = k + 1; i < extent; ++i)
      if (std::fabs(row(i)[k]) > std::fabs(row(pivot)[k]))
        pivot = i;
    if (pivot != k)
      std::swap_ranges(row(k), row(k) + extent, row(pivot));
    result *= pivot == k ? row(k)[k] : -row(k)[k];
    for (int64_t i = k + 1; i < extent && row(k)[k] != 0; ++i) {
      double factor = row(i)[k] / row(k)[k];
      for (int64_t j = k + 1; j < extent; ++j)
        row(i)[j] -= factor * row(k)[j];
    }
  }
  return result;
}

static LogicalResult det(Call &call) {
  const Tensor &input = call.operands[0];
  int64_t extent = input.getRank() < 2 ? 0 : input.getShape().back();
  if (call.result().size() * extent * extent != input.size())
    return call.fail("has no square matrices");
  std::vector<double> numbers = loadAll<double>(input);
  std::vector<double> result(call.result().size());
  for (auto [i, value] : llvm::enumerate(result))
    value = determinant(numbers.data() + i * extent * extent, extent);
  storeAll(call.result(), result);
  return success();
}

//===-- Normalisation -------------------------------------------------------//

static LogicalResult softmax(Call &call) {
  int64_t axis = cast<graph::SoftmaxOp>(call.op).getAxis();
  const Tensor &input = call.operands[0];
  if (!isAxis(axis, input.getRank()))
    return call.fail("has an axis outside of its operand");
  Split split(input.getShape(), axis);
  std::vector<double> x = loadAll<double>(input);
  for (int64_t i = 0; i < split.outer * split.inner; ++i) {
    double *first = x.data() + i / split.inner * split.extent * split.inner +
                    i % split.inner;
    double largest = -INFINITY, sum = 0;
    for (int64_t k = 0; k < split.extent; ++k)
      largest = combine<Kind::Max>(largest, first[k * split.inner]);
    for (int64_t k = 0; k < split.extent; ++k)
      sum += first[k * split.inner] =
          std::exp(first[k * split.inner] - largest);
    for (int64_t k = 0; k < split.extent; ++k)
      first[k * split.inner] /= sum;
  }
  storeAll(call.result(), x);
  return success();
}

/// Makes mean 0 and variance 1 of `size` numbers.
static void standardise(double *x, int64_t size, double epsilon) {
  double mean = 0, variance = 0;
  for (int64_t i = 0; i < size; ++i)
    mean += x[i] / size;
  for (int64_t i = 0; i < size; ++i)
    variance += (x[i] - mean) * (x[i] - mean) / size;
  for (int64_t i = 0; i < size; ++i)
    x[i] = (x[i] - mean) / std::sqrt(variance + epsilon);
}

/// Numbers of a tensor broadcast to a shape.
static std::vector<double> loadBroadcast(const Tensor &tensor, Shape shape) {
  std::vector<double> numbers(product(shape));
  forEachRun(shape, broadcastStrides(tensor.getShape(), shape.size()),
             [&](const Run &run) {
               load<double>(tensor, run.offsets[0], run.strides[0],
                            {numbers.data() + run.first, size_t(run.size)});
             });
  return numbers;
}

static LogicalResult layerNorm(Call &call) {
  auto op = cast<graph::LayerNormOp>(call.op);
  const Tensor &input = call.operands[0];
  Shape shape = input.getShape();
  if (!isAxis(op.getAxis(), input.getRank()))
    return call.fail("has an axis outside of its operand");
  std::vector<double> x = loadAll<double>(input);
  int64_t size = product(shape.drop_front(op.getAxis()));
  for (int64_t first = 0; first < input.size(); first += size)
    standardise(x.data() + first, size, op.getEpsilon().convertToDouble());
  std::vector<double> scale = loadBroadcast(call.operands[1], shape), bias;
  if (op.getBias())
    bias = loadBroadcast(call.operands[2], shape);
  for (size_t i = 0; i < x.size(); ++i)
    x[i] = x[i] * scale[i] + (bias.empty() ? 0.0 : bias[i]);
  storeAll(call.result(), x);
  return success();
}

static const Entry kEntries[] = {
    {"graph.reduce_sum", reduceOp<graph::ReduceSumOp, Kind::Sum>},
    {"graph.reduce_mean", reduceOp<graph::ReduceMeanOp, Kind::Mean>},
    {"graph.reduce_max", reduceOp<graph::ReduceMaxOp, Kind::Max>},
    {"graph.reduce_min", reduceOp<graph::ReduceMinOp, Kind::Min>},
    {"graph.reduce_prod", reduceOp<graph::ReduceProdOp, Kind::Product>},
    {"graph.arg_max", argOp<graph::ArgMaxOp, true>},
    {"graph.arg_min", argOp<graph::ArgMinOp, false>},
    {"graph.det", det},
    {"graph.softmax", softmax},
    {"graph.layer_norm", layerNorm},
};

ArrayRef<Entry> tenon::interp::reductionEntries() { return kEntries; }
