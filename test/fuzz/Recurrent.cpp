//===- Recurrent.cpp - layers over sequences ------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/fuzz/Operators.h"

#include <algorithm>

using namespace tenon::fuzz;

/// Sequences [steps, batch, inputs] whose inputs are a number.
static std::optional<Value> sequence(Graph &graph) {
  auto found = graph.find([](const Value &value) {
    return value.kind == F32 && value.rank() == 3 && isKnown(value.shape) &&
           value.shape[2].constant() && !value.shape[2].is(0) &&
           isBelow(value.shape, 1500) && value.bound < 50;
  });
  if (found && graph.random.chance(70))
    return found;
  Shape shape = graph.drawShape(3);
  shape[2] = graph.random.between(1, 9);
  if (!isBelow(shape, 1500))
    return std::nullopt;
  return graph.input(F32, shape);
}

/// A layer of `gates` gates with all that it may have.
static bool layer(Graph &graph, const char *op, int64_t gates) {
  auto x = sequence(graph);
  if (!x)
    return false;
  int64_t hidden = graph.random.any<int64_t>({1, 3, 4, 8, 9});
  const char *direction =
      graph.random.any<const char *>({"forward", "reverse", "bidirectional"});
  int64_t sides = *direction == 'b' ? 2 : 1, inputs = *x->shape[2].constant();
  Names operands{
      x->name, graph.weights({sides, gates * hidden, inputs}, inputs).name,
      graph.weights({sides, gates * hidden, hidden}, 4 * hidden).name};
  bool hasStart = graph.random.chance(40);
  operands.push_back(graph.random.chance(60)
                         ? graph.weights({sides, 2 * gates * hidden}).name
                         : "");
  Shape state{sides, x->shape[1], hidden};
  operands.push_back("");
  if (hasStart)
    operands.push_back(graph.input(F32, state).name);
  std::vector<Value> results{
      {"", F32, {x->shape[0], sides, x->shape[1], hidden}, 1},
      {"", F32, state, 1}};
  Attributes attributes{attribute("hidden_size", hidden),
                        attribute("direction", direction)};
  if (op[0] == 'L')
    results.push_back({"", F32, state, 40});
  if (op[0] == 'G')
    attributes.push_back(
        attribute("linear_before_reset", graph.random.below(2)));
  graph.addAll(op, operands, results, attributes);
  return true;
}

static bool lstm(Graph &graph) { return layer(graph, "LSTM", 4); }
static bool gru(Graph &graph) { return layer(graph, "GRU", 3); }
static bool rnn(Graph &graph) { return layer(graph, "RNN", 1); }

Operators tenon::fuzz::recurrentOperators() {
  return {{2, lstm, 12}, {2, gru, 12}, {1, rnn, 12}};
}
