//===- Workers.h - graphs in processes of their own -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares how many graphs are checked so that one that crashes or
// never ends is a verdict like others.
//===----------------------------------------------------------------------===//
#ifndef TENON_TEST_FUZZ_WORKERS_H
#define TENON_TEST_FUZZ_WORKERS_H

#include "test/fuzz/Check.h"

#include <functional>

namespace tenon::fuzz {

struct Work {
  uint64_t first = 0, count = 500;
  unsigned jobs = 1;
  unsigned secondsEach = 60; ///< for one graph
  std::string folder;
  std::string kernelCache;
  std::vector<std::string> cpus; ///< in turn
};

CheckOptions optionsFor(const Work &work, uint64_t seed,
                        const std::string &folder);

/// Checks the graphs of all numbers; `take` gets each verdict, in any order.
void checkAll(const Work &work,
              const std::function<void(uint64_t, const Verdict &)> &take);

/// Checks one in a process of its own.
Verdict checkAside(const Case &given, const CheckOptions &options,
                   unsigned seconds);

} // namespace tenon::fuzz

#endif // TENON_TEST_FUZZ_WORKERS_H
