//===- Reduce.h - the smallest model that still fails -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TENON_LIB_REDUCE_REDUCE_H
#define TENON_LIB_REDUCE_REDUCE_H

#include "lib/Reduce/Failure.h"

#include <functional>

namespace tenon::reduce {

struct ReduceOptions {
  std::string model, output;
  std::vector<std::pair<std::string, int64_t>> dims; ///< sizes of dimensions
  FailureOptions failure;
};

/// How far it is.
struct Progress {
  size_t nodesBefore = 0, nodes = 0, tries = 0;
  bool wentOn = false; ///< from what was in the output
};

/// Writes the smallest model found for which the failure persists. The output
/// always is a model that fails, the best so far; a reduction of the same model
/// and failure that was stopped goes on from it. `tell` is called after each
/// try. An error: the model cannot be read, or does not fail.
llvm::Expected<Progress>
reduceModel(const ReduceOptions &options,
            const std::function<void(const Progress &)> &tell);

} // namespace tenon::reduce

#endif // TENON_LIB_REDUCE_REDUCE_H
