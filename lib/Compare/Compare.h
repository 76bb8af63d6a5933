//===- Compare.h - which node computes something else -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TENON_LIB_COMPARE_COMPARE_H
#define TENON_LIB_COMPARE_COMPARE_H

#include "lib/Compare/Differ.h"
#include "lib/Support/RunProgram.h"

#include "llvm/Support/Error.h"

#include <string>
#include <vector>

namespace tenon::compare {

struct CompareOptions {
  std::string model;
  /// "interpreter", another model, an artifact, or flags of the compiler.
  std::string against = "interpreter";
  std::vector<std::pair<std::string, int64_t>> dims; ///< sizes of dimensions
  std::vector<std::string> inputs;                   ///< as of tenon-run
  std::vector<std::string> flags;                    ///< of the compiler
  std::string compiler;                              ///< the program
  double tolerance = -1; ///< a part of the scale; below 0: by type
  ProcessLimits limits;
};

/// A value between kernels.
struct Row {
  std::string value, node, op;
  int group = -1; ///< of the kernels; -1: of none
  Difference difference;
  bool differs = false; ///< beyond the tolerance
};

/// How sure it is.
enum class Cause {
  None,    ///< nothing differs
  Alone,   ///< the node, compiled alone
  Fused,   ///< the node, in one kernel with others
  Memory,  ///< it touched memory that is not its own
  Unknown, ///< it differs in the whole model only
  Outputs  ///< of an artifact no more than outputs is known
};

struct Findings {
  std::vector<Row> rows; ///< in the order of the model
  size_t groups = 0;
  bool sameGroups = true; ///< as without anyone who looks
  Cause cause = Cause::None;
  std::string node, op;  ///< the culprit's
  std::string value;     ///< that differs
  Difference difference; ///< of it
  std::string note;      ///< what the run time said, if it said something
};

/// Compares all values between the kernels of a model, then the nodes of the
/// first kernel that is to blame, alone and on the reference's inputs. An
/// error: a side cannot be read, compiled or run.
llvm::Expected<Findings> compareModel(const CompareOptions &options);

/// The findings as a table, and as one page of HTML.
void printFindings(llvm::raw_ostream &stream, const Findings &findings);
std::string drawFindings(const Findings &findings, llvm::StringRef title);

/// What they come to, in a sentence.
std::string verdictOf(const Findings &findings);

} // namespace tenon::compare

#endif // TENON_LIB_COMPARE_COMPARE_H
