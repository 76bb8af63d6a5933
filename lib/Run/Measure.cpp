//===- Measure.cpp - comparing and timing ---------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file implements the comparison of outputs and the benchmark.
//===----------------------------------------------------------------------===//
#include "lib/Run/Measure.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <sys/resource.h>

using namespace tenon::run;

double tenon::run::now() {
  auto time = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration<double, std::milli>(time).count();
}

uint64_t tenon::run::peakMemory() {
  rusage usage = {};
  getrusage(RUSAGE_SELF, &usage);
  return uint64_t(usage.ru_maxrss) * 1024;
}

//===----------------------------------------------------------------------===//
// Comparing
//===----------------------------------------------------------------------===//

static bool isFloating(tenon_dtype type) {
  return type.code == TENON_FLOAT || type.code == TENON_BFLOAT ||
         type.code == TENON_COMPLEX || isSmallFloat(type);
}

static void note(Difference &difference, int64_t index, double got,
                 double expected) {
  if (difference.mismatches++ == 0) {
    difference.firstIndex = index;
    difference.firstGot = got;
    difference.firstExpected = expected;
  }
}

static void compareFloat(Difference &difference, int64_t index, double got,
                         double expected, double rtol, double atol) {
  if (std::isfinite(expected))
    difference.scale = std::max(difference.scale, std::fabs(expected));
  if (got == expected || (std::isnan(got) && std::isnan(expected)))
    return;
  double error = std::fabs(got - expected);
  if (!std::isfinite(error))
    error = INFINITY;
  difference.maxAbs = std::max(difference.maxAbs, error);
  if (expected != 0)
    difference.maxRel =
        std::max(difference.maxRel, error / std::fabs(expected));
  // An infinity that was expected must not make the tolerance infinite.
  if (!std::isfinite(expected) || !(error <= atol + rtol * std::fabs(expected)))
    note(difference, index, got, expected);
}

static void compareWhole(Difference &difference, int64_t index,
                         const Tensor &got, const Tensor &expected) {
  size_t width = elementBytes(got.spec.type);
  double value = expected.at(index);
  difference.scale = std::max(difference.scale, std::fabs(value));
  if (isSmall(got.spec.type) && got.at(index) == value)
    return;
  if (!std::memcmp(got.data() + index * width, expected.data() + index * width,
                   width))
    return;
  difference.maxAbs =
      std::max(difference.maxAbs, std::fabs(got.at(index) - value));
  note(difference, index, got.at(index), value);
}

/// A complex tensor as one of real and imaginary parts.
static Result<Tensor> splitComplex(const Tensor &tensor) {
  TensorSpec spec = tensor.spec;
  spec.type = {TENON_FLOAT, uint8_t(spec.type.bits / 2), 1};
  spec.shape.push_back(2);
  Result<Tensor> parts = Tensor::make(spec);
  if (parts)
    std::memcpy(parts->data(), tensor.data(), tensor.byteSize());
  return parts;
}

Result<Difference> tenon::run::compare(const Tensor &got,
                                       const Tensor &expected, double rtol,
                                       double atol) {
  if (!sameType(got.spec.type, expected.spec.type) ||
      got.spec.shape != expected.spec.shape)
    return Error{"output '" + got.spec.name + "' is " + got.spec.str() +
                 "; the expected one is " + expected.spec.str()};
  if (got.spec.type.code == TENON_COMPLEX) {
    Result<Tensor> a = splitComplex(got), b = splitComplex(expected);
    if (!a || !b)
      return a ? b.error() : a.error();
    return compare(*a, *b, rtol, atol);
  }
  Difference difference;
  difference.name = got.spec.name;
  difference.elements = got.elements;
  for (int64_t i = 0; i < got.elements; ++i)
    if (isFloating(got.spec.type))
      compareFloat(difference, i, got.at(i), expected.at(i), rtol, atol);
    else
      compareWhole(difference, i, got, expected);
  return difference;
}

std::string tenon::run::summarise(const Tensor &tensor) {
  double low = INFINITY, high = -INFINITY, sum = 0;
  int64_t bad = 0;
  for (int64_t i = 0; i < tensor.elements; ++i) {
    double value = tensor.at(i);
    if (!std::isfinite(value)) {
      ++bad;
      continue;
    }
    low = std::min(low, value);
    high = std::max(high, value);
    sum += value;
  }
  int64_t good = tensor.elements - bad;
  std::string text = tensor.spec.name + ": " + tensor.spec.str();
  char line[160];
  if (good) {
    snprintf(line, sizeof line, "  min %.6g  max %.6g  mean %.6g", low, high,
             sum / good);
    text += line;
  }
  if (bad)
    text += "  " + std::to_string(bad) + " not finite";
  text += "  first";
  for (int64_t i = 0; i < std::min<int64_t>(tensor.elements, 5); ++i) {
    snprintf(line, sizeof line, " %.6g", tensor.at(i));
    text += line;
  }
  return text;
}

//===----------------------------------------------------------------------===//
// Timing
//===----------------------------------------------------------------------===//

Timing tenon::run::analyse(std::vector<double> milliseconds) {
  Timing timing;
  size_t count = milliseconds.size();
  timing.runs = int64_t(count);
  if (!count)
    return timing;
  std::sort(milliseconds.begin(), milliseconds.end());
  timing.minimum = milliseconds[0];
  timing.median = (milliseconds[(count - 1) / 2] + milliseconds[count / 2]) / 2;
  timing.p99 = milliseconds[std::min(count - 1, count * 99 / 100)];
  for (double time : milliseconds)
    timing.mean += time / count;
  return timing;
}

static constexpr double warmUpMilliseconds = 200;
static constexpr double measureMilliseconds = 2000;

/// The time of one run after the warm-up.
static Result<double> warmUp(Executable &executable,
                             const std::vector<Tensor> &in,
                             std::vector<Tensor> &out) {
  double start = now(), last = 0;
  for (int run = 0;
       run < 2 || (run < 1000 && now() - start < warmUpMilliseconds); ++run) {
    double before = now();
    Status status = executable.run(in, out);
    if (!status)
      return status.error();
    last = now() - before;
  }
  return last;
}

Result<Timing> tenon::run::benchmark(Executable &executable,
                                     const std::vector<Tensor> &in,
                                     std::vector<Tensor> &out, int64_t runs) {
  Result<double> one = warmUp(executable, in, out);
  if (!one)
    return one.error();
  if (runs == 0)
    runs = int64_t(
        std::clamp(measureMilliseconds / std::max(*one, 1e-3), 10.0, 10000.0));
  executable.resetProfile();
  std::vector<double> times(runs);
  for (double &time : times) {
    double before = now();
    Status status = executable.run(in, out);
    if (!status)
      return status.error();
    time = now() - before;
  }
  return analyse(std::move(times));
}
