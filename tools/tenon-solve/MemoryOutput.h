//===- MemoryOutput.h - what tenon-solve memory says ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TENON_TOOLS_TENON_SOLVE_MEMORYOUTPUT_H
#define TENON_TOOLS_TENON_SOLVE_MEMORYOUTPUT_H

#include "Memory.h"

#include "lib/Memory/Solve.h"
#include "lib/Memory/Text/Text.h"

namespace tenon {

/// An instance with its plan.
struct Solved {
  std::string name;
  mem::Instance instance;
  mem::Outcome outcome;
  double seconds = 0;
  bool fits = true;

  const mem::Problem &problem() const { return instance.problem; }
  const mem::Solution &solution() const { return outcome.solution; }
  double ratio() const;
};

void printTable(const Solved &solved, const MemoryRequest &request);
void printJson(const Solved &solved, const MemoryRequest &request);

/// The placement and the picture, where they were asked for.
llvm::Error writeFiles(const Solved &solved, const MemoryRequest &request);

} // namespace tenon

#endif // TENON_TOOLS_TENON_SOLVE_MEMORYOUTPUT_H
