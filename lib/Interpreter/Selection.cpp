//===- Selection.cpp - what needs whole rows in order ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file says what top_k does: a stable order of each row, cut off; and what
// running sums are.
//===----------------------------------------------------------------------===//
#include "lib/Interpreter/Call.h"

#include "dialects/Graph/Graph.h"

#include <algorithm>
#include <numeric>

using namespace mlir;
using namespace tenon;
using namespace tenon::interp;

/// NaN is larger than every number.
template <typename W> static bool less(W x, W y) {
  return y != y ? x == x : x < y;
}

namespace {
/// Rows of `extent` elements that lie `stride` apart.
struct Rows {
  int64_t outer, extent, stride;
};
} // namespace

template <typename W>
static void selectRows(Call &call, graph::TopKOp op, const Rows &rows) {
  int64_t k = op.getK();
  std::vector<W> numbers = loadAll<W>(call.operands[0]);
  std::vector<W> values(call.results[0].size());
  std::vector<int64_t> indices(values.size()), order(rows.extent);
  for (int64_t row = 0; row < rows.outer * rows.stride; ++row) {
    int64_t outer = row / rows.stride, inner = row % rows.stride;
    const W *from = numbers.data() + outer * rows.extent * rows.stride + inner;
    std::iota(order.begin(), order.end(), 0);
    llvm::stable_sort(order, [&](int64_t a, int64_t b) {
      W x = from[a * rows.stride], y = from[b * rows.stride];
      return op.getLargest() ? less(y, x) : less(x, y);
    });
    for (int64_t i = 0; i < k; ++i) {
      int64_t to = (outer * k + i) * rows.stride + inner;
      values[to] = from[order[i] * rows.stride];
      indices[to] = order[i];
    }
  }
  storeAll(call.results[0], values);
  storeAll(call.results[1], indices);
}

static LogicalResult topK(Call &call) {
  auto op = cast<graph::TopKOp>(call.op);
  Shape shape = call.operands[0].getShape();
  int64_t axis = op.getAxis();
  Rows rows{product(shape.take_front(axis)), shape[axis],
            product(shape.drop_front(axis + 1))};
  withNumbersOf(call.operands[0].getElementType(), [&](auto number) {
    selectRows<decltype(number)>(call, op, rows);
  });
  return success();
}

/// In double precision, or as integers that wrap.
template <typename W>
static void runRows(Call &call, graph::PrefixOp op, const Rows &rows) {
  std::vector<W> numbers = loadAll<W>(call.operands[0]);
  for (int64_t row = 0; row < rows.outer * rows.stride; ++row) {
    int64_t outer = row / rows.stride, inner = row % rows.stride;
    W *own = numbers.data() + outer * rows.extent * rows.stride + inner;
    W total = op.getProduct() ? 1 : 0;
    for (int64_t i = 0; i < rows.extent; ++i) {
      int64_t place = op.getReverse() ? rows.extent - 1 - i : i;
      W &number = own[place * rows.stride];
      W next = op.getProduct() ? total * number : total + number;
      number = op.getExclusive() ? total : next;
      total = next;
    }
  }
  storeAll(call.results[0], numbers);
}

static LogicalResult prefix(Call &call) {
  auto op = cast<graph::PrefixOp>(call.op);
  Shape shape = call.operands[0].getShape();
  int64_t axis = op.getAxis();
  Rows rows{product(shape.take_front(axis)), shape[axis],
            product(shape.drop_front(axis + 1))};
  withAccumulatorOf(call.operands[0].getElementType(), [&](auto number) {
    runRows<decltype(number)>(call, op, rows);
  });
  return success();
}

static const Entry kEntries[] = {{"graph.top_k", topK},
                                 {"graph.prefix", prefix}};

ArrayRef<Entry> tenon::interp::selectionEntries() { return kEntries; }
