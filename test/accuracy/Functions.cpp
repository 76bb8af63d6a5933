//===- Functions.cpp - what element-wise functions promise ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/accuracy/Functions.h"

#include <algorithm>
#include <cmath>

using namespace tenon::test;

static double sigmoid(double x) { return 1 / (1 + std::exp(-x)); }

static double softplus(double x) {
  return std::fmax(x, 0) + std::log1p(std::exp(-std::fabs(x)));
}

static double elu(double x) { return x < 0 ? std::expm1(x) : x; }

static double selu(double x) {
  double alpha = 1.67326319217681884765625f, gamma = 1.05070102214813232421875f;
  return gamma * (x < 0 ? alpha * std::expm1(x) : x);
}

static double gelu(double x) {
  return 0.5 * x * std::erfc(-x * 0.70710678118654752);
}

static double geluTanh(double x) {
  double inner = 0.79788456080286536 * (x + 0.044715 * x * x * x);
  return x * sigmoid(2 * inner);
}

static double mish(double x) { return x * std::tanh(softplus(x)); }

static double cube(double x) { return x * x * x; }

/// NaN passes through softplus's fmax otherwise.
template <double (*f)(double)> static double keepNan(double x) {
  return std::isnan(x) ? x : f(x);
}

/// Where a sum of f32 numbers cancels, its error is relative to the terms.
static constexpr double one = 1;

const std::vector<Function> &tenon::test::functions() {
  // clang-format off
  static const std::vector<Function> table = {
    {"exp", "@ = Exp(x)", std::exp, 1.05},
    {"log", "@ = Log(x)", std::log, 0.85},
    {"tanh", "@ = Tanh(x)", std::tanh, 2.55},
    {"erf", "@ = Erf(x)", std::erf, 3.2},
    {"sigmoid", "@ = Sigmoid(x)", sigmoid, 2.55},
    {"sin", "@ = Sin(x)", std::sin, 0.51, 0, 0x1p50},
    {"cos", "@ = Cos(x)", std::cos, 0.51, 0, 0x1p50},
    {"tan", "@ = Tan(x)", std::tan, 0.51, 0, 0x1p50},
    {"asin", "@ = Asin(x)", std::asin, 0.51},
    {"acos", "@ = Acos(x)", std::acos, 0.51},
    {"atan", "@ = Atan(x)", std::atan, 0.51},
    {"sinh", "@ = Sinh(x)", std::sinh, 0.51},
    {"cosh", "@ = Cosh(x)", std::cosh, 0.51},
    {"asinh", "@ = Asinh(x)", std::asinh, 0.51},
    {"acosh", "@ = Acosh(x)", std::acosh, 0.51},
    {"atanh", "@ = Atanh(x)", std::atanh, 0.51},
    {"sqrt", "@ = Sqrt(x)", std::sqrt, 0.5},
    {"reciprocal", "@ = Reciprocal(x)", [](double x) { return 1 / x; }, 0.5},
    {"rsqrt", "@_root = Sqrt(x) @ = Reciprocal(@_root)", [](double x) { return 1 / std::sqrt(x); }, 1.51},
    {"square", "@_e = Constant<value_float = 2.0>() @ = Pow(x, @_e)", [](double x) { return x * x; }, 0.5},
    {"cube", "@_e = Constant<value_float = 3.0>() @ = Pow(x, @_e)", cube, 1.51},
    // As the square root: its sign of zero, its NaN for -infinity.
    {"pow_half", "@_e = Constant<value_float = 0.5>() @ = Pow(x, @_e)", std::sqrt, 0.51},
    {"pow_real", "@_e = Constant<value_float = -2.75>() @ = Pow(x, @_e)", [](double x) { return std::pow(x, -2.75); }, 0.51},
    {"pow_odd", "@_e = Constant<value_float = 5.0>() @ = Pow(x, @_e)", [](double x) { return std::pow(x, 5); }, 0.51},
    {"elu", "@ = Elu(x)", elu, 0.5, one},
    {"celu", "@ = Celu(x)", elu, 0.5, one},
    {"selu", "@ = Selu(x)", selu, 1.5, one},
    {"softplus", "@ = Softplus(x)", keepNan<softplus>, 1.25, one},
    {"softsign", "@ = Softsign(x)", [](double x) { return x / (1 + std::fabs(x)); }, 1.51},
    {"swish", "@_s = Sigmoid(x) @ = Mul(x, @_s)", [](double x) { return x * sigmoid(x); }, 3.5, 0x1p-119},
    {"mish", "@ = Mish(x)", keepNan<mish>, 5, 0x1p-119},
    {"gelu", "@ = Gelu(x)", gelu, 1.6, one},
    {"gelu_tanh", "@ = Gelu<approximate = \"tanh\">(x)", geluTanh, 2.75, one},
  };
  // clang-format on
  return table;
}

const Function *tenon::test::findFunction(const std::string &name) {
  const std::vector<Function> &table = functions();
  auto found = std::find_if(table.begin(), table.end(),
                            [&](const Function &f) { return f.name == name; });
  return found == table.end() ? nullptr : &*found;
}
