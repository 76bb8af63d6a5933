//===- RecurrentErrorTest.cpp - rounding errors of recurrences ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file compiles LSTM and GRU and holds the state after each step against
// f64. Bounds run along with the values (Higham, section 3.3): what an earlier
// step left in h and c passes through the sums by |R|, through a sigmoid by at
// most 1/4, through a tanh by at most 1, and through a gate by its value; each
// step adds its own roundings. The rows of R have sums of magnitudes of 1/2,
// and no gate is near 1, so that what a step left dies out: errors grow no
// faster than the number of steps, which the tests ask for, too.
//===----------------------------------------------------------------------===//
// LINK: TenonCompiler TenonArtifact tenon_runtime
#include "test/unit/ErrorBounds.h"

using namespace tenon;
using namespace tenon::test;

static constexpr int64_t steps = 20, batch = 3, inputs = 10;

namespace {
using State = std::vector<Bounded>; ///< of the units of a sequence

/// ONNX's operands: [gate][unit][input or unit], and two biases for each gate.
struct Layer {
  const char *name;
  int64_t gates, hidden;
  std::string attributes;
  Floats x, w, r, b;

  /// W x + b, of one gate's unit.
  Exact project(const float *input, int64_t gate, int64_t unit) const {
    int64_t row = gate * hidden + unit;
    Exact sum;
    for (int64_t i = 0; i < inputs; ++i)
      sum.add(double(w[row * inputs + i]) * input[i]);
    sum.add(b[row]);
    return sum;
  }

  /// R h, of which R's own bias is a part.
  Bounded recur(Exact sum, const State &h, int64_t gate, int64_t unit) const {
    int64_t row = gate * hidden + unit;
    double before = 0;
    sum.add(b[gates * hidden + row]);
    for (int64_t i = 0; i < hidden; ++i) {
      sum.add(double(r[row * hidden + i]) * h[i].value);
      before += std::fabs(r[row * hidden + i]) * h[i].error;
    }
    Bounded result = bounded(sum, double(inputs + hidden + 2));
    result.error += before;
    return result;
  }

  std::string text() const;
};
} // namespace

std::string Layer::text() const {
  NamedTensor in = {"x", {steps, batch, inputs}};
  NamedTensor out = {"y", {steps, 1, batch, hidden}};
  NamedTensor weights = {"w", {1, gates * hidden, inputs}};
  NamedTensor recurrence = {"r", {1, gates * hidden, hidden}};
  NamedTensor bias = {"b", {1, 2 * gates * hidden}};
  return program({in}, out,
                 constant(weights, w) + constant(recurrence, r) +
                     constant(bias, b) +
                     operation(out, std::string("onnx.") + name,
                               {in, weights, recurrence, bias},
                               "hidden_size = " + std::to_string(hidden) +
                                   " : i64" + attributes));
}

//===-- Cells -------------------------------------------------------------===//

static Bounded oneMinus(Bounded x) { return Bounded{1} + x * Bounded{-1}; }

/// Input, output, forget, cell: ONNX's order. `c` is updated.
static State lstm(const Layer &layer, const float *x, const State &h,
                  State &c) {
  State next;
  for (int64_t unit = 0; unit < layer.hidden; ++unit) {
    auto sum = [&](int64_t gate) {
      return layer.recur(layer.project(x, gate, unit), h, gate, unit);
    };
    Bounded input = sigmoid(sum(0)), output = sigmoid(sum(1));
    Bounded forget = sigmoid(sum(2)), candidate = hyperbolicTangent(sum(3));
    c[unit] = forget * c[unit] + input * candidate;
    next.push_back(output * hyperbolicTangent(c[unit]));
  }
  return next;
}

/// The reset gate before or after R.
static Bounded candidateOf(const Layer &layer, const float *x, const State &h,
                           const State &reset, int64_t unit, bool isAfter) {
  Exact projected = layer.project(x, 2, unit);
  if (isAfter)
    return hyperbolicTangent(bounded(projected, inputs + 1) +
                             reset[unit] * layer.recur({}, h, 2, unit));
  State part;
  for (int64_t i = 0; i < layer.hidden; ++i)
    part.push_back(reset[i] * h[i]);
  return hyperbolicTangent(layer.recur(projected, part, 2, unit));
}

/// Update, reset, candidate: ONNX's order. (1 - z) n + z h is n + z (h - n), so
/// that an error of z is worth h - n.
static State gru(const Layer &layer, const float *x, const State &h,
                 bool isAfter) {
  State update, reset, next;
  for (int64_t unit = 0; unit < layer.hidden; ++unit) {
    auto gate = [&](int64_t gate) {
      return sigmoid(layer.recur(layer.project(x, gate, unit), h, gate, unit));
    };
    update.push_back(gate(0));
    reset.push_back(gate(1));
  }
  for (int64_t unit = 0; unit < layer.hidden; ++unit) {
    Bounded n = candidateOf(layer, x, h, reset, unit, isAfter);
    Bounded z = {update[unit].value}, old = h[unit];
    Bounded result = oneMinus(z) * n + z * old;
    result.error += update[unit].error * std::fabs(old.value - n.value);
    next.push_back(result);
  }
  return next;
}

//===-- Tests -------------------------------------------------------------===//

/// Rows of R with sums of magnitudes of 1/2, and inputs that open no gate wide.
static Layer drawLayer(Values kind, const char *name, int64_t gates,
                       int64_t hidden, const std::string &attributes) {
  Layer layer = {name,
                 gates,
                 hidden,
                 attributes,
                 draw(steps * batch * inputs, kind, 1),
                 draw(gates * hidden * inputs, Values::Normal, 2),
                 draw(gates * hidden * hidden, kind, 3),
                 scaled(draw(2 * gates * hidden, Values::Normal, 4), 0.25)};
  layer.x = scaled(layer.x, kind == Values::Varied ? 0x1p-6 : 1);
  layer.w = scaled(layer.w, 0.5 / std::sqrt(double(inputs)));
  for (int64_t row = 0; row < gates * hidden; ++row) {
    float *first = &layer.r[row * hidden];
    double sum = 0;
    for (int64_t i = 0; i < hidden; ++i)
      sum += std::fabs(first[i]);
    for (int64_t i = 0; i < hidden; ++i)
      first[i] = float(first[i] / (2 * sum));
  }
  return layer;
}

/// [step][sequence][unit]
template <typename Step>
static std::vector<Bounded> unroll(const Layer &layer, Step step) {
  std::vector<State> h(batch, State(layer.hidden));
  std::vector<Bounded> result;
  for (int64_t i = 0; i < steps * batch; ++i) {
    State &own = h[i % batch];
    own = step(&layer.x[i * inputs], own, i % batch);
    result.insert(result.end(), own.begin(), own.end());
  }
  return result;
}

static double largestError(llvm::ArrayRef<Bounded> states) {
  double largest = 0;
  for (const Bounded &state : states)
    largest = std::max(largest, state.error);
  return largest;
}

static void checkLayer(const Layer &layer, llvm::ArrayRef<Bounded> exact) {
  auto first = exact.take_front(batch * layer.hidden);
  EXPECT_LE(largestError(exact), steps * largestError(first));
  std::string text = layer.text();
  onAllProcessors([&](const CompileOptions &options) {
    expectWithin(exact, CompiledProgram(text, options).run<float>(layer.x));
  });
}

/// Of more units, steps are shared out.
static constexpr int64_t sizes[] = {24, 168};

TEST(RecurrentError, Lstm) {
  for (Values kind : allValues)
    for (int64_t hidden : sizes) {
      SCOPED_TRACE(hidden);
      Layer layer = drawLayer(kind, "LSTM", 4, hidden, "");
      std::vector<State> c(batch, State(hidden));
      checkLayer(layer, unroll(layer, [&](const float *x, const State &h,
                                          int64_t sequence) {
                   return lstm(layer, x, h, c[sequence]);
                 }));
    }
}

static void checkGru(bool isAfter) {
  for (Values kind : allValues)
    for (int64_t hidden : sizes) {
      SCOPED_TRACE(hidden);
      Layer layer = drawLayer(kind, "GRU", 3, hidden,
                              isAfter ? ", linear_before_reset = 1 : i64" : "");
      checkLayer(layer,
                 unroll(layer, [&](const float *x, const State &h, int64_t) {
                   return gru(layer, x, h, isAfter);
                 }));
    }
}

TEST(RecurrentError, GruResetBeforeTheProduct) { checkGru(false); }

TEST(RecurrentError, GruResetAfterTheProduct) { checkGru(true); }
