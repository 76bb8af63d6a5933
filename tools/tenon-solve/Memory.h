//===- Memory.h - tenon-solve memory ----------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TENON_TOOLS_TENON_SOLVE_MEMORY_H
#define TENON_TOOLS_TENON_SOLVE_MEMORY_H

#include "llvm/Support/Error.h"
#include <cstdint>
#include <string>

namespace tenon {

/// The command line of `tenon-solve memory`.
struct MemoryRequest {
  std::string input, output, picture, budget, solver;
  int64_t capacity = 0; ///< bytes of each arena; 0: as small as it gets
  unsigned threads = 1;
  bool json = false;
};

/// Reads, solves, proves, prints and writes. False if a capacity was asked for
/// and the plan is larger.
llvm::Expected<bool> solveMemory(const MemoryRequest &request);

} // namespace tenon

#endif // TENON_TOOLS_TENON_SOLVE_MEMORY_H
