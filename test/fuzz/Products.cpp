//===- Products.cpp - matrices and attention ------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/fuzz/Operators.h"

#include <algorithm>
#include <cmath>

using namespace tenon::fuzz;

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
  double bound =
      x.bound * w.bound * std::max(double(x.shape.back().most()), 1.0);
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
  double bound = x.bound * std::max(double(x.shape.back().most()), 1.0);
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
  double bound = x.bound * w.bound * std::max(double(depth.most()), 1.0) + 3;
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

/// The extents of letters.
static Shape shapeOf(const std::map<char, Extent> &letters,
                     const std::string &text) {
  Shape shape;
  for (char letter : text)
    shape.push_back(letters.at(letter));
  return shape;
}

namespace {
struct Equation {
  std::string left, right, result;
};
} // namespace

/// Outer products, sums, batches and diagonals.
static bool einsum(Graph &graph) {
  static const std::vector<Equation> equations = {
      {"abc", "cd", "adb"}, {"abc", "dc", "adb"},  {"ab", "cb", "ca"},
      {"a", "b", "ba"},     {"abc", "abd", "acd"}, {"abcd", "bdce", "abe"},
      {"ab", "ab", ""},     {"abc", "", "cb"},     {"aab", "b", "ab"},
      {"abc", "b", "ac"},   {"ab", "bc", "c"}};
  const Equation &drawn =
      equations[graph.random.below(int64_t(equations.size()))];
  std::map<char, Extent> letters;
  for (char letter = 'a'; letter <= 'e'; ++letter)
    letters.emplace(letter, graph.drawExtent());
  Shape left = shapeOf(letters, drawn.left);
  Shape right = shapeOf(letters, drawn.right);
  Shape shape = shapeOf(letters, drawn.result), products;
  for (const auto &[letter, extent] : letters)
    if ((drawn.left + drawn.right).find(letter) != std::string::npos)
      products.push_back(extent);
  if (!isBelow(left, mostElements) || !isBelow(right, mostElements) ||
      !isBelow(shape, mostElements) || !isBelow(products, mostProducts))
    return false;
  Names operands{graph.input(F32, left).name};
  if (!right.empty())
    operands.push_back(graph.input(F32, right).name);
  std::string equation = drawn.left +
                         (right.empty() ? "->" : "," + drawn.right + "->") +
                         drawn.result;
  graph.add("Einsum", operands, F32, shape,
            double(std::max<int64_t>(elementsOf(products).most(), 1)),
            {attribute("equation", equation.c_str())});
  return true;
}

/// Of square matrices in batches.
static bool determinant(Graph &graph) {
  Extent size = graph.random.chance(70) ? Extent(graph.random.between(1, 4))
                                        : graph.drawExtent();
  Shape shape = graph.drawShape(graph.random.below(3));
  Shape matrices = shape;
  matrices.insert(matrices.end(), 2, size);
  if (!size.isIn(0, 9) || !isBelow(matrices, mostElements))
    return false;
  graph.add("Det", {graph.input(F32, matrices).name}, F32, shape, 1000);
  return true;
}

Operators tenon::fuzz::productOperators() {
  return {{8, matmul, 12}, {3, batched, 12}, {4, gemm, 12},
          {3, attention},  {3, einsum, 12},  {1, determinant, 12}};
}
