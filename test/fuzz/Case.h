//===- Case.h - a graph with what it is run on ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares what lies between those who make graphs, who know onnx,
// and those who compile and run them, who do not.
//===----------------------------------------------------------------------===//
#ifndef TENON_TEST_FUZZ_CASE_H
#define TENON_TEST_FUZZ_CASE_H

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace tenon::fuzz {

/// Each graph runs with so many sets of sizes.
inline constexpr unsigned runCount = 5;

/// One number for each run.
using PerRun = std::array<int64_t, runCount>;

/// The numbers of onnx's TensorProto.
enum Kind : int32_t { F32 = 1, I32 = 6, I64 = 7, Bool = 9, F16 = 10 };

inline bool isFloat(int32_t kind) { return kind == F32 || kind == F16; }
inline unsigned bytesOf(int32_t kind) {
  return kind == I64 ? 8 : kind == Bool ? 1 : kind == F16 ? 2 : 4;
}

struct CaseInput {
  std::string name;
  int32_t kind = F32;
  std::array<std::vector<int64_t>, runCount> shapes;
  /// The data of each run, and behind them others for the first run.
  std::array<std::string, runCount + 1> data;
};

struct Case {
  uint64_t seed = 0;
  std::string model; ///< a ModelProto's bytes
  std::map<std::string, PerRun> symbols;
  std::vector<CaseInput> inputs;
  /// The operator of each node, those of bodies as well.
  std::map<std::string, std::string> operators;
};

} // namespace tenon::fuzz

#endif // TENON_TEST_FUZZ_CASE_H
