//===- Options.h - the command line of tenon-run ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares the options and their parser.
//===----------------------------------------------------------------------===//
#ifndef TENON_RUN_OPTIONS_H
#define TENON_RUN_OPTIONS_H

#include "lib/Support/Result.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace tenon::run {

/// `name=value`; the name is empty when only a value was given.
struct Assignment {
  std::string name;
  std::string value;
};

/// Splits at the first '='.
Assignment splitAssignment(const std::string &text);

struct Options {
  std::string model;
  std::vector<Assignment> inputs;
  std::vector<Assignment> expects;
  std::vector<std::string> shapes;
  std::vector<std::string> dims;
  std::vector<std::string> constants;
  std::string entry; ///< empty: the first
  std::vector<Assignment> data, evalData;
  std::string rate; ///< --lr
  std::string lossCurve, saveState, loadState;
  int64_t epochs = 0;
  int64_t evalEvery = 0, saveEvery = 0; ///< steps; 0: at the end
  std::string seed;                     ///< of --shuffle
  bool shuffle = false;
  std::string outputDir;
  std::string variant; ///< empty: the run time chooses
  std::string device;  ///< "cpu", "cuda" or empty: the run time chooses
  double rtol = 1e-3;
  double atol = 1e-5;
  int64_t threads = 0;
  int64_t runs = 0;
  int64_t steps = 0; ///< 0: a run without a state
  bool interpret = false;
  bool signature = false;
  bool disassemble = false;
  bool trace = false;
  bool benchmark = false;
  /// Of --profile: the file for the trace, or "".
  std::optional<std::string> profile;
  bool byLaunch = false;
  bool roof = false;
  bool json = false;
  bool verify = false;
  bool help = false;
  bool version = false;
};

/// Parses the arguments after the program's name. `--flag value` and
/// `--flag=value` are the same.
Result<Options> parseOptions(const std::vector<std::string> &arguments);

/// The text of --help.
std::string helpText();

} // namespace tenon::run

#endif // TENON_RUN_OPTIONS_H
