//===- Compare.h - whether models have one architecture ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file is private to ensembles.
//===----------------------------------------------------------------------===//
#ifndef TENON_LIB_IMPORT_ENSEMBLE_COMPARE_H
#define TENON_LIB_IMPORT_ENSEMBLE_COMPARE_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tenon::ensemble {

/// Fails with an error that names the first difference, in both files: in names
/// and types of inputs and outputs, and in nodes, one after the other, but for
/// the values of constants and the order in which these stand.
mlir::LogicalResult compare(mlir::func::FuncOp first, mlir::func::FuncOp other);

/// Fails with an error that names a node with subgraphs.
mlir::LogicalResult refuseControl(mlir::func::FuncOp member);

} // namespace tenon::ensemble

#endif // TENON_LIB_IMPORT_ENSEMBLE_COMPARE_H
