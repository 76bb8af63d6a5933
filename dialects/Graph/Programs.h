//===- Programs.h - the functions that are run ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares which functions of a module are programs. All phases
// find them here; the others are kernels.
//===----------------------------------------------------------------------===//
#ifndef TENON_DIALECTS_GRAPH_PROGRAMS_H
#define TENON_DIALECTS_GRAPH_PROGRAMS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"

namespace tenon::graph {

/// The functions that a user may run, in their order: public ones with a body;
/// and, until kernels are lowered, bodies of `graph.steps`. Kernels are
/// private.
llvm::SmallVector<mlir::func::FuncOp> programs(mlir::ModuleOp module);

/// The same; an error where there is none.
mlir::FailureOr<llvm::SmallVector<mlir::func::FuncOp>>
requirePrograms(mlir::ModuleOp module);

/// The program, for those that handle one only yet; an error where there is
/// none, and one that names all where there are several. Bodies do not count.
mlir::FailureOr<mlir::func::FuncOp> requireProgram(mlir::ModuleOp module);

} // namespace tenon::graph

#endif // TENON_DIALECTS_GRAPH_PROGRAMS_H
