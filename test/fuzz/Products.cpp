//===- Products.cpp - matrices and attention ------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/fuzz/Operators.h"

#include <algorithm>
#include <cmath>

using namespace tenon::fuzz;

static double most(const Extent &extent) {
  return double(*std::max_element(extent.at().begin(), extent.at().end()));
}

/// A product of `x`, whose rows have extent `k`, with `columns`.
static bool affords(const Value &x, const Extent &columns) {
  Shape products = x.shape;
  products.push_back(columns);
  return isBelow(products, mostProducts);
}

/// A matrix of `rows` rows, constant where it can be.
static Value matrix(Graph &graph, const Extent &rows, const Extent &columns,
                    int32_t kind) {
  if (auto found = graph.find([&](const Value &value) {
        return value.kind == kind && value.rank() == 2 &&
               value.shape[0] == rows;
      });
      found && graph.random.chance(40))
    return *found;
  auto height = rows.constant(), width = columns.constant();
  if (height && width && graph.random.chance(75))
    return graph.weights({*height, *width}, *height, kind);
  return graph.input(kind, {rows, columns});
}

static bool matmul(Graph &graph) {
  int32_t kind = graph.random.chance(92) ? F32 : I32;
  Value x = graph.any(kind, 1, 4);
  Value w = matrix(graph, x.shape.back(), graph.drawExtent(), kind);
  if (!affords(x, w.shape[1]))
    return false;
  double bound = x.bound * w.bound * std::max(most(x.shape.back()), 1.0);
  if (bound > 5000)
    return false;
  Shape shape = x.shape;
  shape.back() = w.shape[1];
  graph.add("MatMul", {x.name, w.name}, kind, shape, bound);
  return true;
}

/// Of matrices with batches, some of them broadcast.
static bool batched(Graph &graph) {
  Value x = graph.anyFloat(3, 4);
  Shape other = x.shape;
  other[size_t(x.rank() - 2)] = x.shape.back();
  other.back() = graph.drawExtent();
  for (int64_t i = 0; i < x.rank() - 2; ++i)
    if (graph.random.chance(25))
      other[i] = 1;
  if (graph.random.chance(15))
    other.erase(other.begin());
  if (!affords(x, other.back()) || !isBelow(other, mostElements))
    return false;
  Value y = graph.input(F32, other);
  double bound = x.bound * std::max(most(x.shape.back()), 1.0);
  if (bound > 5000)
    return false;
  Shape shape = x.shape;
  shape.back() = other.back();
  graph.add("MatMul", {x.name, y.name}, F32, shape, bound);
  return true;
}

static bool gemm(Graph &graph) {
  Value x = graph.anyFloat(2, 2);
  bool transposesA = graph.random.chance(30);
  Extent rows = x.shape[transposesA ? 1 : 0];
  Extent depth = x.shape[transposesA ? 0 : 1], columns = graph.drawExtent();
  if (!affords(x, columns))
    return false;
  bool transposesB = graph.random.chance(40);
  Value w = transposesB ? matrix(graph, columns, depth, F32)
                        : matrix(graph, depth, columns, F32);
  Extent &found = w.shape[transposesB ? 1 : 0];
  if (!(found == depth))
    return false;
  columns = w.shape[transposesB ? 0 : 1];
  double bound = x.bound * w.bound * std::max(most(depth), 1.0) + 3;
  if (bound > 5000 || !affords(x, columns))
    return false;
  Names operands{x.name, w.name};
  if (graph.random.chance(70)) {
    Shape bias{columns};
    if (graph.random.chance(30))
      bias = {rows, 1};
    operands.push_back(graph.input(F32, bias).name);
  }
  graph.add("Gemm", operands, F32, {rows, columns}, bound,
            {attribute("transA", int64_t(transposesA)),
             attribute("transB", int64_t(transposesB)),
             attribute("alpha", graph.random.chance(70) ? 1.0f : 0.5f),
             attribute("beta", graph.random.chance(70) ? 1.0f : 2.0f)});
  return true;
}

/// Softmax of products of rows with rows, then sums of rows.
static bool attention(Graph &graph) {
  int64_t rank = graph.random.between(2, 4);
  Value q = graph.anyFloat(rank, rank);
  Extent depth = q.shape.back(), keys = graph.drawExtent();
  Shape shape = q.shape;
  shape[size_t(rank - 2)] = keys;
  if (!keys.isIn(1, 64) || q.bound > 10 || !affords(q, keys) ||
      !isBelow(shape, mostElements))
    return false;
  Value k = graph.input(F32, shape), v = graph.input(F32, shape);
  Ints turned = countTo(rank);
  std::swap(turned[rank - 1], turned[rank - 2]);
  std::string kt =
      graph.helper("Transpose", {k.name}, {attribute("perm", turned)});
  std::string scores = graph.helper("MatMul", {q.name, kt});
  if (graph.random.chance(60))
    scores = graph.helper("Mul", {scores, graph.number(0.25).name});
  Shape weights = q.shape;
  weights.back() = keys;
  if (graph.random.chance(50))
    scores = graph.helper("Add", {scores, graph.input(F32, {keys}).name});
  std::string shares =
      graph.helper("Softmax", {scores}, {attribute("axis", int64_t(-1))});
  if (graph.random.chance(25))
    graph.publish(shares, F32, weights, 1);
  graph.add("MatMul", {shares, v.name}, F32, q.shape, 1);
  return true;
}

/// Letters for dimensions: outer products, diagonals are not among them.
static bool einsum(Graph &graph) {
  Value x = graph.anyFloat(3, 3);
  Extent columns = graph.drawExtent();
  if (!affords(x, columns))
    return false;
  double bound = x.bound * std::max(most(x.shape[2]), 1.0);
  if (bound > 5000)
    return false;
  bool isTurned = graph.random.chance(50);
  Shape shape =
      isTurned ? Shape{x.shape[2], columns} : Shape{columns, x.shape[2]};
  Value y = graph.input(F32, shape);
  graph.add("Einsum", {x.name, y.name}, F32, {x.shape[0], columns, x.shape[1]},
            bound,
            {attribute("equation", isTurned ? "abc,cd->adb" : "abc,dc->adb")});
  return true;
}

Operators tenon::fuzz::productOperators() {
  return {{8, matmul}, {3, batched}, {4, gemm}, {3, attention}, {1, einsum}};
}
