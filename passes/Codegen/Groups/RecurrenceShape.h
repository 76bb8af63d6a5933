//===- RecurrenceShape.h - the extents of a recurrence ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TENON_PASSES_CODEGEN_GROUPS_RECURRENCESHAPE_H
#define TENON_PASSES_CODEGEN_GROUPS_RECURRENCESHAPE_H

#include "dialects/Graph/Graph.h"
#include "dialects/Graph/Size.h"
#include "lib/Tile/Recurrence.h"

namespace tenon::codegen {

/// The shapes of a recurrence.
struct RecurrenceShape {
  explicit RecurrenceShape(graph::RecurrenceOp op);

  /// What is planned. Of an open batch it has one sequence: how panels are cut
  /// does not depend on it.
  tile::RecurrenceProblem problem() const;
  /// Bytes of the scratch buffer.
  graph::Size stateBytes(const tile::RecurrencePlan &plan) const;
  /// How many sequences the state has room for: register tiles that reach
  /// beyond a batch whose size comes with the call have state of their own.
  graph::Size stateRows(const tile::RecurrencePlan &plan) const;

  graph::Size steps, batch;
  int64_t directions, hidden, gates;
  int64_t sections;
  /// Parts of a step, each of which needs all of the one before: two for a GRU
  /// whose reset gate acts before the product.
  int64_t phases;
  mlir::Type element; ///< in memory
  mlir::Type work;    ///< in registers and of the state: f32 for 16-bit floats
};

} // namespace tenon::codegen

#endif // TENON_PASSES_CODEGEN_GROUPS_RECURRENCESHAPE_H
