//===- KnownSymbols.h - symbols that can be one number only -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares how symbols become numbers where only one number fits.
//===----------------------------------------------------------------------===//
#ifndef TENON_PASSES_NORMALIZE_KNOWNSYMBOLS_H
#define TENON_PASSES_NORMALIZE_KNOWNSYMBOLS_H

#include "dialects/Graph/Constraints.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tenon::normalize {

/// Replaces the symbols that `store` or an operation of `program` fixes:
/// `[n, k] x [5, 4]` has a product for `k = 5` only. The inputs' types say so
/// from then on, and are checked. An error names an operation that asks for a
/// number that its symbol cannot be.
mlir::LogicalResult settleKnownSymbols(mlir::func::FuncOp program,
                                       graph::ConstraintStore &store);

} // namespace tenon::normalize

#endif // TENON_PASSES_NORMALIZE_KNOWNSYMBOLS_H
