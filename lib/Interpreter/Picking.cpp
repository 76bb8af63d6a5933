//===- Picking.cpp - gathers and scatters ---------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file says what operations do that find rows by their numbers.
//===----------------------------------------------------------------------===//
#include "lib/Interpreter/Call.h"

#include "dialects/Graph/Graph.h"

#include <cmath>
#include <cstring>

using namespace mlir;
using namespace tenon;
using namespace tenon::interp;

/// Indices into an axis of the first operand, counted from its start; a
/// negative one counts from its end. Failure when one is outside.
static FailureOr<std::vector<int64_t>> loadIndices(Call &call, int64_t axis) {
  Shape from = call.operands[0].getShape();
  if (axis < 0 || axis >= int64_t(from.size()))
    return call.fail("has an axis outside of its operand");
  int64_t rows = from[axis];
  std::vector<int64_t> indices = loadAll<int64_t>(call.operands[1]);
  for (int64_t &index : indices) {
    int64_t fromStart = index < 0 ? index + rows : index;
    if (fromStart < 0 || fromStart >= rows)
      return call.fail("index " + Twine(index) +
                       " is out of range: it selects from " + Twine(rows) +
                       " rows");
    index = fromStart;
  }
  return indices;
}

static LogicalResult gather(Call &call) {
  int64_t axis = cast<graph::GatherOp>(call.op).getAxis();
  auto indices = loadIndices(call, axis);
  if (failed(indices))
    return failure();
  const Tensor &input = call.operands[0];
  int64_t extent = input.getShape()[axis];
  int64_t outer = product(input.getShape().take_front(axis));
  int64_t slab = product(input.getShape().drop_front(axis + 1)) *
                 *elementSize(input.getElementType());
  char *to = call.result().mutableBytes().data();
  for (int64_t i = 0; slab > 0 && i < outer; ++i)
    for (int64_t index : *indices) {
      std::memcpy(to, input.bytes().data() + (i * extent + index) * slab, slab);
      to += slab;
    }
  return success();
}

static LogicalResult gatherElements(Call &call) {
  int64_t axis = cast<graph::GatherElementsOp>(call.op).getAxis();
  auto indices = loadIndices(call, axis);
  if (failed(indices))
    return failure();
  const Tensor &input = call.operands[0];
  Tensor &result = call.result();
  if (result.getRank() != input.getRank())
    return call.fail("has indices of another rank than its operand");
  for (int64_t dim = 0; dim < input.getRank(); ++dim)
    if (dim != axis && result.getShape()[dim] > input.getShape()[dim])
      return call.fail("has indices larger than its operand");
  size_t size = *elementSize(result.getElementType());
  Strides strides = stridesOf(input.getShape());
  int64_t along = std::exchange(strides[axis], 0);
  forEachRun(result.getShape(), strides, [&](const Run &run) {
    for (int64_t i = 0; i < run.size; ++i) {
      int64_t source = run.offsets[0] + i * run.strides[0] +
                       (*indices)[run.first + i] * along;
      std::memcpy(result.mutableBytes().data() + (run.first + i) * size,
                  input.bytes().data() + source * size, size);
    }
  });
  return success();
}

//===-- scatter -----------------------------------------------------------===//

/// As the operations of the same names do it: integers wrap, NaN wins.
template <typename W> static W meet(graph::ScatterKind kind, W x, W y) {
  bool isNan = x != x || y != y;
  switch (kind) {
  case graph::ScatterKind::Replace:
    return y;
  case graph::ScatterKind::Add:
    return W(x + y);
  case graph::ScatterKind::Mul:
    return W(x * y);
  case graph::ScatterKind::Max:
    return isNan ? W(x + y) : std::max(x, y);
  case graph::ScatterKind::Min:
    return isNan ? W(x + y) : std::min(x, y);
  }
  return y;
}

template <typename W>
static void scatterRows(Call &call, ArrayRef<int64_t> indices, int64_t length) {
  auto kind = cast<graph::ScatterOp>(call.op).getKind();
  std::vector<W> old(length), update(length);
  for (auto [i, index] : llvm::enumerate(indices)) {
    load<W>(call.result(), index * length, 1, old);
    load<W>(call.operands[2], i * length, 1, update);
    for (int64_t k = 0; k < length; ++k)
      old[k] = meet(kind, old[k], update[k]);
    store<W>(call.result(), index * length, old);
  }
}

static LogicalResult scatter(Call &call) {
  auto indices = loadIndices(call, 0);
  if (failed(indices))
    return failure();
  ArrayRef<char> input = call.operands[0].bytes();
  std::copy(input.begin(), input.end(), call.result().mutableBytes().begin());
  int64_t length = product(call.operands[0].getShape().drop_front());
  Type element = call.result().getElementType();
  // Signed numbers are compared as such, and wrap as unsigned ones.
  auto kind = cast<graph::ScatterOp>(call.op).getKind();
  bool compares =
      kind == graph::ScatterKind::Max || kind == graph::ScatterKind::Min;
  if (compares)
    withNumbersOf(element, [&](auto number) {
      scatterRows<decltype(number)>(call, *indices, length);
    });
  else
    withAccumulatorOf(element, [&](auto number) {
      scatterRows<decltype(number)>(call, *indices, length);
    });
  return success();
}

static const Entry kEntries[] = {
    {"graph.gather", gather},
    {"graph.gather_elements", gatherElements},
    {"graph.scatter", scatter},
};

ArrayRef<Entry> tenon::interp::pickingEntries() { return kEntries; }
