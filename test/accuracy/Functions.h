//===- Functions.h - what element-wise functions promise --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares the one table of accuracy bounds, and how errors are
// counted. The unit in the last place of a real number r is
//
//     ulp(r) = 2^(max(floor(log2 |r|), -126) - 23),
//
// the distance between the f32 numbers around r; below 2^-126, and around
// zero, it is that of the subnormal numbers. A correctly rounded result is off
// by at most half of it. Infinity counts as 2^128, so that a finite result
// where the exact one overflows is off by a few units, not by infinitely many.
//===----------------------------------------------------------------------===//
#ifndef TENON_TEST_ACCURACY_FUNCTIONS_H
#define TENON_TEST_ACCURACY_FUNCTIONS_H

#include <string>
#include <vector>

namespace tenon::test {

/// A function from f32 to f32.
struct Function {
  /// Of the model's output.
  const char *name;
  /// ONNX nodes from `x` to `@`, which stands for the name.
  const char *nodes;
  /// The function in double, with far smaller errors than an f32's.
  double (*exact)(double);
  /// The largest error allowed, in units in the last place of the result, or
  /// of `scale` where the result is smaller. NaN, infinity and, where `scale`
  /// is zero, the sign must be right as well.
  double bound;
  double scale = 0;
  /// Holds for |x| up to here, and for infinity and NaN. Beyond, the result
  /// must only be finite.
  double domain = __builtin_inf();
};

const std::vector<Function> &functions();
/// NULL if there is none.
const Function *findFunction(const std::string &name);

} // namespace tenon::test

#endif // TENON_TEST_ACCURACY_FUNCTIONS_H
