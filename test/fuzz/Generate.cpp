//===- Generate.cpp - graphs by number ------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/fuzz/Generate.h"
#include "test/fuzz/Operators.h"

using namespace tenon::fuzz;

namespace {
struct Family {
  int weight;
  Operators operators;
};
} // namespace

/// One of `from` by its weight.
template <typename T>
static const T &drawn(Random &random, const std::vector<T> &from) {
  int64_t sum = 0;
  for (const T &each : from)
    sum += each.weight;
  int64_t place = random.below(sum);
  for (const T &each : from)
    if ((place -= each.weight) < 0)
      return each;
  return from.back();
}

void tenon::fuzz::grow(Graph &graph) {
  static const std::vector<Family> families = {
      {28, elementwiseOperators()}, {14, reductionOperators()},
      {12, productOperators()},     {10, imageOperators()},
      {7, windowOperators()},       {5, signalOperators()},
      {3, quantisedOperators()},    {12, movementOperators()},
      {12, shapeOperators()},       {9, indexOperators()},
      {3, recurrentOperators()},    {5, attentionOperators()},
      {7, controlOperators()}};
  // Bodies of bodies are rare, and a graph of chance alone would never end.
  for (int attempt = 0; attempt < 20; ++attempt) {
    const Family &family = drawn(graph.random, families);
    if (&family == &families.back() && graph.depth() > 0 &&
        graph.random.chance(70))
      continue;
    const Operator &chosen = drawn(graph.random, family.operators);
    if (chosen.since <= graph.opset() && chosen.make(graph))
      return;
  }
}

Case tenon::fuzz::generate(uint64_t seed) {
  for (uint64_t attempt = 0;; ++attempt) {
    Graph graph(seed + (attempt << 40));
    for (int64_t count = graph.random.between(2, 7); count > 0; --count)
      grow(graph);
    if (auto made = graph.finish()) {
      made->seed = seed;
      return *made;
    }
  }
}
