//===- Tally.h - what many graphs came to -----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TENON_TEST_FUZZ_TALLY_H
#define TENON_TEST_FUZZ_TALLY_H

#include "test/fuzz/Check.h"

namespace tenon::fuzz {

class Tally {
public:
  void add(uint64_t seed, const Verdict &verdict);

  /// The numbers of those with faults, in order.
  std::vector<uint64_t> faults() const;
  int64_t count() const { return graphs; }

  /// One line for progress.
  std::string line(double seconds) const;
  /// Refusals by operator and message, faults, and the sums; the last line is
  /// "N agree, N refused, N faults".
  std::string table(double seconds) const;

private:
  struct Row {
    int64_t count = 0;
    uint64_t seed = UINT64_MAX; ///< the smallest
  };

  int64_t graphs = 0, silent = 0, kernels = 0, cached = 0;
  std::array<int64_t, 8> outcomes{};
  double compileSeconds = 0, runSeconds = 0, interpretSeconds = 0;
  std::map<std::pair<std::string, std::string>, Row> refusals, others;
  std::map<uint64_t, Outcome> faulty;
};

/// The first line of a message, without names and numbers.
std::string kindOf(const std::string &message);

} // namespace tenon::fuzz

#endif // TENON_TEST_FUZZ_TALLY_H
