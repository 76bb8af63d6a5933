//===- Requirements.h - what operations ask of dimensions -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares the relations between dimensions that an operation relies
// on and that do not follow from its types: they are checked when a program
// gets its inputs. Nothing is assumed.
//===----------------------------------------------------------------------===//
#ifndef TENON_DIALECTS_GRAPH_REQUIREMENTS_H
#define TENON_DIALECTS_GRAPH_REQUIREMENTS_H

#include "mlir/IR/Operation.h"

namespace tenon::graph {

/// `Broadcast`: equal, or one of them 1.
enum class DimRelation { Equal, Broadcast, AtLeast };

/// What `a` must be to `b`.
struct DimRequirement {
  mlir::Attribute a, b;
  DimRelation relation = DimRelation::Equal;

  bool operator==(const DimRequirement &) const = default;
};

/// Those of an operation of this dialect, without what its types prove.
llvm::SmallVector<DimRequirement> requirementsOf(mlir::Operation *op);

} // namespace tenon::graph

#endif // TENON_DIALECTS_GRAPH_REQUIREMENTS_H
