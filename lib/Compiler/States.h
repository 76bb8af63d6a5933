//===- States.h - which outputs are inputs of the next run ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TENON_LIB_COMPILER_STATES_H
#define TENON_LIB_COMPILER_STATES_H

#include "mlir/IR/BuiltinOps.h"

#include <string>
#include <utility>
#include <vector>

namespace tenon {

/// An input and an output, by name. A `*` stands for any text, the same in
/// both: `past_*` and `present_*`.
using StatePair = std::pair<std::string, std::string>;

/// Adds `past_k=present_k`, or with a `*` in both. On a malformed text returns
/// false and says why in `error`.
bool addState(llvm::StringRef text, std::vector<StatePair> &states,
              std::string &error);

/// Notes in the module which inputs and outputs are states. Fails with a
/// diagnostic where there are none of that name.
mlir::LogicalResult bindStates(mlir::ModuleOp module,
                               llvm::ArrayRef<StatePair> states);

} // namespace tenon

#endif // TENON_LIB_COMPILER_STATES_H
