//===- Differ.h - how two tensors differ ------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TENON_LIB_COMPARE_DIFFER_H
#define TENON_LIB_COMPARE_DIFFER_H

#include "lib/Run/Tensor.h"

#include <array>

namespace tenon::compare {

/// How a value differs from the reference.
struct Difference {
  int64_t elements = 0;
  double largest = 0;   ///< |a - b|; infinite where one alone is no number
  double scale = 0;     ///< the largest finite |b|
  double ulp = 0;       ///< the largest |a - b| in units of b's last place
  bool isOther = false; ///< another type or shape
  /// Elements by ULP: none, up to 1, 2, 4, ..., more. Of integers, by
  /// differences.
  std::array<int64_t, 26> histogram = {};

  /// The largest error as a part of the scale.
  double relative() const;
};

/// Compares tensors of numbers, element by element; of strings, by whether they
/// are equal.
Difference differ(const run::Tensor &got, const run::Tensor &expected);

/// The part of the scale by which values of this type may differ that are
/// computed in another order; 0 for what is no float.
double toleranceOf(tenon_dtype type);

} // namespace tenon::compare

#endif // TENON_LIB_COMPARE_DIFFER_H
