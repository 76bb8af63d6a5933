//===- ControlFlow.h - branches and loops -----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares the lowerings of operators that have subgraphs.
//===----------------------------------------------------------------------===//
#ifndef TENON_PASSES_NORMALIZE_CONTROL_CONTROLFLOW_H
#define TENON_PASSES_NORMALIZE_CONTROL_CONTROLFLOW_H

#include "passes/Normalize/Walk.h"

namespace tenon::normalize {

/// The values for the results of `op`, an If, Loop or Scan; null for results
/// that nothing uses. After a failure, the report has a line about it or about
/// what it depends on.
using Made = mlir::FailureOr<SmallVector<Value>>;

Made lowerControlFlow(Walk &walk, mlir::Operation *op);
Made lowerIf(Walk &walk, mlir::Operation *op);
Made lowerLoop(Walk &walk, mlir::Operation *op);
Made lowerScan(Walk &walk, mlir::Operation *op);

/// Refuses `op`.
Made refuse(Walk &walk, mlir::Operation *op, const llvm::Twine &reason);

/// The one number that a value is known to hold.
std::optional<int64_t> knownNumber(Walk &walk, Value value);

/// A tensor of one element as one of rank 0; refuses others.
Value scalarOf(Walk &walk, mlir::Operation *op, Value value);

} // namespace tenon::normalize

#endif // TENON_PASSES_NORMALIZE_CONTROL_CONTROLFLOW_H
