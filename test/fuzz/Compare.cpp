//===- Compare.cpp - two results of one graph -----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/fuzz/Compare.h"

#include <cmath>

using namespace tenon;
using namespace tenon::fuzz;

static bool isFloat(const run::Tensor &tensor) {
  return tensor.spec.type.code == TENON_FLOAT;
}

/// Errors over the largest element.
static double toleranceOf(const run::Tensor &tensor) {
  return tensor.spec.type.bits == 16 ? 4e-3 : 2e-5;
}

/// What roundings leave of zero: numbers that are drawn are around 1.
static constexpr double nothing = 1e-12;

static double scaleOf(const run::Tensor &tensor) {
  double scale = 0;
  for (int64_t i = 0; i < tensor.elements; ++i)
    if (double value = tensor.at(i); std::isfinite(value))
      scale = std::max(scale, std::fabs(value));
  return scale;
}

static std::string describe(const run::Tensor &want, double wanted,
                            double found, int64_t index) {
  return "'" + want.spec.name + "' " + want.str() + ": element " +
         std::to_string(index) + " is " + std::to_string(found) +
         " instead of " + std::to_string(wanted);
}

/// Of two floats, how far one is from the other; NaN is NaN.
static double distance(double a, double b) {
  if (a == b || (std::isnan(a) && std::isnan(b)))
    return 0;
  double apart = std::fabs(a - b);
  return std::isfinite(apart) ? apart : INFINITY;
}

std::string tenon::fuzz::difference(const run::Tensor &want,
                                    const run::Tensor &got, const Slack &slack,
                                    double times) {
  if (want.spec.shape != got.spec.shape ||
      !run::sameType(want.spec.type, got.spec.type))
    return "'" + want.spec.name + "' is " + got.str() + " instead of " +
           want.str();
  double allowed =
      isFloat(want) ? times * toleranceOf(want) * scaleOf(want) + nothing : 0;
  for (int64_t i = 0; i < want.elements; ++i) {
    double apart = distance(want.at(i), got.at(i));
    double more = slack.empty() ? 0 : slack[size_t(i)];
    if (!(apart <= allowed + more))
      return describe(want, want.at(i), got.at(i), i);
  }
  return "";
}

bool tenon::fuzz::addSlack(const run::Tensor &want, const run::Tensor &other,
                           Slack &slack) {
  if (want.spec.shape != other.spec.shape)
    return false;
  // How much more a rounding on the way may change than one of an input.
  constexpr double margin = 20;
  slack.resize(size_t(want.elements));
  for (int64_t i = 0; i < want.elements; ++i) {
    double apart = distance(want.at(i), other.at(i));
    if (apart > 0)
      slack[size_t(i)] += isFloat(want) ? margin * apart : INFINITY;
  }
  return true;
}
