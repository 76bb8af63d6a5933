//===- Measure.cpp - comparing and timing ---------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file implements the comparison of outputs and the benchmark.
//===----------------------------------------------------------------------===//
#include "lib/Run/Measure.h"

#include "lib/Run/Text.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <sys/resource.h>

using namespace tenon;
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

static Difference compareStrings(const Tensor &got, const Tensor &expected) {
  Difference difference;
  difference.elements = got.elements;
  for (int64_t i = 0; i < got.elements; ++i) {
    if (got.strings[i] == expected.strings[i])
      continue;
    if (!difference.mismatches)
      difference.firstStrings =
          quote(got.strings[i]) + " instead of " + quote(expected.strings[i]);
    note(difference, i, 0, 0);
  }
  return difference;
}

static Result<Difference> compareTensors(const Tensor &got,
                                         const Tensor &expected, double rtol,
                                         double atol) {
  if (got.isOfStrings())
    return compareStrings(got, expected);
  if (got.spec.type.code == TENON_COMPLEX) {
    Result<Tensor> a = splitComplex(got), b = splitComplex(expected);
    if (!a || !b)
      return a ? b.error() : a.error();
    return compareTensors(*a, *b, rtol, atol);
  }
  Difference difference;
  difference.elements = got.elements;
  for (int64_t i = 0; i < got.elements; ++i)
    if (isFloating(got.spec.type))
      compareFloat(difference, i, got.at(i), expected.at(i), rtol, atol);
    else
      compareWhole(difference, i, got, expected);
  return difference;
}

/// Adds what the next tensor of a sequence differs in. Elements are counted
/// through all of them.
static void append(Difference &all, const Difference &next) {
  if (!all.mismatches && next.mismatches) {
    all.firstIndex = all.elements + next.firstIndex;
    all.firstGot = next.firstGot;
    all.firstExpected = next.firstExpected;
    all.firstStrings = next.firstStrings;
  }
  all.mismatches += next.mismatches;
  all.elements += next.elements;
  all.maxAbs = std::max(all.maxAbs, next.maxAbs);
  all.maxRel = std::max(all.maxRel, next.maxRel);
  all.scale = std::max(all.scale, next.scale);
}

/// Whether two values are comparable: of the same kind, types and shapes.
static bool areAlike(const Tensor &got, const Tensor &expected) {
  if (got.spec.kind != expected.spec.kind)
    return false;
  if (got.isTensor())
    return sameType(got.spec.type, expected.spec.type) &&
           got.spec.shape == expected.spec.shape;
  return std::equal(got.items.begin(), got.items.end(), expected.items.begin(),
                    expected.items.end(), areAlike);
}

/// With the types and shapes of the tensors.
static std::string describe(const Tensor &value) {
  std::string text = value.str();
  for (const Tensor &item : value.items)
    text += (&item == &value.items.front() ? ": " : ", ") + item.spec.str();
  return text;
}

Result<Difference> tenon::run::compare(const Tensor &got,
                                       const Tensor &expected, double rtol,
                                       double atol) {
  if (!areAlike(got, expected))
    return Error{"output '" + got.spec.name + "' is " + describe(got) +
                 "; the expected one is " + describe(expected)};
  Difference difference;
  if (got.isTensor()) {
    Result<Difference> compared = compareTensors(got, expected, rtol, atol);
    if (!compared)
      return compared;
    difference = *compared;
  }
  for (size_t i = 0; i < got.items.size(); ++i) {
    Result<Difference> compared =
        compareTensors(got.items[i], expected.items[i], rtol, atol);
    if (!compared)
      return compared;
    append(difference, *compared);
  }
  difference.name = got.spec.name;
  return difference;
}

//===----------------------------------------------------------------------===//
// Summaries
//===----------------------------------------------------------------------===//

/// What is looked at of the elements of a tensor, and of the tensors of a
/// sequence.
static constexpr size_t shown = 5;

static std::string summariseNumbers(const Tensor &tensor) {
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
  std::string text;
  if (good)
    text += format("  min %.6g  max %.6g  mean %.6g", low, high, sum / good);
  if (bad)
    text += "  " + std::to_string(bad) + " not finite";
  text += "  first";
  for (int64_t i = 0; i < std::min<int64_t>(tensor.elements, shown); ++i)
    text += format(" %.6g", tensor.at(i));
  return text;
}

static std::string summariseTensor(const Tensor &tensor) {
  if (!tensor.isOfStrings())
    return tensor.spec.str() + summariseNumbers(tensor);
  std::string text = tensor.spec.str() + "  first";
  for (size_t i = 0; i < std::min(tensor.strings.size(), shown); ++i)
    text += " " + quote(tensor.strings[i]);
  return text;
}

std::string tenon::run::summarise(const Tensor &value) {
  std::string text = value.spec.name + ": ";
  if (value.isTensor())
    return text + summariseTensor(value);
  text += value.str();
  for (size_t i = 0; i < std::min(value.items.size(), shown); ++i)
    text += "\n  " + std::to_string(i) + ": " + summariseTensor(value.items[i]);
  return text + (value.items.size() > shown ? "\n  ..." : "");
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
  std::vector<double> times(runs), onDevice(runs);
  for (int64_t i = 0; i < runs; ++i) {
    double before = now();
    Status status = executable.run(in, out);
    if (!status)
      return status.error();
    times[i] = now() - before;
    onDevice[i] = double(executable.deviceNanoseconds()) / 1e6;
  }
  Timing timing = analyse(std::move(times));
  timing.deviceMedian = analyse(std::move(onDevice)).median;
  return timing;
}
