//===- Values.cpp - inputs, constants and the choice of operands ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/fuzz/Graph.h"

#include <algorithm>
#include <cmath>
#include <cstring>

using namespace tenon::fuzz;

//===-- Shapes ------------------------------------------------------------===//

Extent Graph::drawExtent() {
  if (random.chance(65))
    return random.any(symbols);
  return random.any<int64_t>({1, 1, 2, 3, 4, 5, 8, 9, 16});
}

Shape Graph::drawShape(int64_t rank) {
  for (;;) {
    Shape shape;
    for (int64_t i = 0; i < rank; ++i)
      shape.push_back(drawExtent());
    if (isBelow(shape, mostElements))
      return shape;
  }
}

static std::optional<Extent> broadcast(const Extent &a, const Extent &b) {
  if (a == b || b.is(1))
    return a;
  if (a.is(1))
    return b;
  if (!a.isKnown() || !b.isKnown())
    return std::nullopt;
  PerRun at = a.at();
  for (unsigned run = 0; run < runCount; ++run) {
    if (a.at()[run] == 1)
      at[run] = b.at()[run];
    else if (b.at()[run] != 1 && b.at()[run] != a.at()[run])
      return std::nullopt;
  }
  return Extent::named("both(" + a.text() + ", " + b.text() + ")", at);
}

std::optional<Shape> tenon::fuzz::broadcast(const Shape &a, const Shape &b) {
  Shape result(std::max(a.size(), b.size()), Extent(1));
  auto extentOf = [&](const Shape &shape, size_t i) {
    size_t missing = result.size() - shape.size();
    return i < missing ? Extent(1) : shape[i - missing];
  };
  for (size_t i = 0; i < result.size(); ++i) {
    auto extent = ::broadcast(extentOf(a, i), extentOf(b, i));
    if (!extent)
      return std::nullopt;
    result[i] = *extent;
  }
  return result;
}

//===-- Data --------------------------------------------------------------===//

template <typename T> static void append(std::string &bytes, T value) {
  bytes.append(reinterpret_cast<const char *>(&value), sizeof value);
}

/// The bits of a float16 for what is exact in it: eighths below 256.
static uint16_t halfBits(double value) {
  _Float16 half = _Float16(value);
  uint16_t bits;
  std::memcpy(&bits, &half, sizeof bits);
  return bits;
}

static void append(std::string &bytes, int32_t kind, double value) {
  switch (kind) {
  case F32:
    return append(bytes, float(value));
  case F16:
    return append(bytes, halfBits(value));
  case I32:
    return append(bytes, int32_t(value));
  case I64:
    return append(bytes, int64_t(value));
  default:
    return append(bytes, uint8_t(value != 0));
  }
}

/// What the elements of an input may be.
namespace {
struct Draw {
  int32_t kind;
  double low, high;
  bool isLattice; ///< few numbers, so that there are equal ones
  double operator()(Random &random) const {
    double part = (random.real() + 1) / 2, value = low + part * (high - low);
    if (!isFloat(kind))
      return std::floor(std::min(low + part * (high - low + 1), high));
    if (isLattice)
      return std::floor(value * 2) / 2;
    return kind == F16 ? std::floor(value * 128) / 128 : value;
  }
};
} // namespace

static std::string drawData(Random &random, const Draw &draw, int64_t count) {
  std::string bytes;
  for (int64_t i = 0; i < count; ++i)
    append(bytes, draw.kind, draw(random));
  return bytes;
}

//===-- Inputs ------------------------------------------------------------===//

CaseInput Graph::shaped(const Value &value) const {
  CaseInput input;
  input.name = value.name;
  input.kind = value.kind;
  for (unsigned run = 0; run < runCount; ++run)
    for (const Extent &extent : value.shape)
      input.shapes[run].push_back(extent.at()[run]);
  return input;
}

void Graph::addInput(const Value &value, CaseInput input) {
  onnx::GraphProto &main = *model.mutable_graph();
  describe(value, *main.add_input());
  made.inputs.push_back(std::move(input));
  allValues[value.name] = value;
  // In front: it stays when bodies are left, and results are read sooner.
  values.insert(values.begin(), value);
  for (Outer &each : outer)
    ++each.values;
}

Value Graph::input(int32_t kind, Shape shape, double bound) {
  Value value{"x" + std::to_string(serial++), kind, std::move(shape), bound};
  CaseInput input = shaped(value);
  Draw draw{kind, isFloat(kind) ? -bound : 0, kind == Bool ? 1 : bound,
            random.chance(15)};
  Extent count = elementsOf(value.shape);
  for (unsigned i = 0; i <= runCount; ++i)
    input.data[i] = drawData(random, draw, count.at()[i % runCount]);
  addInput(value, std::move(input));
  return value;
}

Value Graph::indices(int32_t kind, Shape shape, const Extent &limit,
                     bool negative) {
  double most = double(limit.most());
  Value value{"x" + std::to_string(serial++), kind, std::move(shape), most};
  CaseInput input = shaped(value);
  Extent count = elementsOf(value.shape);
  for (unsigned i = 0; i <= runCount; ++i) {
    double end = double(limit.at()[i % runCount]);
    Draw draw{kind, negative ? -end : 0, end - 1, false};
    input.data[i] = drawData(random, draw, count.at()[i % runCount]);
  }
  addInput(value, std::move(input));
  return value;
}

//===-- Constants ---------------------------------------------------------===//

Value Graph::addConstant(onnx::TensorProto tensor, Shape shape, double bound) {
  Value value{"c" + std::to_string(serial++), tensor.data_type(),
              std::move(shape), bound};
  for (const Extent &extent : value.shape)
    tensor.add_dims(*extent.constant());
  tensor.set_name(value.name);
  *model.mutable_graph()->add_initializer() = tensor;
  allValues[value.name] = value;
  return value;
}

Value Graph::integers(const Ints &elements, int32_t kind) {
  onnx::TensorProto tensor;
  tensor.set_data_type(kind);
  double bound = 0;
  for (int64_t element : elements) {
    if (kind == I64)
      append(*tensor.mutable_raw_data(), element);
    else
      append(*tensor.mutable_raw_data(), int32_t(element));
    bound = std::max(bound, std::fabs(double(element)));
  }
  return addConstant(std::move(tensor), {int64_t(elements.size())}, bound);
}

Value Graph::integer(int64_t value, int32_t kind) {
  return number(double(value), kind);
}

Value Graph::number(double value, int32_t kind) {
  onnx::TensorProto tensor;
  tensor.set_data_type(kind);
  append(*tensor.mutable_raw_data(), kind, value);
  return addConstant(std::move(tensor), {}, std::fabs(value));
}

Value Graph::weights(const Ints &extents, int64_t terms, int32_t kind) {
  onnx::TensorProto tensor;
  tensor.set_data_type(kind);
  int64_t count = 1;
  for (int64_t extent : extents)
    count *= extent;
  double bound =
      isFloat(kind) ? 1 / std::sqrt(double(std::max<int64_t>(terms, 1))) : 3;
  Draw draw{kind, kind == Bool ? 0 : -bound, bound, false};
  *tensor.mutable_raw_data() = drawData(random, draw, count);
  return addConstant(std::move(tensor), Shape(extents.begin(), extents.end()),
                     bound);
}

//===-- Choices -----------------------------------------------------------===//

std::optional<Value> Graph::find(const Fits &fits) {
  std::vector<Value> fitting;
  for (const Value &value : values)
    if (fits(value))
      fitting.push_back(value);
  if (fitting.empty())
    return std::nullopt;
  int64_t count = int64_t(fitting.size());
  int64_t recent = random.chance(60) ? std::min<int64_t>(count, 2) : count;
  return fitting[size_t(count - 1 - random.below(recent))];
}

Value Graph::any(int32_t kind, int64_t lowRank, int64_t highRank) {
  auto fits = [&](const Value &value) {
    return value.kind == kind && value.rank() >= lowRank &&
           value.rank() <= highRank && isKnown(value.shape);
  };
  if (random.chance(85))
    if (auto found = find(fits))
      return *found;
  int64_t rank = random.between(lowRank, std::min<int64_t>(highRank, 4));
  return input(kind, drawShape(rank), isFloat(kind) ? 2 : 9);
}

Value Graph::partner(const Value &value) {
  if (random.chance(50)) {
    auto found = find([&](const Value &other) {
      return other.kind == value.kind && other.name != value.name &&
             broadcast(value.shape, other.shape);
    });
    if (found)
      return *found;
  }
  if (random.chance(25))
    return number(isFloat(value.kind) ? random.real() * 2
                                      : double(random.below(4)),
                  value.kind);
  Shape shape;
  for (const Extent &extent : value.shape)
    shape.push_back(!extent.isKnown() || random.chance(25) ? Extent(1)
                                                           : extent);
  shape.erase(shape.begin(),
              shape.begin() + random.below(int64_t(shape.size()) + 1));
  bool isConstant = std::all_of(shape.begin(), shape.end(),
                                [](const Extent &e) { return e.constant(); });
  if (isConstant && random.chance(60)) {
    Ints extents;
    for (const Extent &extent : shape)
      extents.push_back(*extent.constant());
    return weights(extents, 1, value.kind);
  }
  return input(value.kind, shape, isFloat(value.kind) ? 2 : 9);
}
