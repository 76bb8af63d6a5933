//===- ErrorBounds.h - how far rounding may take a result -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares what tests of rounding errors share: numbers that hide
// little, bounds, and the comparison of each element with f64.
//
// Let u = 2^-24. In whatever order a sum of K products is formed, a term passes
// at most K roundings: its product's and those of the K - 1 additions. With L
// interleaved parts it passes n = ceil(K / L) + log2(8 L) + 2: its part, up to
// eight vectors of parts, lanes; its own product, where that is rounded; the
// remainder of the last vector. The error is at most n u times the sum of the
// terms' magnitudes (Higham, "Accuracy and Stability of Numerical Algorithms",
// section 4.2), and hardly ever above 3 sqrt(n) u times it (Higham, Mary, "A
// New Approach to Probabilistic Rounding Error Analysis", 2019). Both are asked
// for: inputs are fixed, so the second fails by chance never or always.
//===----------------------------------------------------------------------===//
#ifndef TENON_TEST_UNIT_ERRORBOUNDS_H
#define TENON_TEST_UNIT_ERRORBOUNDS_H

#include "test/unit/CompiledTestProgram.h"
#include "test/unit/TestProcessors.h"

#include <cmath>
#include <random>

namespace tenon::test {

using Floats = std::vector<float>;
using Doubles = std::vector<double>;

inline constexpr double unit = 0x1p-24;

//===-- Numbers -----------------------------------------------------------===//

enum class Values {
  Normal,  ///< of both signs and one magnitude
  Varied,  ///< of both signs, over six orders of magnitude
  Positive ///< where partial sums grow the most
};
/// What hides least.
inline constexpr Values allValues[] = {Values::Varied, Values::Positive};

inline Floats draw(int64_t count, Values kind, unsigned seed) {
  std::mt19937 rng(seed);
  std::normal_distribution<double> normal;
  std::uniform_real_distribution<double> exponent(-10, 10), positive(0.5, 1);
  Floats values(count);
  for (float &x : values) {
    double number = normal(rng), scale = std::exp2(exponent(rng));
    x = float(kind == Values::Positive ? positive(rng)
              : kind == Values::Varied ? number * scale
                                       : number);
  }
  return values;
}

inline Floats scaled(Floats values, double factor) {
  for (float &x : values)
    x = float(x * factor);
  return values;
}

//===-- Sums --------------------------------------------------------------===//

/// What an element should be, and the sum of its terms' magnitudes.
struct Exact {
  double value = 0, magnitude = 0;

  void add(double term) {
    value += term;
    magnitude += std::fabs(term);
  }
};

/// The error of n roundings, in relation to the sum of magnitudes.
inline double roundings(double n) {
  return unit * std::min(n, 3 * std::sqrt(n));
}

/// n for a sum of k in so many parts.
inline double sumRoundings(int64_t k, int64_t parts) {
  return std::ceil(double(k) / parts) + std::log2(8.0 * parts) + 2;
}

//===-- Functions of sums -------------------------------------------------===//

/// A value and how far rounding may take it from there, in first order.
struct Bounded {
  double value = 0, error = 0;
};

inline Bounded bounded(const Exact &sum, double n) {
  return {sum.value, roundings(n) * sum.magnitude};
}

inline Bounded operator+(Bounded x, Bounded y) {
  double value = x.value + y.value;
  return {value, x.error + y.error + unit * std::fabs(value)};
}

inline Bounded operator*(Bounded x, Bounded y) {
  double value = x.value * y.value;
  return {value, std::fabs(x.value) * y.error + std::fabs(y.value) * x.error +
                     unit * std::fabs(value)};
}

/// `value` of a function with slopes up to `slope`, within `ulps` units in the
/// last place of it or of `least` (test/accuracy/README.md); such a unit is at
/// most 2 u.
inline Bounded applied(double value, const Bounded &x, double slope,
                       double ulps, double least = 0) {
  double size = std::max(std::fabs(value), least);
  return {value, slope * x.error + ulps * 2 * unit * size};
}

inline Bounded sigmoid(const Bounded &x) {
  return applied(1 / (1 + std::exp(-x.value)), x, 0.25, 2.55);
}

inline Bounded hyperbolicTangent(const Bounded &x) {
  return applied(std::tanh(x.value), x, 1, 2.55);
}

//===-- Comparison --------------------------------------------------------===//

inline void expectWithin(llvm::ArrayRef<Bounded> exact, const Floats &got) {
  ASSERT_EQ(exact.size(), got.size());
  double worst = 0;
  size_t at = 0;
  for (size_t i = 0; i < got.size(); ++i) {
    // What underflows may be lost.
    double allowed = exact[i].error + 0x1p-149;
    double ratio = std::fabs(got[i] - exact[i].value) / allowed;
    if (!(ratio <= worst)) {
      worst = std::isnan(ratio) ? INFINITY : ratio;
      at = i;
    }
  }
  EXPECT_LE(worst, 1) << "element " << at << ": " << got[at] << " for "
                      << exact[at].value;
}

/// All elements are within `relative` of their magnitudes.
inline void expectWithin(llvm::ArrayRef<Exact> exact, const Floats &got,
                         double relative) {
  std::vector<Bounded> bounds;
  for (const Exact &each : exact)
    bounds.push_back({each.value, each.magnitude * relative});
  expectWithin(bounds, got);
}

//===-- Processors --------------------------------------------------------===//

inline CompileOptions optionsFor(const std::string &cpu) {
  CompileOptions options;
  options.cpu = cpu;
  options.jobs = 1;
  options.winograd = tile::WinogradUse::Off;
  return options;
}

template <typename Case> void onAllProcessors(Case &&one) {
  for (const std::string &cpu : processors()) {
    SCOPED_TRACE(cpu);
    one(optionsFor(cpu));
  }
}

/// Of a function of `x`, on all processors.
inline void expectWithin(llvm::ArrayRef<Exact> exact, const std::string &text,
                         const Floats &x, double relative) {
  onAllProcessors([&](const CompileOptions &options) {
    expectWithin(exact, CompiledProgram(text, options).run<float>(x), relative);
  });
}

} // namespace tenon::test

#endif // TENON_TEST_UNIT_ERRORBOUNDS_H
