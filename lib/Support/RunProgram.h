//===- RunProgram.h - a program within limits -------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TENON_LIB_SUPPORT_RUNPROGRAM_H
#define TENON_LIB_SUPPORT_RUNPROGRAM_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"

#include <string>
#include <vector>

namespace tenon {

/// What a process may take.
struct ProcessLimits {
  unsigned seconds = 60;
  unsigned megabytes = 0; ///< 0: any
};

/// How a process ended.
struct ProcessEnd {
  int status = 0;         ///< where it was not ended
  int signal = 0;         ///< that ended it; 0: none
  bool isTooLong = false; ///< it was ended after its time
  std::string output;     ///< its first megabyte

  bool succeeded() const { return !status && !signal && !isTooLong; }
  bool crashed() const { return signal && !isTooLong; }
};

/// Runs `words`, of which the first is a path or a name on the PATH, with its
/// output in `scratch`, a file. After its time it is ended, and what it
/// started. An error: it cannot be started.
llvm::Expected<ProcessEnd> runProgram(llvm::ArrayRef<std::string> words,
                                      const ProcessLimits &limits,
                                      llvm::StringRef scratch);

/// `name` beside the program that runs, or else a name for the PATH.
std::string programBeside(llvm::StringRef name);

} // namespace tenon

#endif // TENON_LIB_SUPPORT_RUNPROGRAM_H
