//===- Shrink.h - the smallest graph that is still wrong --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TENON_TEST_FUZZ_SHRINK_H
#define TENON_TEST_FUZZ_SHRINK_H

#include "lib/Run/Tensor.h"
#include "test/fuzz/Case.h"

#include <functional>

namespace tenon::fuzz {

/// What shrinking asks of those who can run a graph.
struct ShrinkWith {
  std::function<bool(const Case &)> isWrong;
  /// The outputs in a run, with these data of the inputs.
  std::function<Result<std::vector<run::Tensor>>(const Case &, unsigned run,
                                                 unsigned data)>
      interpret;
};

/// Tries, until nothing helps: fewer outputs; an operand of the last operator
/// in its place; values as inputs, with the elements that they had; operands in
/// the place of results.
Case shrink(Case given, const ShrinkWith &with);

} // namespace tenon::fuzz

#endif // TENON_TEST_FUZZ_SHRINK_H
