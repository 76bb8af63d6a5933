//===- Failure.h - whether a model still fails ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TENON_LIB_REDUCE_FAILURE_H
#define TENON_LIB_REDUCE_FAILURE_H

#include "lib/Support/RunProgram.h"

namespace tenon::reduce {

enum class FailureKind {
  Command, ///< the command's exit status is not 0
  Crash,   ///< compiler or run are ended by a signal
  Differs, ///< results are not the interpreter's
  Refused  ///< the compiler refuses it, with the same code
};

struct FailureOptions {
  FailureKind kind = FailureKind::Command;
  std::vector<std::string> command; ///< `{}` is the model
  std::string matching;             ///< a regular expression; "": anything
  std::vector<std::string> flags;   ///< of the compiler
  std::string compiler;             ///< the program
  double rtol = 1e-3, atol = 1e-4;
  ProcessLimits limits;
};

/// What happens to a model, tried in processes of their own.
class Failure {
public:
  /// Files of the tries lie in `folder`.
  Failure(FailureOptions options, std::string folder)
      : options(std::move(options)), folder(std::move(folder)) {}

  /// Whether the model in this file fails. An error: a program is missing. The
  /// first model that is refused says with which code others have to be.
  llvm::Expected<bool> holds(const std::string &model);

private:
  llvm::Expected<bool> commandFails(const std::string &model);
  llvm::Expected<bool> crashes(const std::string &model);
  llvm::Expected<bool> differs(const std::string &model);
  llvm::Expected<bool> isRefused(const std::string &model);
  llvm::Expected<ProcessEnd> compile(const std::string &model);
  llvm::Expected<ProcessEnd> run(llvm::ArrayRef<std::string> words);
  std::string file(llvm::StringRef name) const {
    return folder + "/" + name.str();
  }

  FailureOptions options;
  std::string folder;
  std::string code; ///< of the first refusal
};

} // namespace tenon::reduce

#endif // TENON_LIB_REDUCE_FAILURE_H
