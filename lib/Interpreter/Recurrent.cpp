//===- Recurrent.cpp - loops over time ------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file says what recurrent layers compute. Both operations first bring
// their operands to one form: gates already projected from the input, and a
// recurrence matrix [hidden, gates]. States stay double from step to step.
//===----------------------------------------------------------------------===//
#include "lib/Interpreter/Call.h"

#include "dialects/Graph/Graph.h"

#include <cmath>

using namespace mlir;
using namespace tenon;
using namespace tenon::interp;

//===-- Activations -------------------------------------------------------===//

namespace {

/// A row of ONNX's list of equations. The parameters that it has are those with
/// a value, which they have where the layer gives none.
struct Equation {
  StringLiteral name;
  std::optional<double> alpha, beta;
  double (*f)(double x, double alpha, double beta);
};

/// One of them with its parameters.
struct Activation {
  const Equation *equation;
  double alpha, beta;

  double operator()(double x) const { return equation->f(x, alpha, beta); }
};

} // namespace

static const Equation kEquations[] = {
    {"Relu", {}, {}, [](double x, double, double) { return x < 0 ? 0 : x; }},
    {"Tanh", {}, {}, [](double x, double, double) { return std::tanh(x); }},
    {"Sigmoid",
     {},
     {},
     [](double x, double, double) { return 1 / (1 + std::exp(-x)); }},
    {"Affine", 1.0, 0.0,
     [](double x, double alpha, double beta) { return alpha * x + beta; }},
    {"LeakyRelu",
     0.01,
     {},
     [](double x, double alpha, double) { return x < 0 ? alpha * x : x; }},
    {"ThresholdedRelu",
     1.0,
     {},
     [](double x, double alpha, double) { return x > alpha ? x : 0; }},
    {"ScaledTanh", 1.0, 1.0,
     [](double x, double alpha, double beta) {
       return alpha * std::tanh(beta * x);
     }},
    {"HardSigmoid", 0.2, 0.5,
     [](double x, double alpha, double beta) {
       return std::fmin(std::fmax(alpha * x + beta, 0), 1);
     }},
    {"Elu",
     1.0,
     {},
     [](double x, double alpha, double) {
       return x < 0 ? alpha * std::expm1(x) : x;
     }},
    {"Softsign",
     {},
     {},
     [](double x, double, double) { return x / (1 + std::fabs(x)); }},
    {"Softplus",
     {},
     {},
     [](double x, double, double) {
       return std::fmax(x, 0) + std::log1p(std::exp(-std::fabs(x)));
     }},
};

/// The next of the values that a layer gives to those of its functions that
/// have such a parameter.
static double take(ArrayRef<float> &given, std::optional<double> otherwise) {
  if (!otherwise || given.empty())
    return otherwise.value_or(0);
  double value = given.front();
  given = given.drop_front();
  return value;
}

/// Empty when a name is unknown.
static SmallVector<Activation> readActivations(ArrayAttr names,
                                               ArrayRef<float> alphas,
                                               ArrayRef<float> betas) {
  SmallVector<Activation> functions;
  for (auto name : names.getAsRange<StringAttr>()) {
    const Equation *found =
        llvm::find_if(kEquations, [&](const Equation &equation) {
          return name.getValue().equals_insensitive(equation.name);
        });
    if (found == std::end(kEquations))
      return {};
    functions.push_back(
        {found, take(alphas, found->alpha), take(betas, found->beta)});
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
      readActivations(op.getActivations(), op.getAlpha(), op.getBeta());
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
