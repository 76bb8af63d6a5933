//===- Recurrent.cpp - loops over time ------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file says what recurrent layers compute. Both operations first bring
// their operands to one form: gates already projected from the input, and a
// recurrence matrix [hidden, gates]. States stay double from step to step.
//===----------------------------------------------------------------------===//
#include "lib/Interpreter/Call.h"

#include "dialects/Graph/Graph.h"
#include "llvm/ADT/StringSwitch.h"

#include <cmath>

using namespace mlir;
using namespace tenon;
using namespace tenon::interp;

//===-- Activations -------------------------------------------------------===//

namespace {

/// A function of ONNX's list with its parameters.
struct Activation {
  enum class Kind {
    Unknown,
    Relu,
    Tanh,
    Sigmoid,
    Softsign,
    Softplus,
    LeakyRelu,
    ThresholdedRelu,
    Elu,
    Affine,
    ScaledTanh,
    HardSigmoid
  };
  Kind kind = Kind::Unknown;
  double alpha = 0, beta = 0;

  double operator()(double x) const;
};

} // namespace

double Activation::operator()(double x) const {
  switch (kind) {
  case Kind::Relu:
    return x < 0 ? 0 : x;
  case Kind::Tanh:
    return std::tanh(x);
  case Kind::Sigmoid:
    return 1 / (1 + std::exp(-x));
  case Kind::Softsign:
    return x / (1 + std::fabs(x));
  case Kind::Softplus:
    return x > 0 ? x + std::log1p(std::exp(-x)) : std::log1p(std::exp(x));
  case Kind::LeakyRelu:
    return x < 0 ? alpha * x : x;
  case Kind::ThresholdedRelu:
    return x > alpha ? x : 0;
  case Kind::Elu:
    return x < 0 ? alpha * std::expm1(x) : x;
  case Kind::Affine:
    return alpha * x + beta;
  case Kind::ScaledTanh:
    return alpha * std::tanh(beta * x);
  case Kind::HardSigmoid:
    return std::fmin(std::fmax(alpha * x + beta, 0), 1);
  case Kind::Unknown:
    break;
  }
  return NAN;
}

/// The function of a name with ONNX's default parameters.
static Activation parseActivation(StringRef name) {
  using Kind = Activation::Kind;
  return llvm::StringSwitch<Activation>(name.lower())
      .Case("relu", {Kind::Relu})
      .Case("tanh", {Kind::Tanh})
      .Case("sigmoid", {Kind::Sigmoid})
      .Case("softsign", {Kind::Softsign})
      .Case("softplus", {Kind::Softplus})
      .Case("leakyrelu", {Kind::LeakyRelu, 0.01})
      .Case("thresholdedrelu", {Kind::ThresholdedRelu, 1.0})
      .Case("elu", {Kind::Elu, 1.0})
      .Case("affine", {Kind::Affine, 1.0, 0.0})
      .Case("scaledtanh", {Kind::ScaledTanh, 1.0, 1.0})
      .Case("hardsigmoid", {Kind::HardSigmoid, 0.2, 0.5})
      .Default({});
}

/// Reads the list; the parameters given are consumed in order by the functions
/// that have them. Empty when a name is unknown.
static SmallVector<Activation> parseActivations(ArrayAttr names,
                                                ArrayRef<float> alphas,
                                                ArrayRef<float> betas) {
  SmallVector<Activation> functions;
  for (auto name : names.getAsRange<StringAttr>()) {
    Activation f = parseActivation(name.getValue());
    if (f.kind == Activation::Kind::Unknown)
      return {};
    if (f.kind >= Activation::Kind::LeakyRelu && !alphas.empty()) {
      f.alpha = alphas.front();
      alphas = alphas.drop_front();
    }
    if (f.kind >= Activation::Kind::Affine && !betas.empty()) {
      f.beta = betas.front();
      betas = betas.drop_front();
    }
    functions.push_back(f);
  }
  return functions;
}

//===-- One step ------------------------------------------------------------//

namespace {

/// One direction of a layer.
struct Layer {
  graph::Cell cell;
  int64_t hidden, wide; ///< size of the state, of all gates
  ArrayRef<Activation> f;
  double clip; ///< bound of the activations' inputs
  bool inputForget, linearBeforeReset;
  const double *matrix;   ///< [hidden, wide]
  const double *bias;     ///< [wide], added to state * matrix
  const double *peephole; ///< [3, hidden] for input, output, forget

  double clipped(double x) const {
    return std::fmin(std::fmax(x, -clip), clip);
  }

  /// sums = bias + state * matrix, in the gates [first, last).
  void project(const double *state, double *sums, int64_t first,
               int64_t last) const {
    std::copy(bias + first, bias + last, sums + first);
    for (int64_t k = 0; k < hidden; ++k)
      for (int64_t i = first; i < last; ++i)
        sums[i] += state[k] * matrix[k * wide + i];
  }

  void step(const double *gates, double *h, double *c) const;

private:
  void stepRnn(const double *gates, double *h) const;
  void stepGru(const double *gates, double *h) const;
  void stepLstm(const double *gates, double *h, double *c) const;
};

} // namespace

void Layer::step(const double *gates, double *h, double *c) const {
  if (cell == graph::Cell::Rnn)
    return stepRnn(gates, h);
  if (cell == graph::Cell::Gru)
    return stepGru(gates, h);
  stepLstm(gates, h, c);
}

void Layer::stepRnn(const double *gates, double *h) const {
  std::vector<double> sums(wide);
  project(h, sums.data(), 0, wide);
  for (int64_t i = 0; i < hidden; ++i)
    h[i] = f[0](clipped(gates[i] + sums[i]));
}

/// Gates: update z, reset r, candidate.
void Layer::stepGru(const double *gates, double *h) const {
  std::vector<double> sums(wide), reset(h, h + hidden);
  project(h, sums.data(), 0, wide);
  const double *z = sums.data(), *r = z + hidden, *candidate = r + hidden;
  for (int64_t i = 0; i < hidden; ++i) {
    double factor = f[0](clipped(gates[hidden + i] + r[i]));
    reset[i] = factor * (linearBeforeReset ? candidate[i] : h[i]);
  }
  if (!linearBeforeReset) {
    project(reset.data(), sums.data(), 2 * hidden, wide);
    std::copy(candidate, candidate + hidden, reset.begin());
  }
  for (int64_t i = 0; i < hidden; ++i) {
    double update = f[0](clipped(gates[i] + z[i]));
    double next = f[1](clipped(gates[2 * hidden + i] + reset[i]));
    h[i] = (1 - update) * next + update * h[i];
  }
}

/// Gates: input i, output o, forget f, cell c.
void Layer::stepLstm(const double *gates, double *h, double *c) const {
  std::vector<double> sums(wide);
  project(h, sums.data(), 0, wide);
  for (int64_t i = 0; i < wide; ++i)
    sums[i] += gates[i];
  for (int64_t i = 0; i < hidden; ++i) {
    const double *gate = sums.data() + i, *peep = peephole + i;
    double input = f[0](clipped(gate[0] + peep[0] * c[i]));
    double forget =
        inputForget ? 1 - input
                    : f[0](clipped(gate[2 * hidden] + peep[2 * hidden] * c[i]));
    double cellGate = f[1](clipped(gate[3 * hidden]));
    c[i] = forget * c[i] + input * cellGate;
    double output = f[0](clipped(gate[hidden] + peep[hidden] * c[i]));
    h[i] = output * f[2](c[i]);
  }
}

//===-- The whole layer -----------------------------------------------------//

namespace {

/// Operands in the common form; shapes as of graph.recurrence.
struct Problem {
  int64_t steps, directions, batch, hidden, wide;
  std::vector<double> gates, matrix, bias, peephole, h, c;
  std::vector<int64_t> lengths;
};

} // namespace

/// The numbers of an optional operand, zeros when absent. Operands come in
/// order; `next` counts those present.
static std::vector<double> loadOptional(Call &call, Value operand, size_t &next,
                                        int64_t size) {
  return operand ? loadAll<double>(call.operands[next++])
                 : std::vector<double>(size);
}

template <typename Op>
static void loadStates(Call &call, Op op, size_t next, Problem &p) {
  if (op.getLengths())
    p.lengths = loadAll<int64_t>(call.operands[next++]);
  else
    p.lengths.assign(p.batch, p.steps);
  for (int64_t &length : p.lengths)
    length = std::clamp<int64_t>(length, 0, p.steps);
  int64_t states = p.directions * p.batch * p.hidden;
  p.h = loadOptional(call, op.getInitialH(), next, states);
  p.c = loadOptional(call, op.getInitialC(), next, states);
  p.peephole =
      loadOptional(call, op.getPeephole(), next, p.directions * 3 * p.hidden);
}

/// Runs one sequence of the batch in one direction over the steps it has.
static void runSequence(const Problem &p, const Layer &layer, int64_t direction,
                        int64_t sequence, bool reverse, double *h, double *c,
                        std::vector<double> &all) {
  int64_t length = p.lengths[sequence];
  for (int64_t i = 0; i < length; ++i) {
    int64_t step = reverse ? length - 1 - i : i;
    int64_t row = (step * p.directions + direction) * p.batch + sequence;
    layer.step(p.gates.data() + row * p.wide, h, c);
    std::copy(h, h + p.hidden, all.begin() + row * p.hidden);
  }
}

template <typename Op>
static LogicalResult runLayer(Call &call, Op op, Problem &p) {
  SmallVector<Activation> functions =
      parseActivations(op.getActivations(), op.getAlpha(), op.getBeta());
  size_t perDirection = functions.size() / p.directions;
  size_t needed = op.getCell() == graph::Cell::Rnn   ? 1
                  : op.getCell() == graph::Cell::Gru ? 2
                                                     : 3;
  if (perDirection < needed)
    return call.fail("needs known activations for each direction");
  double clip = op.getClip() ? op.getClip()->convertToDouble() : INFINITY;
  std::vector<double> all(p.steps * p.directions * p.batch * p.hidden);
  for (int64_t d = 0; d < p.directions; ++d) {
    Layer layer{op.getCell(),
                p.hidden,
                p.wide,
                ArrayRef(functions).slice(d * perDirection, perDirection),
                clip,
                op.getInputForget(),
                op.getLinearBeforeReset(),
                p.matrix.data() + d * p.hidden * p.wide,
                p.bias.data() + d * p.wide,
                p.peephole.data() + d * 3 * p.hidden};
    bool reverse = d == 1 || op.getDirection() == graph::Direction::Reverse;
    for (int64_t b = 0; b < p.batch; ++b) {
      int64_t state = (d * p.batch + b) * p.hidden;
      runSequence(p, layer, d, b, reverse, p.h.data() + state,
                  p.c.data() + state, all);
    }
  }
  storeAll(call.results[0], all);
  storeAll(call.results[1], p.h);
  storeAll(call.results[2], op.getCell() == graph::Cell::Lstm ? p.c : p.h);
  return success();
}

static LogicalResult recurrence(Call &call) {
  auto op = cast<graph::RecurrenceOp>(call.op);
  Shape gates = call.operands[0].getShape();
  Problem p;
  p.steps = gates[0], p.directions = gates[1], p.batch = gates[2];
  p.wide = gates[3], p.hidden = call.operands[1].getShape()[1];
  p.gates = loadAll<double>(call.operands[0]);
  p.matrix = loadAll<double>(call.operands[1]);
  size_t next = 2;
  p.bias = loadOptional(call, op.getBias(), next, p.directions * p.wide);
  loadStates(call, op, next, p);
  return runLayer(call, op, p);
}

/// gates[t, d, b, g] = bias[d, g] + sum over i of input[t, b, i] *
/// weights[d, g, i]; `bias` has rows of twice the width.
static void projectInput(Problem &p, const std::vector<double> &input,
                         const std::vector<double> &weights,
                         const std::vector<double> &bias, int64_t features) {
  p.gates.resize(p.steps * p.directions * p.batch * p.wide);
  for (int64_t i = 0, e = p.gates.size(); i < e; ++i) {
    int64_t gate = i % p.wide, sequence = i / p.wide % p.batch;
    int64_t d = i / p.wide / p.batch % p.directions;
    int64_t step = i / p.wide / p.batch / p.directions;
    const double *x = input.data() + (step * p.batch + sequence) * features;
    const double *w = weights.data() + (d * p.wide + gate) * features;
    double sum = bias[d * 2 * p.wide + gate];
    for (int64_t k = 0; k < features; ++k)
      sum += x[k] * w[k];
    p.gates[i] = sum;
  }
}

static LogicalResult recurrent(Call &call) {
  auto op = cast<graph::RecurrentOp>(call.op);
  Shape input = call.operands[0].getShape();
  Shape recurrence = call.operands[2].getShape();
  Problem p;
  p.steps = input[0], p.batch = input[1], p.directions = recurrence[0];
  p.wide = recurrence[1], p.hidden = recurrence[2];
  size_t next = 3;
  std::vector<double> bias =
      loadOptional(call, op.getBias(), next, p.directions * 2 * p.wide);
  projectInput(p, loadAll<double>(call.operands[0]),
               loadAll<double>(call.operands[1]), bias, input[2]);
  p.matrix = permute(loadAll<double>(call.operands[2]), recurrence, {0, 2, 1});
  for (int64_t d = 0; d < p.directions; ++d)
    p.bias.insert(p.bias.end(), bias.begin() + (2 * d + 1) * p.wide,
                  bias.begin() + (2 * d + 2) * p.wide);
  loadStates(call, op, next, p);
  return runLayer(call, op, p);
}

static const Entry kEntries[] = {
    {"graph.recurrent", recurrent},
    {"graph.recurrence", recurrence},
};

ArrayRef<Entry> tenon::interp::recurrentEntries() { return kEntries; }
