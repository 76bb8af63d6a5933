//===- States.h - what a run leaves for the next one ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares the states of a program: pairs of an input and an output
// that belong together, as the attribute `graph.states` of the module:
//
//   graph.states = [{input = "past", output = "present"}, ...]
//
// What one run leaves in the output, the next finds in the input. Before the
// first it is `first`, or zeros. Where a module has several programs, each
// state says whose it is; states of one name are one tensor, which a program
// without an output for it only reads. Once buffers are laid out, `axis` and
// `room` say which of them are one buffer that grows in place: along dimension
// `axis`, there is room for `room` more elements, a symbol that nothing but the
// caller's buffer gives a value to. Once launches are ordered, `updated` says
// which may be one buffer that is overwritten (passes/Memory/Updates.h).
//===----------------------------------------------------------------------===//
#ifndef TENON_DIALECTS_GRAPH_STATES_H
#define TENON_DIALECTS_GRAPH_STATES_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

#include <optional>

namespace tenon::graph {

/// What it is for; the numbers are tenon_state_role's.
enum class StateRole {
  Other,
  Parameter,
  Moment,
  Statistic,
  Counter,
  Scale,
  Skipped
};

struct State {
  mlir::StringAttr input;
  mlir::StringAttr output; ///< null: it is only read
  /// None: the output is computed into a buffer of its own.
  std::optional<int64_t> axis = std::nullopt;
  /// Null where there is no `axis`.
  mlir::StringAttr room = {};
  mlir::StringAttr program = {}; ///< null: the only one
  mlir::ElementsAttr first = {}; ///< null: zeros
  StateRole role = StateRole::Other;
  /// Input and output may be one buffer, which launches overwrite.
  bool isUpdated = false;
};

/// Those of a module; none where there is no attribute.
llvm::SmallVector<State> statesOf(mlir::ModuleOp module);

/// Those of one program.
llvm::SmallVector<State> statesOf(mlir::FunctionOpInterface program);

void setStates(mlir::ModuleOp module, llvm::ArrayRef<State> states);

/// Whether an attribute is a list of states.
bool isStates(mlir::Attribute attribute);

/// The numbers of a program's input and output of these names.
std::optional<unsigned> findInput(mlir::FunctionOpInterface program,
                                  mlir::StringRef name);
std::optional<unsigned> findOutput(mlir::FunctionOpInterface program,
                                   mlir::StringRef name);

} // namespace tenon::graph

#endif // TENON_DIALECTS_GRAPH_STATES_H
