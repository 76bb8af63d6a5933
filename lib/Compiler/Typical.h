//===- Typical.h - the sizes that plans are made for ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TENON_LIB_COMPILER_TYPICAL_H
#define TENON_LIB_COMPILER_TYPICAL_H

#include "mlir/IR/BuiltinOps.h"

#include <string>
#include <utility>
#include <vector>

namespace tenon {

/// What somebody knows of the sizes that a model will run at: those of symbols,
/// one or, where runs differ, several, and some for all others, each of which
/// takes the one that its name picks.
struct GivenTypical {
  std::vector<std::pair<std::string, std::vector<int64_t>>> sizes;
  std::vector<int64_t> others;
  /// Whether kernels may have plans for other sizes, too.
  bool mayHaveFurther = true;
};

/// Adds `seq=384`, `seq=16,384` or, for the others, `3,17,131`. On a malformed
/// text returns false and says why in `error`.
bool addTypical(llvm::StringRef text, GivenTypical &typical,
                std::string &error);

/// Notes in the module what plans are to be made for: where symbols have
/// several sizes, for the first of each, for the second of each and so on;
/// where nothing is given, also for smaller sizes than those that are usual.
/// Fails with a diagnostic where no input has a dimension of a name, and where
/// names have different numbers of sizes.
mlir::LogicalResult stateTypical(mlir::ModuleOp module,
                                 const GivenTypical &typical);

} // namespace tenon

#endif // TENON_LIB_COMPILER_TYPICAL_H
