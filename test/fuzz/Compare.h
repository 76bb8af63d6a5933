//===- Compare.h - two results of one graph ---------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TENON_TEST_FUZZ_COMPARE_H
#define TENON_TEST_FUZZ_COMPARE_H

#include "lib/Run/Tensor.h"

namespace tenon::fuzz {

/// What is allowed beside the tolerance, for each element; or nothing.
using Slack = std::vector<double>;

/// Why `got` is not `want`; empty: it is. Floats agree within a share of the
/// largest element that is a number; NaN with NaN, infinities with themselves.
/// All else is the same. `times` makes the tolerance larger.
std::string difference(const run::Tensor &want, const run::Tensor &got,
                       const Slack &slack = {}, double times = 1);

/// Adds to `slack` how far `other` is from `want`; infinite where one is a
/// number and the other is not, or where integers differ. False: the shapes
/// differ.
bool addSlack(const run::Tensor &want, const run::Tensor &other, Slack &slack);

} // namespace tenon::fuzz

#endif // TENON_TEST_FUZZ_COMPARE_H
