//===- Side.h - one of two that are compared --------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TENON_LIB_COMPARE_SIDE_H
#define TENON_LIB_COMPARE_SIDE_H

#include "lib/Import/Onnx/Parts.h"
#include "lib/Support/RunProgram.h"

namespace tenon::compare {

/// Values by their names: files.
using Values = llvm::StringMap<std::string>;

/// A model and how it is computed.
struct Side {
  const onnximport::PartedModel *model = nullptr;
  std::string compiler;           ///< "": the interpreter
  std::vector<std::string> flags; ///< of the compiler
};

/// What of a model is computed.
struct Question {
  llvm::StringSet<> nodes; ///< their names; empty: all
  onnximport::PartedModel::Taking taking;
  std::vector<std::string> flags;  ///< of the compiler, behind the side's
  std::vector<std::string> inputs; ///< `name=SOURCE`
};

/// Computes values in processes of their own, whose files lie in `folder`.
class Runner {
public:
  Runner(std::string folder, ProcessLimits limits)
      : folder(std::move(folder)), limits(limits) {}

  /// The values that are outputs. An error has what the program said that
  /// refused or crashed.
  llvm::Expected<Values> evaluate(const Side &side, const Question &question);

  /// The nodes of each kernel of the whole model.
  llvm::Expected<std::vector<std::vector<std::string>>>
  groups(const Side &side, const Question &question);

  /// The values that an artifact computes.
  llvm::Expected<Values> run(const std::string &artifact,
                             const std::vector<std::string> &inputs);

private:
  llvm::Error start(std::vector<std::string> words);
  llvm::Expected<std::string> write(const Side &side, const Question &question);
  llvm::Error compile(const Side &side, const Question &question,
                      const std::string &model, const std::string &artifact);
  llvm::Expected<Values> collect(std::vector<std::string> words,
                                 const std::vector<std::string> &inputs);
  std::string newFile(llvm::StringRef suffix);

  std::string folder;
  ProcessLimits limits;
  unsigned files = 0;
};

} // namespace tenon::compare

#endif // TENON_LIB_COMPARE_SIDE_H
