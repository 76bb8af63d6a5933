//===- Shared.h - what tools that look for faults share ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TENON_LIB_PROGRAMS_SHARED_H
#define TENON_LIB_PROGRAMS_SHARED_H

#include "lib/Support/RunProgram.h"

#include "llvm/Support/CommandLine.h"

namespace tenon {

/// Options about the model and the processes that try it. Made before parsing.
struct TrialOptions {
  llvm::cl::list<std::string> dims{
      "dim",
      llvm::cl::desc("The size of a dimension of that name (repeatable)"),
      llvm::cl::value_desc("NAME=N")};
  llvm::cl::list<std::string> flags{
      "with", llvm::cl::desc("An option for tenon-compile (repeatable)"),
      llvm::cl::value_desc("option")};
  llvm::cl::opt<std::string> compiler{
      "compiler",
      llvm::cl::desc("The program that compiles (default: tenon-compile "
                     "beside this one)"),
      llvm::cl::value_desc("program")};
  llvm::cl::opt<unsigned> seconds{
      "seconds", llvm::cl::init(60),
      llvm::cl::desc("The time of a process, after which it has not failed")};
  llvm::cl::opt<unsigned> megabytes{
      "megabytes", llvm::cl::init(8192),
      llvm::cl::desc("The memory of a process; 0: any")};

  ProcessLimits limits() const { return {seconds, megabytes}; }
  std::string compilerPath() const;
  /// What is wrong with --dim; "": nothing.
  std::string
  readDims(std::vector<std::pair<std::string, int64_t>> &sizes) const;
};

} // namespace tenon

#endif // TENON_LIB_PROGRAMS_SHARED_H
