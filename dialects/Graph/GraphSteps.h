//===- GraphSteps.h - loops of the host -------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares `graph.steps`, a loop whose body is a program of its own
// until kernels are lowered.
//===----------------------------------------------------------------------===//
#ifndef TENON_DIALECTS_GRAPH_GRAPHSTEPS_H
#define TENON_DIALECTS_GRAPH_GRAPHSTEPS_H

#include "dialects/Graph/Graph.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/SymbolTable.h"

#define GET_OP_CLASSES
#include "dialects/Graph/GraphSteps.h.inc"

namespace tenon::graph {

/// Says that a function is the body of `graph.steps`, and no entry.
void markStepsBody(mlir::func::FuncOp function);
bool isStepsBody(mlir::func::FuncOp function);

/// The body; null where there is none.
mlir::func::FuncOp bodyOf(StepsOp steps);

} // namespace tenon::graph

#endif // TENON_DIALECTS_GRAPH_GRAPHSTEPS_H
