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
/// and some for all others, each of which takes the one that its name picks.
struct GivenTypical {
  std::vector<std::pair<std::string, int64_t>> sizes;
  std::vector<int64_t> others;
};

/// Adds `seq=384` or, for the others, `3,17,131`. On a malformed text returns
/// false and says why in `error`.
bool addTypical(llvm::StringRef text, GivenTypical &typical,
                std::string &error);

/// Notes in the module what plans are to be made for. Fails with a diagnostic
/// where no input has a dimension of a name.
mlir::LogicalResult stateTypical(mlir::ModuleOp module,
                                 const GivenTypical &typical);

} // namespace tenon

#endif // TENON_LIB_COMPILER_TYPICAL_H
