//===- RecurrentCell.cpp - the arithmetic of one time step ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/Codegen/Bodies/RecurrentCell.h"

#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::codegen;

static Num negativePart(Num x, Num below) {
  return select(less(x, x.of(0.0)), below, x);
}

/// log(1 + e^x) without overflow.
static Num softplus(Num x) {
  return maximum(x, x.of(0.0)) + log(exp(-abs(x)) + 1.0);
}

Num Activation::apply(Num x) const {
  Num zero = x.of(0.0);
  if (name == "sigmoid")
    return sigmoid(x);
  if (name == "tanh")
    return tanh(x);
  if (name == "relu")
    return maximum(x, zero);
  if (name == "softsign")
    return x / (abs(x) + 1.0);
  if (name == "softplus")
    return softplus(x);
  if (name == "leakyrelu")
    return negativePart(x, x * alpha);
  if (name == "thresholdedrelu")
    return select(less(x.of(alpha), x), x, zero);
  if (name == "elu")
    return negativePart(x, expm1(minimum(x, zero)) * alpha);
  if (name == "affine")
    return fma(x, x.of(alpha), x.of(beta));
  if (name == "scaledtanh")
    return tanh(x * beta) * alpha;
  return clamp(fma(x, x.of(alpha), x.of(beta)), 0.0, 1.0); // hardsigmoid
}

namespace {
/// ONNX's defaults, and which parameters a function takes.
struct Defaults {
  bool known = false;
  int parameters = 0;
  double alpha = 0, beta = 0;
};
} // namespace

static Defaults defaultsOf(StringRef name) {
  return llvm::StringSwitch<Defaults>(name)
      .Cases({"relu", "tanh", "sigmoid", "softsign", "softplus"},
             Defaults{true})
      .Case("leakyrelu", Defaults{true, 1, 0.01})
      .Case("thresholdedrelu", Defaults{true, 1, 1.0})
      .Case("elu", Defaults{true, 1, 1.0})
      .Case("affine", Defaults{true, 2, 1.0, 0.0})
      .Case("scaledtanh", Defaults{true, 2, 1.0, 1.0})
      .Case("hardsigmoid", Defaults{true, 2, 0.2, 0.5})
      .Default(Defaults());
}

FailureOr<SmallVector<Activation>>
codegen::readActivations(graph::RecurrenceOp op) {
  ArrayRef<float> alphas = op.getAlpha(), betas = op.getBeta();
  SmallVector<Activation> result;
  for (auto name : op.getActivations().getAsRange<StringAttr>()) {
    Activation f{name.getValue().lower(), 0, 0};
    Defaults defaults = defaultsOf(f.name);
    if (!defaults.known)
      return op.emitError() << "unknown activation " << name;
    f.alpha = defaults.alpha;
    f.beta = defaults.beta;
    if (defaults.parameters >= 1 && !alphas.empty()) {
      f.alpha = alphas.front();
      alphas = alphas.drop_front();
    }
    if (defaults.parameters == 2 && !betas.empty()) {
      f.beta = betas.front();
      betas = betas.drop_front();
    }
    result.push_back(f);
  }
  return result;
}

Num RecurrentCell::clipped(Num x) const {
  return clip ? codegen::clamp(x, -*clip, *clip) : x;
}

Num RecurrentCell::gate(Num sum) const {
  return activations[0].apply(clipped(sum));
}

Num RecurrentCell::rnn(Num sum) const { return gate(sum); }

Num RecurrentCell::gru(Num update, Num candidate, Num h) const {
  Num z = gate(update);
  Num next = activations[1].apply(clipped(candidate));
  return (1.0 - z) * next + z * h;
}

std::pair<Num, Num> RecurrentCell::lstm(ArrayRef<Num> sums, Num c,
                                        ArrayRef<Num> peepholes) const {
  auto peep = [&](Num sum, size_t which, Num state) {
    return peepholes.empty() ? sum : fma(peepholes[which], state, sum);
  };
  Num input = gate(peep(sums[0], 0, c));
  Num forget = inputForget ? 1.0 - input : gate(peep(sums[2], 2, c));
  Num candidate = activations[1].apply(clipped(sums[3]));
  Num next = fma(forget, c, input * candidate);
  Num output = gate(peep(sums[1], 1, next));
  return {output * activations[2].apply(next), next};
}
