//===- Check.h - compile, run, interpret, compare ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TENON_TEST_FUZZ_CHECK_H
#define TENON_TEST_FUZZ_CHECK_H

#include "lib/Run/Tensor.h"
#include "test/fuzz/Case.h"

namespace tenon::fuzz {

enum class Outcome {
  Agrees,   ///< all outputs in all runs
  Rounds,   ///< but for elements that a rounding of the inputs changes, too
  Refused,  ///< by the compiler, which names a node
  Unnamed,  ///< by the compiler, which names none
  Rejected, ///< by the interpreter: the graph is not what it should be
  Differs,  ///< an output, or the run ends with an error
  Crashes,  ///< a signal
  Hangs     ///< no end within the time
};
const char *outcomeName(Outcome outcome);

/// Whether it is a fault.
bool isFault(Outcome outcome);

struct Verdict {
  Outcome outcome = Outcome::Agrees;
  /// Of a refusal or fault: what was said.
  std::string text;
  /// Of a refusal: the operator of the node that is named.
  std::string op;
  /// Whether an output with other inputs would have been called wrong.
  bool answers = false;
  double compileSeconds = 0, runSeconds = 0, interpretSeconds = 0;
  int64_t kernels = 0, cachedKernels = 0;
};

struct CheckOptions {
  std::string folder;      ///< for models and artifacts
  std::string kernelCache; ///< a folder; empty: none
  std::string cpu;         ///< --mcpu
};

Verdict check(const Case &given, const CheckOptions &options);

/// An input in a run, with these of its data.
run::Tensor toTensor(const CaseInput &input, unsigned run, unsigned data);

/// The outputs by the interpreter with the sizes of `run`; `data` is the number
/// of the inputs' data.
Result<std::vector<run::Tensor>> interpret(const Case &given,
                                           const std::string &model,
                                           unsigned run, unsigned data);

} // namespace tenon::fuzz

#endif // TENON_TEST_FUZZ_CHECK_H
