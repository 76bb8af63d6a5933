//===- Bounds.h - what is known of a dimension ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares proofs about dimensions from the ranges of their symbols.
//===----------------------------------------------------------------------===//
#ifndef TENON_DIALECTS_GRAPH_BOUNDS_H
#define TENON_DIALECTS_GRAPH_BOUNDS_H

#include "dialects/Graph/Constraints.h"
#include "dialects/Graph/DimExpr.h"

namespace tenon::graph {

/// All values of a dimension lie in [min, max]. What lies beyond +-2^62 counts
/// as unbounded, and is INT64_MIN or INT64_MAX.
struct DimBounds {
  int64_t min, max;
};
DimBounds boundsOf(mlir::Attribute dim, const ConstraintStore &symbols);

/// Whether a >= b for all values of their symbols.
bool isAtLeast(mlir::Attribute a, mlir::Attribute b,
               const ConstraintStore &symbols);

/// Makes `dim` at least 0 by narrowing the range of its symbol, which the
/// run time checks; failure if it has none or more than one, if it neither
/// grows with it nor is a multiple of it plus a number, or if nothing would be
/// left.
mlir::LogicalResult demandNotNegative(mlir::Attribute dim,
                                      ConstraintStore &symbols);

} // namespace tenon::graph

#endif // TENON_DIALECTS_GRAPH_BOUNDS_H
