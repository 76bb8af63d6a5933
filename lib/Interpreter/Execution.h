//===- Execution.h - one run of a module ------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares what runs functions, the operations in them, and what
// these call. Each call has symbols of its own.
//===----------------------------------------------------------------------===//
#ifndef TENON_LIB_INTERPRETER_EXECUTION_H
#define TENON_LIB_INTERPRETER_EXECUTION_H

#include "dialects/Control/Control.h"
#include "dialects/Graph/GraphSteps.h"
#include "lib/Interpreter/Datum.h"
#include "lib/Interpreter/Symbols.h"

namespace tenon::interp {

class Execution {
public:
  /// `module` may be null: then there is nothing to call.
  explicit Execution(mlir::ModuleOp module) : module(module) {}

  /// Reads what is known of symbols; to be called first.
  mlir::LogicalResult prepare();

  mlir::FailureOr<Data> run(mlir::FunctionOpInterface function,
                            llvm::ArrayRef<Datum> arguments);

private:
  /// Operations of one function share its symbols.
  mlir::FailureOr<Data>
  runBlock(mlir::Block &block, llvm::ArrayRef<Datum> inputs, Symbols &symbols);
  mlir::FailureOr<Data> runOp(mlir::Operation *op, Data operands,
                              Symbols &symbols);
  mlir::LogicalResult bindArguments(mlir::FunctionOpInterface function,
                                    llvm::ArrayRef<Datum> arguments,
                                    Symbols &symbols);

  /// The control dialect.
  mlir::FailureOr<Data> runControl(mlir::Operation *op, Data operands,
                                   Symbols &symbols);
  mlir::FailureOr<Data> branch(control::IfOp op,
                               llvm::ArrayRef<Datum> operands);
  mlir::FailureOr<Data> repeat(control::LoopOp op, Data operands,
                               const Symbols &symbols);
  mlir::FailureOr<Data> runSteps(graph::StepsOp op, Data operands);
  mlir::FailureOr<Data> callFunction(mlir::Operation *caller,
                                     mlir::FlatSymbolRefAttr callee,
                                     llvm::ArrayRef<Datum> arguments);
  /// Symbols of results that stand for what only the run knows become known.
  mlir::LogicalResult bindResults(mlir::Operation *op,
                                  llvm::ArrayRef<Datum> results,
                                  Symbols &symbols);

  mlir::ModuleOp module;
  graph::ConstraintStore constraints;
  mlir::SymbolTableCollection table;
  /// The functions that have begun and not ended.
  llvm::SmallVector<mlir::Operation *> active;
};

} // namespace tenon::interp

#endif // TENON_LIB_INTERPRETER_EXECUTION_H
